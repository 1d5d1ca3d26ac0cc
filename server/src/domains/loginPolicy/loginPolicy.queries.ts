// Users whose OTP setting differs from the default one.
import type { loginPolicy, OtpExceptionUser } from '@acc/contract/loginPolicy'
import { sql } from 'kysely'
import type { z } from 'zod'
import { isManager } from '../../core/grants.ts'
import { USER_SORTS, USER_TEXTS } from '../../core/userSearch.ts'
import { filterBy } from '../../db/filters.ts'
import { type List, listOf, mapList, searchedIn } from '../../db/list.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { roleOf } from '../session/session.service.ts'

const groupName = sql<string>`(select g.name from groups g where g.idx = users."groupIdx")`

type Query = z.output<typeof loginPolicy.searchOtpExceptions.input>

export function listExceptions(db: Reader, query: Query): List<z.input<typeof OtpExceptionUser>> {
  const { condition, texts } = filterBy(query, USER_TEXTS, { useOtp: (useOtp) => sql`users."useOtp" = ${useOtp}` })
  const matches = db
    .selectFrom('users')
    .select(['users.idx', 'users.id', 'users.name', 'users.email', 'users.expireDT', 'users.isAdmin'])
    .select([
      groupName.as('groupName'),
      isManager(sql.ref('users.idx')).as('isManager'),
      sql<0 | 1>`users."useOtp"`.as('useOtp'),
    ])
    .where('users.useOtp', 'is not', null)
    .where(condition)
    .$if(query.sort === 'groupName', (users) => users.innerJoin('groups', 'groups.idx', 'users.groupIdx'))
  const list = listOf(db, query, { matches, sorts: USER_SORTS, searchIn: searchedIn('users', texts) })
  return mapList(list, ({ isAdmin, isManager, ...user }) => ({ ...user, role: roleOf({ isAdmin, isManager }) }))
}

/** Locks users in the order of their idxes and returns the columns for the lists of exceptions. */
export const lockCandidates = (tx: Tx, idxes: readonly number[]) =>
  tx
    .selectFrom('users')
    .select(['idx', 'id', 'name', 'email', 'groupIdx', 'isAdmin', 'useOtp', groupName.as('groupName')])
    .where('idx', '=', sql<number>`any(${idxes})`)
    .orderBy('idx')
    .forNoKeyUpdate()
    .execute()
export type Candidate = Awaited<ReturnType<typeof lockCandidates>>[number]

/** Counts the users without an exception. */
export async function countWithoutException(db: Reader): Promise<number> {
  const counted = db.selectFrom('users').select((eb) => eb.fn.countAll<number>().as('count'))
  return (await counted.where('useOtp', 'is', null).executeTakeFirstOrThrow()).count
}
