/** The version of the console (spec S1 §1). */
export { version as CONSOLE_VERSION } from '../../../package.json'
