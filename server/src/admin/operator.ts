// The operator as the author of changes.
import { userInfo } from 'node:os'
import texts from '@acc/contract/labels/errors.en'
import { systemClock } from '../clock.ts'
import { type Author, change } from '../core/change.ts'
import { Failure } from '../core/errors.ts'
import type { Database } from '../db/open.ts'
import { failure } from './commandLine.ts'

/** The author of the history rows: no ID of a user looks like this. The name is that of the account that ran the command. */
export const operator = (): Author => ({
  idx: null,
  id: '[acc-admin]',
  name: userInfo().username,
  groupName: '',
  ip: '',
})

export const changeAsOperator: <T>(db: Database, work: Parameters<typeof change<T>>[2]) => Promise<T> = async (
  db,
  work,
) => {
  try {
    return await change(db, { author: operator(), now: systemClock.now }, work)
  } catch (error) {
    throw error instanceof Failure ? failure(texts[error.error]) : error
  }
}
