// Keys of authenticators at rest: sealed, each for its account and column, so that one copied to another row does not open.

import { fail } from '../../core/errors.ts'
import { sealedRows } from '../../core/sealedRows.ts'
import { seal, UnsealError, unseal } from '../../crypto/seal.ts'
import type { SecretKey } from '../../crypto/secretKey.ts'

const PURPOSE = 'otp'
type Column = 'otpSecret' | 'otpPending'
const rowOf = (userIdx: number, column: Column) => `users:${userIdx}:${column}`

export const sealSecret = (key: SecretKey, userIdx: number, column: Column, secret: string): Buffer =>
  seal(key, PURPOSE, rowOf(userIdx, column), secret)

/** Opens a key. 115 where it was altered, belongs to another row, or was sealed with another secret key. */
export function openSecret(key: SecretKey, userIdx: number, column: Column, sealed: Buffer): string {
  try {
    return unseal(key, PURPOSE, rowOf(userIdx, column), sealed).toString('utf8')
  } catch (error) {
    if (error instanceof UnsealError) fail('OTP_FAILED')
    throw error
  }
}

const sealedColumn = (column: Column) =>
  sealedRows({ table: 'users', key: 'idx', column, purpose: PURPOSE, contextOf: ({ idx }) => rowOf(idx, column) })
export const sealedSecrets = [sealedColumn('otpSecret'), sealedColumn('otpPending')]
