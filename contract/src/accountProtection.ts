// What accounts do for their own protection; an addition to the specification.
import { z } from 'zod'
import { flag } from './core/fields.ts'

/** Former passwords that are kept of an account, and compared at most. */
export const MAX_PASSWORD_HISTORY = 10

/** The least days after which a password must be changed: the most that a change may be refused as too soon. */
export const MIN_MAX_PASSWORD_DAYS = 30

export const AccountProtection = z.object({
  /** A new password differs from this many last ones, the current one included; 0 allows all. */
  passwordHistory: z.int().min(0).max(MAX_PASSWORD_HISTORY),
  /** Days before a person may change an own password again; temporary ones are changed at any time. 0 is no limit. */
  minPasswordDays: z.int().min(0).max(MIN_MAX_PASSWORD_DAYS),
  /** Days after which a password must be changed to open a session; 0 never. Never shorter than minPasswordDays. */
  maxPasswordDays: z
    .int()
    .min(0)
    .max(3650)
    .refine((days) => days === 0 || days >= MIN_MAX_PASSWORD_DAYS, 'tooSmall'),
  /** 1: common passwords are refused. */
  commonPasswords: flag,
  /** 1: passwords with words of the product, the organization or the person are refused. */
  contextWords: flag,
  /** 1: people get a mail 7 days and 1 day before their account expires. */
  expiryReminders: flag,
  /** 1: people get a mail when their password, authenticator or email address was changed. */
  changeMails: flag,
  /** Accounts unused for so many days are suspended, 7 days after a mail; 0 suspends none. */
  dormantDays: z
    .int()
    .min(0)
    .max(3650)
    .refine((days) => days === 0 || days >= 30, 'tooSmall'),
})
export type AccountProtection = z.output<typeof AccountProtection>

export const DEFAULT_PROTECTION: AccountProtection = {
  passwordHistory: 3,
  minPasswordDays: 0,
  maxPasswordDays: 0,
  commonPasswords: 1,
  contextWords: 1,
  expiryReminders: 1,
  changeMails: 1,
  dormantDays: 0,
}
