// Rules for new passwords (spec S1 §5) and temporary passwords (§4). Presets are evaluated directly, custom rules in a
// thread.
import { randomInt } from 'node:crypto'
import type { PasswordRule } from '@acc/contract/configs'
import { findContextWord } from '@acc/contract/contextWords'
import { DEFAULT_RULES, PASSWORD_PRESETS } from '@acc/contract/labels/passwordRules'
import { type Clock, hours, later } from '../../clock.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Reader } from '../../db/open.ts'
import { findSetting } from '../../settings/settings.ts'
import { findMeeting } from './customRules.ts'
import { hashPassword } from './hashing.ts'

export type PasswordRules = { positiveRules: PasswordRule[]; negativeRules: PasswordRule[] }
/** Needed where there are custom rules. */
type Log = HandlerServices['log'] | undefined

/** Finds the rules in force. */
export const findPasswordRules = async (db: Reader): Promise<PasswordRules> =>
  (await findSetting(db, 'passwordRules')) ?? DEFAULT_RULES

const meets = (password: string, { preset }: PasswordRule): boolean =>
  preset === undefined || new RegExp(PASSWORD_PRESETS[preset].reg).test(password)
const violates = (password: string, { preset }: PasswordRule): boolean =>
  preset !== undefined && new RegExp(PASSWORD_PRESETS[preset].reg).test(password)

/** Returns whether a password meets the presets among the rules. */
export const meetsPresets = (password: string, { positiveRules, negativeRules }: PasswordRules): boolean =>
  positiveRules.every((rule) => meets(password, rule)) && !negativeRules.some((rule) => violates(password, rule))

const isCustom = ({ preset }: PasswordRule) => preset === undefined

/** Returns the first of some passwords that the rules accept. */
async function findSuitable(passwords: string[], rules: PasswordRules, log: Log): Promise<string | undefined> {
  const left = passwords.filter((password) => meetsPresets(password, rules))
  const custom = {
    positiveRules: rules.positiveRules.filter(isCustom),
    negativeRules: rules.negativeRules.filter(isCustom),
  }
  const hasCustom = custom.positiveRules.length + custom.negativeRules.length > 0
  return left.length > 0 && hasCustom ? findMeeting(left, custom, log) : left[0]
}

/** Returns whether a password may be used under the rules. */
export const isSuitable = async (password: string, rules: PasswordRules, log: Log): Promise<boolean> =>
  (await findSuitable([password], rules, log)) !== undefined

// Without letters and digits that look alike, since people read it from a mail.
const KINDS = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789', '!@#$%*?-_=+']
const ALL = KINDS.join('')
const pick = (from: string) => from.charAt(randomInt(from.length))

function drawPassword(length: number): string {
  const drawn = [...KINDS.map(pick), ...Array.from({ length: length - KINDS.length }, () => pick(ALL))]
  for (let i = drawn.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    ;[drawn[i], drawn[j]] = [drawn[j] ?? '', drawn[i] ?? '']
  }
  return drawn.join('')
}

/** Lengths and numbers of random passwords to try. Most rules accept one of the first. */
const DRAWS = [
  [16, 20],
  [16, 500],
  [24, 500],
  [32, 500],
  [64, 500],
  [12, 500],
] as const

/**
 * Returns a random password of about 95 bits that the rules accept and that contains none of the words; undefined if
 * none was found.
 */
export async function randomPassword(
  rules: PasswordRules,
  log?: Log,
  words: readonly string[] = [],
): Promise<string | undefined> {
  for (const [length, count] of DRAWS) {
    const drawn = Array.from({ length: count }, () => drawPassword(length))
    const apart = drawn.filter((password) => findContextWord(password, words) === undefined)
    const found = await findSuitable(apart, rules, log)
    if (found !== undefined) return found
  }
  return undefined
}

export const TEMPORARY_HOURS = 24

export type TemporaryPassword = { text: string; hash: string; expireDT: Date }

/** Creates a temporary password that the rules accept and that contains none of the words. */
export async function temporaryPasswordFor(
  rules: PasswordRules,
  words: readonly string[],
  { clock, log, ip }: { clock: Clock; log?: HandlerServices['log']; ip?: string },
): Promise<TemporaryPassword> {
  const text = await randomPassword(rules, log, words)
  // Such rules are rejected when they are set.
  if (text === undefined) throw new Error('no temporary password satisfies the password rules')
  return { text, hash: await hashPassword(text, ip), expireDT: later(clock.now(), hours(TEMPORARY_HOURS)) }
}

/** Creates a temporary password under the rules in force. It is slow and must not run inside a transaction. */
export const temporaryPassword = async (
  services: Pick<HandlerServices, 'clock' | 'log'> & { ip?: string },
  db: Reader,
  words: readonly string[],
): Promise<TemporaryPassword> => temporaryPasswordFor(await findPasswordRules(db), words, services)
