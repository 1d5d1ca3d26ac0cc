// Whether a viewer has loaded the current groups and rights (spec S1 §8, code 982), and fields that only administrators
// set. The revision is a sequence, so raising it never waits for a lock. A viewer sends its revision with its calls.
import { Role } from '@acc/contract/labels/access'
import { sql } from 'kysely'
import type { Reader, Tx } from '../db/open.ts'
import type { Actor } from './context.ts'
import { Failure, fail } from './errors.ts'

// A sequence that was never raised has its first value already.
export const rightsRevision = sql<number>`(select last_value + is_called::int from "rightsRevision")`

async function findRightsRevision(db: Reader): Promise<number> {
  const row = await db.selectNoFrom(rightsRevision.as('revision')).executeTakeFirstOrThrow()
  return row.revision
}

/** Marks the groups and rights that viewers have loaded as out of date. */
export const raiseRightsRevision = async (tx: Tx): Promise<void> =>
  void (await sql`select nextval('"rightsRevision"')`.execute(tx))

/** Runs a call. Where it is denied to somebody whose groups are out of date, the answer is to load them again. */
export async function explainDenied<T>(db: Reader, revision: unknown, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isDenied = error instanceof Failure && error.error === 'NOT_ALLOWED'
    if (!isDenied || typeof revision !== 'string' || !/^\d{1,15}$/.test(revision)) throw error
    if (Number(revision) === (await findRightsRevision(db))) throw error
    throw new Failure('GROUP_RIGHTS_CHANGED', undefined, { cause: error })
  }
}

/** Only system administrators set the keys of users and groups in an external directory. */
export function requireKeyAllowed({ role }: Pick<Actor, 'role'>, key: string | undefined): void {
  if (key !== undefined && role !== Role.ADMIN) fail('NOT_ALLOWED')
}
