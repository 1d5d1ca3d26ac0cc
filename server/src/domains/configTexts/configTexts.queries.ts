// Versions of the configurations for desktop clients. The value that a change replaced is the version before it.
import { sql } from 'kysely'
import type { Reader, Tx } from '../../db/open.ts'
import { ConfigKind } from './configTexts.format.ts'

type ConfigVersion = { idx: number; text: string }

/** Returns the version in effect, or undefined if none was ever set. */
export const findConfig = (db: Reader, kind: ConfigKind): Promise<ConfigVersion | undefined> =>
  db
    .selectFrom('configTexts')
    .select(['idx', 'text'])
    .where('kind', '=', kind)
    .orderBy('idx', 'desc')
    .limit(1)
    .executeTakeFirst()

const inEffect = <T>(kind: ConfigKind, column: 'idx' | 'text', none: T) =>
  sql<T>`coalesce((
    select ${sql.ref(column)} from "configTexts" where kind = ${sql.lit(kind)} order by idx desc limit 1), ${sql.lit(none)})`
const { SITE_CONFIG, CLIENT_POLICY } = ConfigKind
/** The versions in effect and the host server address, as additional columns of any statement. */
export const VERSION_COLUMNS = [
  inEffect(SITE_CONFIG, 'idx', 0).as('siteVersion'),
  inEffect(CLIENT_POLICY, 'idx', 0).as('clientVersion'),
  sql<string | null>`(select value #>> '{}' from settings where name = 'hostServerAddress')`.as('host'),
] as const

/** The texts in effect, of up to 2 MiB each. */
export const TEXT_COLUMNS = [
  inEffect(SITE_CONFIG, 'text', '').as('siteConfig'),
  inEffect(CLIENT_POLICY, 'text', '').as('clientPolicy'),
] as const

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
