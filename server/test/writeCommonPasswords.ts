/**
 * Writes the Bloom filter of the 10,000 most common passwords of @zxcvbn-ts/language-common (MIT).
 *
 *   node server/test/writeCommonPasswords.ts
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dictionary } from '@zxcvbn-ts/language-common'

const COUNT = 10_000
const BYTES = 24_576
const HASHES = 13

const filter = Buffer.alloc(BYTES)
for (const password of dictionary['passwords-common'].slice(0, COUNT)) {
  const digest = createHash('sha256').update(password.toLowerCase()).digest()
  for (let i = 0; i < HASHES; i++) {
    const bit = (digest.readUInt32BE(0) + i * digest.readUInt32BE(4)) % (BYTES * 8)
    filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
}
writeFileSync(new URL('../src/domains/credentials/commonPasswords.bin', import.meta.url), filter)
