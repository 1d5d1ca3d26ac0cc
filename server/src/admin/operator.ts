// The operator as the author of changes.
import { userInfo } from 'node:os'
import texts from '@acc/contract/core/errors.en'
import { systemClock } from '../clock.ts'
import { type Author, change } from '../core/change.ts'
import { Failure } from '../core/errors.ts'
import type { Database } from '../db/open.ts'
import { failure } from './commandLine.ts'

/** Returns the author of the history rows: an ID that no user can have, with the name of the system account. */
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
