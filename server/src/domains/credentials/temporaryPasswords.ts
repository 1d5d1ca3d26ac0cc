// Temporary passwords: 16 random characters, valid for 24 hours, sent by mail (spec S1 §4).
import { type Clock, hours, later } from '../../clock.ts'
import { hashPassword } from './hashing.ts'
import { DEFAULT_RULES, randomPassword } from './passwordRules.ts'

export const TEMPORARY_HOURS = 24

export type TemporaryPassword = { text: string; hash: string; expireDT: Date }

/** Creates a temporary password. Slow: call it before the transaction, not inside. */
export async function temporaryPassword(clock: Clock): Promise<TemporaryPassword> {
  const text = randomPassword(DEFAULT_RULES)
  return { text, hash: await hashPassword(text), expireDT: later(clock.now(), hours(TEMPORARY_HOURS)) }
}
