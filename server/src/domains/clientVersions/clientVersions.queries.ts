// Client versions as rows, with what the file store keeps their files under.
import type { clientVersions } from '@acc/contract/clientVersions'
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { filterBy } from '../../db/filters.ts'
import { type List, listOf } from '../../db/list.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { ClientVersions } from '../../db/schema.gen.ts'
import { contains, nameContains } from '../../db/search.ts'

export type VersionRow = Selectable<ClientVersions>
type ListedVersion = Omit<VersionRow, 'storeName' | 'wrappedKey'>

const LISTED = ['idx', 'version', 'fileName', 'fileSize', 'sha256', 'uploadDT', 'isDeploy'] as const

type Query = z.output<typeof clientVersions.search.input>

const SORTS = {
  idx: sql.ref('idx'),
  version: sql`string_to_array(version, '.')::int[]`,
  fileName: sql`"fileName" collate people`,
  fileSize: sql.ref('fileSize'),
  uploadDT: sql.ref('uploadDT'),
  isDeploy: sql.ref('isDeploy'),
}

/** The versions whose number or file name contains the keyword. */
export function listVersions(db: Reader, query: Query): List<ListedVersion> {
  const keyword = (text: string) => sql<SqlBool>`(${contains('version', text)} or ${nameContains('fileName', text)})`
  const { condition } = filterBy(query, { keyword }, {})
  return listOf(db, query, { matches: db.selectFrom('clientVersions').select(LISTED).where(condition), sorts: SORTS })
}

const select = (db: Reader) => db.selectFrom('clientVersions').selectAll()

export const findVersion = (db: Reader, version: string): Promise<VersionRow | undefined> =>
  select(db).where('version', '=', version).executeTakeFirst()

export const findDeployed = (db: Reader): Promise<VersionRow | undefined> =>
  select(db).where('isDeploy', '=', 1).executeTakeFirst()

export const insertVersion = (tx: Tx, row: Insertable<ClientVersions>): Promise<VersionRow> =>
  tx.insertInto('clientVersions').values(row).returningAll().executeTakeFirstOrThrow()

// Advisory lock, held until the transaction ends: which version is deployed changes once at a time.
const DEPLOY_LOCK = 4_801_004
export const lockDeployment = (tx: Tx) => sql`select pg_advisory_xact_lock(${DEPLOY_LOCK})`.execute(tx)

/** Deploys one version in place of all others. */
export async function updateDeployed(tx: Tx, idx: number): Promise<void> {
  await tx.updateTable('clientVersions').set({ isDeploy: 0 }).where('isDeploy', '=', 1).execute()
  await tx.updateTable('clientVersions').set({ isDeploy: 1 }).where('idx', '=', idx).execute()
}

export const deleteVersion = (tx: Tx, idx: number) => tx.deleteFrom('clientVersions').where('idx', '=', idx).execute()

/** Returns which of these names in the file store belong to a version. */
export async function findVersionNames(db: Reader, names: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('clientVersions')
    .select('storeName')
    .where('storeName', '=', sql<string>`any(${names}::text[])`)
    .execute()
  return new Set(rows.map(({ storeName }) => storeName))
}
