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
const fetchOf = (rows: number) => `fetch ${rows} from list`

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
  for await (const { rows } of fetchAll(pool, query, (client) => client.query<O>(fetchOf(BATCH)))) yield rows
}

const { INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, TIMESTAMPTZ } = pg.types.builtins
const NUMBERS: ReadonlySet<number> = new Set([INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC])
/** The parser of texts, which changes nothing. */
const asWritten = pg.types.getTypeParser(pg.types.builtins.TEXT)

type TextRow = (string | null)[]

/** Keeps the rows as they came: pg's own query copies each of them, and calls a parser for each value. */
class TextQuery extends pg.Query<never> {
  readonly texts: TextRow[] = []

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.texts.push(fields)
  }
}

const fetchTexts = (client: pg.PoolClient, rows: number) =>
  new Promise<{ fields: pg.FieldDef[]; rows: TextRow[] }>((resolve, reject) => {
    const query = new TextQuery(fetchOf(rows), (error, result) => {
      if (error) reject(error)
      else resolve({ fields: result.fields, rows: query.texts })
    })
    client.query(query)
  })

/** Values that are neither text nor number nor moment, of which a list has few. */
function parseOthers(fields: readonly pg.FieldDef[], rows: readonly TextRow[]): unknown[][] {
  const parsers = fields.flatMap(({ dataTypeID }, at) => {
    const parse = NUMBERS.has(dataTypeID) || dataTypeID === TIMESTAMPTZ ? asWritten : pg.types.getTypeParser(dataTypeID)
    return parse === asWritten ? [] : [{ at, parse }]
  })
  const parsed: unknown[][] = [...rows]
  for (const { at, parse } of parsers)
    for (const row of parsed) if (typeof row[at] === 'string') row[at] = parse(row[at])
  return parsed
}

/** Streams the rows as arrays of texts: half of the work of a large CSV file was making objects and dates of them. */
export async function* streamTexts(pool: StreamPool, query: CompiledQuery, batch = BATCH): AsyncIterable<TextRows> {
  for await (const { fields, rows } of fetchAll(pool, query, (client) => fetchTexts(client, batch))) {
    yield {
      names: fields.map(({ name }) => name),
      isNumber: fields.map(({ dataTypeID }) => NUMBERS.has(dataTypeID)),
      rows: parseOthers(fields, rows),
    }
  }
}
