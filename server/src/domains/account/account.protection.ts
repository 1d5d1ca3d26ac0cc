// What a new password must be besides suitable: free of names around its owner, not one of the last ones, and not set too
// soon after the current one.
import type { AccountProtection } from '@acc/contract/accountProtection'
import { findContextWord } from '@acc/contract/contextWords'
import { days, later } from '../../clock.ts'
import { fail } from '../../core/errors.ts'
import { findContextWords } from '../configs/configs.contextWords.ts'
import { isNew } from '../credentials/credentials.queries.ts'
import { findPasswords } from '../credentials/formerPasswords.ts'
import { matchesHash, withHashingSlot } from '../credentials/hashing.ts'
import type { VerifiedPassword } from '../credentials/signInAttempts.ts'
import type { AccountContext } from './account.history.ts'

/** Ends the call with 108 and the word. */
export function requireNoContextWord(newPw: string, words: readonly string[]): void {
  const word = findContextWord(newPw, words)
  if (word !== undefined) fail('UNSUITABLE_PASSWORD', { reason: 'context', word })
}

/** Ends the call with 108 and its reason. A temporary password is replaced at any time. */
export async function requireProtected(
  { services, read }: AccountContext,
  { passwordHistory, minPasswordDays, contextWords }: AccountProtection,
  { account, usedTemporary }: VerifiedPassword,
  newPw: string,
): Promise<void> {
  if (contextWords === 1) requireNoContextWord(newPw, await findContextWords(read, services, account))
  const { hashes, setDT } = await findPasswords(read, account.idx, passwordHistory)
  const isLimited = minPasswordDays > 0 && !usedTemporary && !isNew(account)
  if (isLimited && setDT !== null && later(setDT, days(minPasswordDays)) > services.clock.now())
    fail('UNSUITABLE_PASSWORD', { reason: 'tooSoon', days: minPasswordDays })
  for (const hash of hashes)
    if (await withHashingSlot(() => matchesHash(hash, newPw)))
      fail('UNSUITABLE_PASSWORD', { reason: 'former', count: passwordHistory })
}
