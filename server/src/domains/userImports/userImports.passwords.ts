// Temporary passwords of imported people: mailed after the import at a bounded rate, since each costs a hash.
import { asSystem } from '../../core/job.ts'
import { findUsers, notifyUsers } from '../../core/people.ts'
import type { Services } from '../../core/services.ts'
import { findContextWords } from '../configs/configs.contextWords.ts'
import { isDisabled } from '../credentials/accountStates.ts'
import { temporaryPassword } from '../credentials/passwordRules.ts'
import { updateUsers } from '../users/users.queries.ts'
import { mailTemporaryPassword, newStateOf } from '../users/users.signIn.ts'
import { findWaitingPasswords, lockWithoutPassword, updatePasswordSettled } from './userImports.queries.ts'

/** Passwords of one run of the job, which runs each minute. */
export const PASSWORDS_A_MINUTE = 200

/** Mails one person a temporary password, unless they are suspended or have a password by now. */
async function mailPassword(services: Services, rowIdx: number, userIdx: number): Promise<void> {
  const { db } = services
  const [person] = await findUsers(db.read, [userIdx])
  const words = person && (await findContextWords(db.read, services, person))
  const password = words && (await temporaryPassword(services, db.read, words))
  await asSystem(services, async (tx) => {
    // Another node may have settled it.
    const isDue = await updatePasswordSettled(tx, rowIdx)
    const user = isDue ? await lockWithoutPassword(tx, userIdx) : undefined
    if (user === undefined || isDisabled(user) || password === undefined) return { result: undefined }
    await updateUsers(tx, [userIdx], newStateOf(password))
    await mailTemporaryPassword(tx, services, user, password.text, 'created')
    await notifyUsers(tx, [user])
    return { result: undefined }
  })
}

/** Mails the next temporary passwords. */
export async function mailPasswords(services: Services): Promise<void> {
  for (const { idx, userIdx } of await findWaitingPasswords(services.db.read, PASSWORDS_A_MINUTE))
    await mailPassword(services, idx, userIdx ?? 0)
}
