// Bit flags, and the wire's form of yes and no.

/** Converts a boolean to the wire's 0 or 1. */
export const flagOf = (is: boolean): 0 | 1 => (is ? 1 : 0)
export const hasFlag = (value: number, flag: number): boolean => (value & flag) !== 0
export const withFlag = (value: number, flag: number): number => value | flag
export const withoutFlag = (value: number, flag: number): number => value & ~flag
