import { Secret } from 'otpauth'
import { expect, test } from 'vitest'
import { newSecret, otpauthUri, stepOf } from './totp.ts'

/** The key of the test vectors in RFC 6238, appendix B. */
const KEY = Secret.fromUTF8('12345678901234567890').base32
const at = (seconds: number) => new Date(seconds * 1000)

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code of RFC 6238 at %i s belongs to its step only', (seconds, code) => {
  const step = Math.floor(seconds / 30)
  expect(stepOf(KEY, code, at(seconds))).toBe(step)
  expect(stepOf(KEY, code, at(seconds + 30))).toBe(step)
  expect(stepOf(KEY, code, at(seconds - 30))).toBe(step)
  expect(stepOf(KEY, code, at(seconds + 60))).toBeUndefined()
  expect(stepOf(KEY, code, at(seconds - 60))).toBeUndefined()
})

test('a new key has 160 random bits, and its address names product and account', () => {
  const keys = Array.from({ length: 100 }, newSecret)
  expect(new Set(keys).size).toBe(100)
  for (const key of keys) expect(key).toMatch(/^[A-Z2-7]{32}$/)
  const uri = new URL(otpauthUri(KEY, 'ACC 보안', 'hong.gildong'))
  expect(uri.href).toMatch(/^otpauth:\/\/totp\//)
  expect(decodeURIComponent(uri.pathname)).toContain('ACC 보안:hong.gildong')
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret: KEY,
    issuer: 'ACC 보안',
    digits: '6',
    period: '30',
  })
})
