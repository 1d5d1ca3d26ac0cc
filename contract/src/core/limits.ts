// Limits for the schemas and for the inputs of screens (spec S1 §5). Free of zod: the sign-in page loads it.

/** Characters of a text. */
export const MAX_LENGTH = { loginId: 30, personName: 30, email: 100, password: 64, searchText: 30 } as const

export const MAX_PORT = 65_535
