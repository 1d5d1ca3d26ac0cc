// How lists of users are searched and sorted, those of authorities and of the login policy included.
import { sql } from 'kysely'
import { contains, nameContains, type Reading, refersTo } from '../db/search.ts'

/** The text filters of users. */
export const USER_TEXTS = {
  id: (text: string, reading: Reading) => contains('users.id', text, reading),
  name: (text: string, reading: Reading) => nameContains('users.name', text, reading),
  email: (text: string, reading: Reading) => contains('users.email', text, reading),
  groupName: (text: string) => refersTo('users.groupIdx', 'groups', nameContains('groups.name', text)),
}

/**
 * Sort expressions of users, identical to those of the indexes. `groupName` needs a join with the groups. Users who
 * never signed in are first.
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
