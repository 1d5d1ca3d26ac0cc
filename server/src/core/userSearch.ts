// How lists of users are searched and sorted, those of authorities and of the login policy included.
import { FilterType } from '@acc/contract/core/paging'
import type { UserFilter } from '@acc/contract/userInputs'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { searchedIn } from '../db/list.ts'
import type { DB } from '../db/schema.gen.ts'
import { contains, nameContains, readingOf } from '../db/search.ts'

type Where = ExpressionBuilder<DB, 'users'>

// An array, since with it each part of an OR has its index: of the groups so named, then of the texts.
const inGroupsNamed = (text: string) =>
  sql<SqlBool>`users."groupIdx" = any(array(select g.idx from groups g where ${nameContains('g.name', text)}))`

type Texts = Pick<UserFilter, 'filterType' | 'id' | 'name' | 'email' | 'groupName'>

/** Returns where users are searched for the text filters. */
export const searchUsersIn = ({ id, name, email, groupName }: Omit<Texts, 'filterType'>) =>
  searchedIn('users', [id, name, email, groupName])

/** Returns the condition of the text filters, combined by OR or by AND. */
export function named(eb: Where, { filterType, ...texts }: Texts): Expression<SqlBool> {
  const { id = '', name = '', email = '', groupName = '' } = texts
  const isAny = filterType === FilterType.SINGLE
  const reading = isAny ? readingOf([id, name, email].filter((text) => text !== '')) : 'index'
  const conditions = [
    ...(groupName === '' ? [] : [inGroupsNamed(groupName)]),
    ...(id === '' ? [] : [contains('users.id', id, reading)]),
    ...(name === '' ? [] : [nameContains('users.name', name, reading)]),
    ...(email === '' ? [] : [contains('users.email', email, reading)]),
  ]
  return isAny && conditions.length > 0 ? eb.or(conditions) : eb.and(conditions)
}

/**
 * Sort expressions of users, identical to those of the indexes; `groupName` needs a join with the groups. Users who never
 * signed in come first.
 */
export const USER_SORTS = {
  idx: sql.ref('users.idx'),
  id: sql`lower(users.id)`,
  name: sql`users.name collate people`,
  email: sql`lower(users.email)`,
  groupName: sql`groups.name collate people`,
  state: sql.ref('users.state'),
  expireDT: sql.ref('users.expireDT'),
  lastClientLoginDT: sql`coalesce(users."lastClientLoginDT", '-infinity')`,
}
