// License files as an attacker alters them.
import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { publicKeyOf, publicKeyText } from '../../crypto/signingKey.ts'
import { LicenseFileError, readLicense, writeLicense } from './licenseFile.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const TERMS = {
  licensee: '한빛 "전자" A/S',
  countType: 0,
  maxCount: 250,
  issued: '2026-11-22T00:00:00.000Z',
  expiry: '2027-11-30',
} as const
const file = writeLicense(TERMS, privateKey)

const outcome = (bytes: Uint8Array | string, key = publicKey) => {
  try {
    return readLicense(bytes, key)
  } catch (error) {
    if (error instanceof LicenseFileError) return error.reason
    throw error
  }
}

test('the signed terms are read, with and without an expiry', () => {
  expect(outcome(file)).toEqual(TERMS)
  const { expiry, ...unlimited } = TERMS
  expect(outcome(writeLicense(unlimited, privateKey))).toEqual(unlimited)
  expect(expiry).toBe('2027-11-30')
})

test('a public key goes through its one line of text', () => {
  expect(outcome(file, publicKeyOf(publicKeyText(publicKey)))).toEqual(TERMS)
  expect(publicKeyText(privateKey)).toBe(publicKeyText(publicKey))
})

test('no file is accepted with any bit of any byte flipped, a byte removed, doubled, or replaced by a blank', () => {
  const bytes = Buffer.from(file)
  const accepted: string[] = []
  for (const [at, byte] of bytes.entries()) {
    const flipped = [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => [byte ^ (1 << bit)])
    const blanks = [0x09, 0x0a, 0x0d, 0x20].filter((blank) => blank !== byte).map((blank) => [blank])
    for (const replacement of [...flipped, ...blanks, [], [byte, byte]]) {
      const altered = Buffer.concat([bytes.subarray(0, at), Buffer.from(replacement), bytes.subarray(at + 1)])
      if (typeof outcome(altered) === 'object') accepted.push(`${replacement} at ${at}`)
    }
  }
  expect(accepted).toEqual([])
})

test('a foreign key, a borrowed signature and a smaller or larger count are refused', () => {
  const foreign = generateKeyPairSync('ed25519')
  expect(outcome(writeLicense(TERMS, foreign.privateKey))).toBe('signature')
  const other = writeLicense({ ...TERMS, maxCount: 9999 }, privateKey)
  const { signature } = JSON.parse(other)
  expect(outcome(file.replace(JSON.parse(file).signature, signature))).toBe('signature')
  for (const count of ['25', '2500']) expect(outcome(file.replace('250', count))).toBe('signature')
})

test.each([
  ['nothing', ''],
  ['no JSON', 'license'],
  ['null', 'null'],
  ['a list', '[]'],
  ['another spelling', JSON.stringify(JSON.parse(file))],
  ['Windows line ends', file.replaceAll('\n', '\r\n')],
  ['a byte-order mark', `\ufeff${file}`],
  ['a field more', file.replace('{', '{\n  "site": "x",')],
  ['a field twice', file.replace('"maxCount": 250', '"maxCount": 250,\n  "maxCount": 250')],
  ['a prototype', file.replace('{', '{\n  "__proto__": {},')],
  ['text after it', `${file} `],
  ['deep nesting', '['.repeat(4000)],
  ['too much', `${file}${' '.repeat(5000)}`],
])('%s is no license file', (_what, text) => {
  expect(outcome(text)).toBe('form')
})

test.each([
  { ...TERMS, maxCount: 0 },
  { ...TERMS, maxCount: 1.5 },
  { ...TERMS, maxCount: 1_000_001 },
  { ...TERMS, licensee: '' },
  { ...TERMS, licensee: 'x'.repeat(101) },
  { ...TERMS, licensee: 'a\u202eb' },
  { ...TERMS, issued: '2026-11-22' },
  { ...TERMS, expiry: '2026-02-30' },
])('no license is written with impossible terms (%#)', (terms) => {
  expect(() => writeLicense(terms, privateKey)).toThrow()
})
