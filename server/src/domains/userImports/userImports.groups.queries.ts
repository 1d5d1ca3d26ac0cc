// The groups that an author reaches, for paths.
import { Level } from '@acc/contract/labels/access'
import { sql } from 'kysely'
import { scopeOf, type Viewer } from '../../core/scope.ts'
import type { Reader } from '../../db/open.ts'

/** Finds the groups that a viewer may fill with people, parents first, and whether groups may be added below them. */
export const findReachedGroups = (db: Reader, viewer: Viewer) => {
  const [users, policies] = [scopeOf(viewer, 'user', Level.EDIT), scopeOf(viewer, 'policy', Level.EDIT)]
  return db
    .selectFrom('groups')
    .leftJoin(
      (eb) => eb.selectFrom('groups').select('idx').where('isDmsParent', '=', 1).limit(1).as('dms'),
      (join) => join.onTrue(),
    )
    .select([
      'groups.idx',
      'groups.parentIdx',
      'groups.name',
      'groups.key',
      sql<number>`cardinality(groups.path)`.as('depth'),
    ])
    .select((eb) => [
      // Partner groups are created by hand alone, as in `POST /Group`.
      sql<boolean>`${policies(eb.ref('groups.idx'))}
        and not coalesce(dms.idx = any(groups.path) and dms.idx <> groups.idx, false)`.as('isAddable'),
    ])
    .where((eb) => users(eb.ref('groups.idx')))
    .orderBy(sql`cardinality(groups.path)`)
    .orderBy('groups.position')
    .orderBy('groups.idx')
    .execute()
}
