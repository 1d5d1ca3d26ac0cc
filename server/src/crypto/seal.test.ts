import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seal, UnsealError, unseal } from './seal.ts'
import { makeSecretKey } from './secretKey.ts'

const key = makeSecretKey(Buffer.alloc(32, 1))

describe('a sealed secret', () => {
  test('opens with the same key, purpose and row', () => {
    const anyBytes = fc.uint8Array({ maxLength: 300 })
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary' }), anyBytes, (purpose, row, bytes) => {
        expect(unseal(key, purpose, row, seal(key, purpose, row, bytes))).toEqual(Buffer.from(bytes))
      }),
    )
    expect(unseal(key, 'mail', 'mailServer:1', seal(key, 'mail', 'mailServer:1', '비밀번호')).toString()).toBe(
      '비밀번호',
    )
  })

  test('looks another way each time', () => {
    expect(seal(key, 'mail', 'row', 'same')).not.toEqual(seal(key, 'mail', 'row', 'same'))
  })

  test('does not open in another row, for another purpose or with another key', () => {
    const sealed = seal(key, 'otp', 'users:1:totpSecret', 'seed')
    expect(() => unseal(key, 'otp', 'users:2:totpSecret', sealed)).toThrow(UnsealError)
    expect(() => unseal(key, 'mail', 'users:1:totpSecret', sealed)).toThrow(UnsealError)
    expect(() => unseal(makeSecretKey(Buffer.alloc(32, 2)), 'otp', 'users:1:totpSecret', sealed)).toThrow(UnsealError)
  })

  test('does not open once any bit is changed or any byte is missing', () => {
    const sealed = seal(key, 'otp', 'row', 'seed')
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const altered = Buffer.from(sealed)
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => unseal(key, 'otp', 'row', altered)).toThrow(UnsealError)
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => unseal(key, 'otp', 'row', sealed.subarray(0, length))).toThrow(UnsealError)
    }
  })

  test('says nothing of its content in the error', () => {
    const sealed = seal(key, 'otp', 'row', 'seed')
    expect(() => unseal(key, 'otp', 'other', sealed)).toThrow(/^a sealed value of purpose 'otp' does not open/)
  })
})
