// Stored files that the database names, and those of them whose bytes were found altered or missing.

import { RequestState } from '@acc/contract/labels/requests'
import type { DamagedFile } from '@acc/contract/systemStatus'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Reader, Tx } from '../../db/open.ts'
import type { StoredFile } from '../../files/fileStore.ts'
import { storedOf as storedVersion } from '../clientVersions/clientVersions.files.ts'
import { storedOf } from '../requests/requests.files.ts'

/** A complete file that the database names; `of` names its row. */
export type NamedFile = { of: string; fileName: string; file: StoredFile }

/** Returns files of requests in the order of their numbers. Canceled requests and removed files have none. */
export async function findRequestFiles(
  db: Reader,
  after: number,
  limit: number,
): Promise<(NamedFile & { idx: number })[]> {
  const rows = await db
    .selectFrom('requestFiles as f')
    .innerJoin('fileEximports as r', 'r.idx', 'f.fileEximportIdx')
    .selectAll('f')
    .select('r.requesterName')
    .where('f.isUploaded', '=', 1)
    .where('r.state', '<>', RequestState.CANCELED)
    .where('r.filesRemovedDT', 'is', null)
    .where('f.idx', '>', after)
    .orderBy('f.idx')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    idx: row.idx,
    of: `request ${row.fileEximportIdx} of ${row.requesterName}`,
    fileName: row.fileName,
    file: storedOf(row),
  }))
}

export async function findVersionFiles(db: Reader): Promise<NamedFile[]> {
  const rows = await db.selectFrom('clientVersions').selectAll().orderBy('idx').execute()
  return rows.map((row) => ({ of: `client version ${row.version}`, fileName: row.fileName, file: storedVersion(row) }))
}

/** Rows that are read at once. */
const BATCH = 1000

/** Yields every complete file that the database names. */
export async function* findNamedFiles(db: Reader): AsyncGenerator<NamedFile> {
  for (let after = 0; ; ) {
    const files = await findRequestFiles(db, after, BATCH)
    yield* files
    after = files.at(-1)?.idx ?? after
    if (files.length < BATCH) break
  }
  yield* await findVersionFiles(db)
}

type Named = { storeName: string; fileEximportIdx: number | null; version: string | null; fileName: string }

/** The rows that name stored files, or the one of `storeName`, with the words for them. */
const namedBy = (storeName?: Expression<string>) => {
  const isWanted = storeName === undefined ? sql`true` : sql`"storeName" = ${storeName}`
  return sql<Named>`(
  select f."storeName", f."fileEximportIdx", null as version, f."fileName"
  from "requestFiles" f join "fileEximports" r on r.idx = f."fileEximportIdx"
  where f."isUploaded" = 1 and r.state <> ${sql.lit(RequestState.CANCELED)} and r."filesRemovedDT" is null and ${isWanted}
  union all select "storeName", null, version, "fileName" from "clientVersions" where ${isWanted})`
}

export type DamageReason = DamagedFile['reason']

/** Records a file that a row names, once; returns whether it is new. */
export async function insertDamaged(tx: Tx, storeName: string, reason: DamageReason, findDT: Date): Promise<boolean> {
  const row = await tx
    .insertInto('damagedFiles')
    .columns(['storeName', 'reason', 'findDT'])
    .expression((eb) =>
      eb
        .selectFrom(namedBy(eb.val(storeName)).as('named'))
        .select([
          'named.storeName',
          sql<DamageReason>`${reason}::text`.as('reason'),
          sql<Date>`${findDT}::timestamptz`.as('findDT'),
        ]),
    )
    .onConflict((conflict) => conflict.column('storeName').doNothing())
    .returning('storeName')
    .executeTakeFirst()
  return row !== undefined
}

export const deleteDamaged = async (tx: Tx, storeName: string): Promise<void> =>
  void (await tx.deleteFrom('damagedFiles').where('storeName', '=', storeName).execute())

export const isDamaged = async (db: Reader, storeName: string): Promise<boolean> =>
  (await db.selectFrom('damagedFiles').select('storeName').where('storeName', '=', storeName).executeTakeFirst()) !==
  undefined

type FoundDamage = Omit<DamagedFile, 'findDT'> & { storeName: string; findDT: Date }

// Lateral: a few damaged files are looked up, and millions of stored ones are not read.
const selectDamaged = (db: Reader) =>
  db
    .selectFrom('damagedFiles as d')
    .innerJoinLateral(namedBy(sql.ref('d.storeName')).as('named'), (join) => join.onTrue())

export const countDamaged = async (db: Reader): Promise<number> =>
  (
    await selectDamaged(db)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count

/** Returns damaged files that rows still name, the newest findings first. */
export const findDamaged = (db: Reader, limit: number, storeName?: string): Promise<FoundDamage[]> =>
  selectDamaged(db)
    .$if(storeName !== undefined, (query) => query.where('d.storeName', '=', storeName ?? ''))
    .select([
      'd.storeName',
      sql<DamageReason>`d.reason`.as('reason'),
      'd.findDT',
      'named.fileEximportIdx',
      'named.version',
      'named.fileName',
    ])
    .orderBy('d.findDT', 'desc')
    .orderBy('d.storeName')
    .limit(limit)
    .execute()

/** Deletes the records of files that no row names any more. */
export const deleteUnnamed = async (tx: Tx): Promise<void> =>
  void (await tx
    .deleteFrom('damagedFiles')
    .where(sql<SqlBool>`not exists (select from ${namedBy(sql.ref('damagedFiles.storeName'))} named)`)
    .execute())

/** Counts the complete files that the database names. */
export const countNamed = async (db: Reader): Promise<number> =>
  (
    await db
      .selectFrom(namedBy().as('named'))
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count
