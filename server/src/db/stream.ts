// All rows of a query, some hundred at a time and at constant memory, as objects or as PostgreSQL writes them.
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { ignoreRejection } from '../ignoreRejection.ts'

/** Connections for streams, each held as long as its reader takes. */
export type StreamPool = Pick<pg.Pool, 'connect'>

/** Rows without the cost of objects: numbers and moments stay text. */
export type TextRows = { names: string[]; isNumber: boolean[]; rows: unknown[][] }

/** Rows of one fetch. */
const BATCH = 1000
const FETCH = `fetch ${BATCH} from list`

/**
 * Fetches from a cursor, the next rows while the reader works on these. Each fetch is a statement, so the time limit of
 * statements does not apply to the whole stream; a transaction that is idle for a minute ends.
 */
async function* fetchAll<R extends { rows: unknown[] }>(
  pool: StreamPool,
  { sql, parameters }: CompiledQuery,
  fetch: (client: pg.PoolClient) => Promise<R>,
): AsyncIterable<R> {
  const client = await pool.connect()
  const fetchNext = () => ignoreRejection(fetch(client))
  let coming: Promise<R> | undefined
  try {
    await client.query('start transaction read only')
    // All of the rows are wanted, not the first ones soon.
    await client.query('set local cursor_tuple_fraction = 1')
    await client.query(`declare list no scroll cursor for ${sql}`, [...parameters])
    coming = fetchNext()
    for (;;) {
      const result: R = await coming
      if (result.rows.length === 0) return
      coming = fetchNext()
      yield result
    }
  } finally {
    await coming?.catch(() => undefined)
    await client.query('rollback').then(
      () => client.release(),
      // The pool replaces a connection that cannot end its transaction.
      () => client.release(true),
    )
  }
}

/** Streams the rows as objects. */
export async function* streamRows<O extends object>(pool: StreamPool, query: CompiledQuery<O>): AsyncIterable<O[]> {
  for await (const { rows } of fetchAll(pool, query, (client) => client.query<O>(FETCH))) yield rows
}

const { INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, TIMESTAMPTZ } = pg.types.builtins
const NUMBERS: ReadonlySet<number> = new Set([INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC])
const asWritten = (text: string) => text
const TEXT_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    NUMBERS.has(oid) || oid === TIMESTAMPTZ ? asWritten : pg.types.getTypeParser(oid, format),
}

/** Streams the rows as arrays of texts: half of the work of a large CSV file was making objects and dates of them. */
export async function* streamTexts(pool: StreamPool, query: CompiledQuery): AsyncIterable<TextRows> {
  const fetch = (client: pg.PoolClient) => client.query<unknown[]>({ text: FETCH, rowMode: 'array', types: TEXT_TYPES })
  for await (const { fields, rows } of fetchAll(pool, query, fetch)) {
    yield {
      names: fields.map(({ name }) => name),
      isNumber: fields.map(({ dataTypeID }) => NUMBERS.has(dataTypeID)),
      rows,
    }
  }
}
