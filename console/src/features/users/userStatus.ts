// What state an account is in, in one word, and why it cannot be used.
import { hasFlag, UserState } from '@acc/contract/enums'
import type { User } from '@acc/contract/users'
import type { Tone } from '../../kit/table/StatusDot.tsx'

type Account = Pick<User, 'state' | 'description'>
type Word = 'suspended' | 'expired' | 'temporary' | 'active'

export const isSuspended = ({ state }: Pick<User, 'state'>): boolean => hasFlag(state, UserState.DISABLED)

export function userStatus(user: Account): { word: Word; tone: Tone } {
  if (isSuspended(user)) return { word: 'suspended', tone: 'bad' }
  if (user.description.expired === 1) return { word: 'expired', tone: 'warn' }
  return hasFlag(user.state, UserState.NEW) ? { word: 'temporary', tone: 'accent' } : { word: 'active', tone: 'ok' }
}

type Reason = 'expired' | 'loginFails' | 'otpFails'

/** Why the account cannot be used, beyond an administrator's suspension. */
export function reasonsOf({ description }: Account): Reason[] {
  return [
    ...(description.loginFailsExceeded === 1 ? (['loginFails'] as const) : []),
    ...(description.otpFailsExceeded === 1 ? (['otpFails'] as const) : []),
    ...(description.expired === 1 ? (['expired'] as const) : []),
  ]
}
