// Versions of the configurations for desktop clients. The value that a change replaced is the version before it.
import { sql } from 'kysely'
import type { Reader, Tx } from '../../db/open.ts'
import type { ConfigKind } from './configTexts.format.ts'

export type ConfigVersion = { idx: number; text: string }

/** Returns the version in effect, or undefined if none was ever set. */
export const findConfig = (db: Reader, kind: ConfigKind): Promise<ConfigVersion | undefined> =>
  db
    .selectFrom('configTexts')
    .select(['idx', 'text'])
    .where('kind', '=', kind)
    .orderBy('idx', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Makes changes of a kind follow one another until the transaction ends. */
export const lockConfigs = async (tx: Tx, kind: ConfigKind): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(hashtext(${`configTexts:${kind}`}))`.execute(tx))

type NewVersion = { kind: ConfigKind; text: string; logDT: Date; actorIdx: number; actorId: string; actorName: string }
export const insertConfig = async (tx: Tx, version: NewVersion): Promise<number> =>
  (await tx.insertInto('configTexts').values(version).returning('idx').executeTakeFirstOrThrow()).idx

type Choice = { kind: ConfigKind; limit: number; maxLength: number; idx?: number | undefined }

/**
 * Returns the last changes of a kind, the oldest first, or the one with the idx. Former values are left out (null) once
 * those of later changes have `maxLength` bytes together.
 */
export async function findOldConfigs(db: Reader, { kind, limit, maxLength, idx }: Choice) {
  const rows = await db
    .with('versions', (cte) =>
      cte
        .selectFrom('configTexts')
        .select(['idx', 'logDT', 'actorId', 'actorName'])
        .select(sql<number | null>`lag(idx) over (order by idx)`.as('before'))
        .where('kind', '=', kind),
    )
    .with('shown', (cte) =>
      cte
        .selectFrom('versions')
        .selectAll()
        .$if(idx !== undefined, (query) => query.where('idx', '=', idx ?? 0))
        .orderBy('idx', 'desc')
        .limit(limit),
    )
    .selectFrom('shown')
    .leftJoin('configTexts as old', 'old.idx', 'shown.before')
    .select(['shown.idx', 'shown.logDT', 'shown.actorId', 'shown.actorName'])
    .select(
      sql<string | null>`case
        when sum(coalesce(octet_length(old.text), 0)) over (order by shown.idx desc) <= ${maxLength}
        then coalesce(old.text, '') end`.as('oldValue'),
    )
    .orderBy('shown.idx')
    .execute()
  return rows
}
