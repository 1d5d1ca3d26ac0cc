// Bit flags, and booleans as 0 or 1 in requests and responses.

/** Converts a boolean to 0 or 1. */
export const flagOf = (is: boolean): 0 | 1 => (is ? 1 : 0)
export const hasFlag = (value: number, flag: number): boolean => (value & flag) !== 0
export const withFlag = (value: number, flag: number): number => value | flag
export const withoutFlag = (value: number, flag: number): number => value & ~flag
