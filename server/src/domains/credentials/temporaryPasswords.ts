// Temporary passwords: 16 random characters, valid for 24 hours, sent by mail (spec S1 §4).
import { type Clock, hours, later } from '../../clock.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Reader } from '../../db/open.ts'
import { hashPassword } from './hashing.ts'
import { findPasswordRules, type PasswordRules, randomPassword } from './passwordRules.ts'

export const TEMPORARY_HOURS = 24

export type TemporaryPassword = { text: string; hash: string; expireDT: Date }

/** Creates a temporary password that the rules accept, without the words; `log` is for custom rules. */
export async function temporaryPasswordFor(
  rules: PasswordRules,
  words: readonly string[],
  { clock, log }: { clock: Clock; log?: HandlerServices['log'] },
): Promise<TemporaryPassword> {
  const text = await randomPassword(rules, log, words)
  // Rules without such a password are refused when they are set.
  if (text === undefined) throw new Error('no temporary password satisfies the password rules')
  return { text, hash: await hashPassword(text), expireDT: later(clock.now(), hours(TEMPORARY_HOURS)) }
}

/** Creates a temporary password under the rules in force. Slow: call it before the transaction, not inside. */
export const temporaryPassword = async (
  services: Pick<HandlerServices, 'clock' | 'log'>,
  db: Reader,
  words: readonly string[],
): Promise<TemporaryPassword> => temporaryPasswordFor(await findPasswordRules(db), words, services)
