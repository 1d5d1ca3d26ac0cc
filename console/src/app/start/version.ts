/** The front end's version string (S1 section 1). */
export const CONSOLE_VERSION = '1.1.53'
