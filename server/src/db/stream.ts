// All rows of a query as objects, a batch at a time and at constant memory.
import type { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { ignoreRejection } from '../ignoreRejection.ts'

/** Connections for streams, each held as long as its reader takes. */
export type StreamPool = Pick<pg.Pool, 'connect'>

/** Rows of one fetch. */
export const BATCH = 500

/**
 * Streams rows from a cursor and fetches the next batch while the reader works on this one. Each fetch is a statement,
 * so the time limit of statements does not apply to the complete stream. A transaction that is idle for a minute ends.
 */
export async function* streamRows<O extends object>(
  pool: StreamPool,
  { sql, parameters }: CompiledQuery<O>,
  batch = BATCH,
): AsyncIterable<O[]> {
  const client = await pool.connect()
  const fetchNext = () => ignoreRejection(client.query<O>(`fetch ${batch} from list`))
  let coming: Promise<pg.QueryResult<O>> | undefined
  try {
    await client.query('start transaction read only')
    // All of the rows are wanted, not the first ones soon.
    await client.query('set local cursor_tuple_fraction = 1')
    await client.query(`declare list no scroll cursor for ${sql}`, [...parameters])
    coming = fetchNext()
    for (;;) {
      const { rows } = await coming
      if (rows.length === 0) return
      coming = fetchNext()
      yield rows
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
