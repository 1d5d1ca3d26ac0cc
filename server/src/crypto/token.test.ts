import { expect, test } from 'vitest'
import { hashToken, newToken } from './token.ts'

test('a token is 256 random bits in 43 characters that need no escaping, and no two are alike', () => {
  const tokens = Array.from({ length: 1000 }, newToken)
  for (const token of tokens) {
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  }
  expect(new Set(tokens).size).toBe(1000)
})

test('its hash is the SHA-256 of the text', () => {
  expect(hashToken('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
