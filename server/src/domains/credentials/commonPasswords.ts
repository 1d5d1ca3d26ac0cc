// The 10,000 most common passwords as a Bloom filter, written by `server/test/writeCommonPasswords.ts`. It wrongly
// matches one other password in ten thousand.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const FILTER = readFileSync(new URL('./commonPasswords.bin', import.meta.url))
const HASHES = 13

function isInFilter(text: string): boolean {
  const digest = createHash('sha256').update(text).digest()
  const [first, second] = [digest.readUInt32BE(0), digest.readUInt32BE(4)]
  return Array.from({ length: HASHES }, (_, i) => (first + i * second) % (FILTER.length * 8)).every(
    (bit) => ((FILTER[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0,
  )
}

/** Shorter words are not looked up on their own. */
const SHORTEST_WORD = 6

/** Returns whether a password is common, also with other case or with digits and signs around it. */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase()
  const word = text.replace(/^[^a-z]+|[^a-z]+$/g, '')
  return isInFilter(text) || (word.length >= SHORTEST_WORD && isInFilter(word))
}
