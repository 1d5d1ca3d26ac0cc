// Inserts authorities and their members: `buildManager(app.db, { groups: [sales], user: 2 })`.
import { NO_PAGE_AUTH, type PageAuth } from '@acc/contract/core/access'
import type { Database } from '../../src/db/open.ts'
import { type BuiltUser, buildUser, type UserToBuild } from './users.ts'

export type BuiltAuthority = { idx: number; name: string }
type AuthorityToBuild = Partial<PageAuth> & {
  groups: readonly { idx: number }[]
  users?: readonly { idx: number }[]
  name?: string
  description?: string
}

let built = 0

/** Inserts an authority with the given levels on the groups and their subgroups; other levels are 0. */
export async function buildAuthority(
  db: Database,
  { groups, users = [], name = `Authority ${++built}`, ...columns }: AuthorityToBuild,
): Promise<BuiltAuthority> {
  return db.write.transaction().execute(async (tx) => {
    const authority = await tx
      .insertInto('authorities')
      .values({ ...NO_PAGE_AUTH, name, ...columns })
      .returning(['idx', 'name'])
      .executeTakeFirstOrThrow()
    const authorityIdx = authority.idx
    if (groups.length > 0)
      await tx
        .insertInto('authorityGroups')
        .values(groups.map(({ idx }) => ({ authorityIdx, groupIdx: idx })))
        .execute()
    if (users.length > 0)
      await tx
        .insertInto('authorityUsers')
        .values(users.map(({ idx }) => ({ authorityIdx, userIdx: idx })))
        .execute()
    return authority
  })
}

type ManagerToBuild = Partial<PageAuth> & { groups: readonly { idx: number }[]; as?: UserToBuild }

/**
 * Inserts a user with an own authority on the groups. The user is in the root, outside most authorities, unless `as`
 * names another group: `as: { group: sales }`.
 */
export async function buildManager(
  db: Database,
  { as = {}, ...authority }: ManagerToBuild,
): Promise<BuiltUser & { authorityIdx: number }> {
  const user = await buildUser(db, as)
  const { idx } = await buildAuthority(db, { ...authority, users: [user] })
  return { ...user, authorityIdx: idx }
}
