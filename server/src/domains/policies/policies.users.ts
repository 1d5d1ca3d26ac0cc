// The users of a group, as viewers of policies without access to users see them.
import type { PolicyUser, policies } from '@acc/contract/policies'
import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { USER_SORTS, USER_TEXTS } from '../../core/userSearch.ts'
import { filterBy } from '../../db/filters.ts'
import { type List, listOf } from '../../db/list.ts'
import type { Reader } from '../../db/open.ts'
import { readingOf } from '../../db/search.ts'

export type PolicyUserQuery = z.output<typeof policies.searchUsers.input>

/** The users of one group whose ID or name contains a text. */
export function listPolicyUsers(db: Reader, query: PolicyUserQuery): List<PolicyUser> {
  const { id, name } = USER_TEXTS
  const search = (text: string) => sql<SqlBool>`(${id(text, readingOf([text]))} or ${name(text, readingOf([text]))})`
  const groupIdx = (idx: number) => sql<SqlBool>`users."groupIdx" = ${idx}`
  const { condition } = filterBy(query, { search }, { groupIdx })
  const columns = ['users.idx', 'users.id', 'users.name', 'users.isMyPolicy', 'users.isSinglePC'] as const
  return listOf(db, query, { matches: db.selectFrom('users').select(columns).where(condition), sorts: USER_SORTS })
}
