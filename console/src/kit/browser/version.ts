import { version } from '../../../package.json'

/** The version of the console (spec S1 §1). */
export const CONSOLE_VERSION = version
