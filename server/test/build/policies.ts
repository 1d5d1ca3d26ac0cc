// Inserts own policies: `buildPolicy(app.db, { group: sales, fileExport: 2 })`.
import { ROOT_GROUP } from '@acc/contract/groups'
import { ExceptionType, FileExport, Permission } from '@acc/contract/labels/policies'
import { DEFAULT_POLICY, type PolicyValues } from '@acc/contract/policyValues'
import type { Database } from '../../src/db/open.ts'

/** A new network exception, as an edit sends it. */
export const PORTAL_EXCEPTION = {
  idx: -1,
  description: 'Portal',
  type: ExceptionType.DOMAIN,
  ip1: 'portal.example.com',
  ip2: '',
  port: 443,
  access: Permission.ALLOW,
} as const

type PolicyToBuild = Partial<PolicyValues> &
  ({ group: { idx: number }; user?: never } | { user: { idx: number }; group?: never })

/** Gives a group or a user an own policy: the given values, the others as initially in the root. */
export async function buildPolicy(
  db: Database,
  { group, user, ...values }: PolicyToBuild,
): Promise<{ idx: number; revision: number }> {
  return db.write.transaction().execute(async (tx) => {
    const owner = group ? { groupIdx: group.idx } : { userIdx: user?.idx }
    await tx
      .updateTable(group ? 'groups' : 'users')
      .set({ isMyPolicy: 1 })
      .where('idx', '=', group?.idx ?? user?.idx ?? 0)
      .execute()
    return tx
      .insertInto('policies')
      .values({ ...owner, ...DEFAULT_POLICY, ...values })
      .returning(['idx', 'revision'])
      .executeTakeFirstOrThrow()
  })
}

/** Lets exports of people without a stricter policy wait for approval: the root blocks them at first. */
export const openExports = (db: Database) =>
  db.write.updateTable('policies').set({ fileExport: FileExport.APPROVAL }).where('groupIdx', '=', ROOT_GROUP).execute()
