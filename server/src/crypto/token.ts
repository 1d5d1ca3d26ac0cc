// Tokens of sessions, temporary sign-ins and desktop clients as 256 random bits. Only the hash is stored, so that a
// copy of the database opens no session. A plain hash is enough, since nobody guesses 256 bits.
import { createHash, randomBytes } from 'node:crypto'

/** 43 characters of base64url, safe in cookies, headers and addresses. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 of the token, 32 bytes, as it is stored and looked up. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
