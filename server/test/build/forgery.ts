// What somebody does to the history who owns the database: without triggers, and taken back after the test.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import type { Tx } from '../../src/db/open.ts'
import type { DB } from '../../src/db/schema.gen.ts'
import { headFile } from '../../src/domains/history/history.head.ts'

const TABLES = ['history', 'signIns', 'historySeals', 'historyOutlets', 'settings'] as const

async function columnsOf(db: Kysely<DB>, table: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select quote_ident(attname) as name from pg_attribute
    where attrelid = ${`"${table}"`}::regclass and attnum > 0 and attgenerated = '' and not attisdropped`.execute(db)
  return rows.map(({ name }) => name).join(', ')
}

/** Changes tables without their triggers. */
export const forging = (owner: Kysely<DB>, work: (tx: Tx) => Promise<unknown>): Promise<void> =>
  owner.transaction().execute(async (tx) => {
    const each = async (verb: 'disable' | 'enable') => {
      for (const table of TABLES) await sql`alter table ${sql.id(table)} ${sql.raw(verb)} trigger user`.execute(tx)
    }
    await each('disable')
    await work(tx)
    await each('enable')
  })

/** Copies the history, its seals and the head of the node; the returned functions restore them. */
export async function keepHistory(owner: Kysely<DB>, env: { dataDir: string }) {
  const suffix = `kept${Date.now()}${Math.floor(Math.random() * 1e6)}`
  const file = await readFile(headFile(env), 'utf8').catch(() => undefined)
  for (const table of TABLES)
    await sql`create table ${sql.id(table + suffix)} as select * from ${sql.id(table)}`.execute(owner)
  const putTables = () =>
    forging(owner, async (tx) => {
      for (const table of TABLES) {
        const columns = sql.raw(await columnsOf(tx, table))
        await sql`delete from ${sql.id(table)}`.execute(tx)
        await sql`insert into ${sql.id(table)} (${columns}) overriding system value
          select ${columns} from ${sql.id(table + suffix)}`.execute(tx)
      }
    })
  const putFile = () => (file === undefined ? rm(headFile(env), { force: true }) : writeFile(headFile(env), file))
  return { putTables, putFile, put: async () => void (await Promise.all([putTables(), putFile()])) }
}
