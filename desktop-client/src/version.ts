// The version of `acc-client`, as its package states it.
import about from '../package.json' with { type: 'json' }

export const VERSION: string = about.version
