// Sealed columns, for the rotation of the secret key: each domain names its own.
import { type Kysely, type Selectable, sql } from 'kysely'
import type { DB } from '../db/schema.gen.ts'

export type SealedRow = {
  idx: number
  sealed: Buffer
  /** What the value is bound to. */
  context: string
}

export type SealedRows = {
  table: string
  /** The column that names a row. */
  key: string
  column: string
  purpose: string
  /** Finds rows that have a value, from behind one on, in the order of the key. */
  find(db: Kysely<DB>, range: { after: number; limit: number }): Promise<SealedRow[]>
}

type Definition<T extends keyof DB> = {
  table: T & string
  key: keyof DB[T] & string
  column: keyof DB[T] & string
  purpose: string
  contextOf(row: Selectable<DB[T]>): string
}

/** Names a sealed column of a table. */
export const sealedRows = <T extends keyof DB>({ contextOf, ...definition }: Definition<T>): SealedRows => ({
  ...definition,
  find: async (db, { after, limit }) => {
    const [table, key, column] = [sql.table(definition.table), sql.ref(definition.key), sql.ref(definition.column)]
    const { rows } = await sql<Selectable<DB[T]> & { sealedIdx: number; sealedValue: Buffer }>`
      select *, ${key} as "sealedIdx", ${column} as "sealedValue" from ${table}
      where ${column} is not null and ${key} > ${after} order by ${key} limit ${limit}`.execute(db)
    return rows.map((row) => ({ idx: row.sealedIdx, sealed: row.sealedValue, context: contextOf(row) }))
  },
})
