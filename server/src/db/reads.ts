// Which call holds which connection for reading, so that the statements of a call whose caller has gone can be ended.
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import type { StreamPool } from './stream.ts'

/** The caller closed the connection before the response: nobody reads what became of the call. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone'
}

/** The reads of one call. */
export type Reads = { isEnded: boolean }

const current = new AsyncLocalStorage<Reads>()
const holders = new Map<pg.PoolClient, Reads>()

/** Runs a call's work: the connections that it takes for reading are held by `reads`. */
export const runReads = <T>(reads: Reads, work: () => T): T => current.run(reads, work)

/** Takes a connection for reading and notes which call holds it. */
export async function connectForReads(pool: Pick<pg.Pool, 'connect'>, reads = current.getStore()) {
  const client = await pool.connect()
  if (reads === undefined) return client
  if (reads.isEnded) {
    client.release()
    throw new CallerGone()
  }
  holders.set(client, reads)
  return client
}

/** Notes which connections of a pool are no longer held. */
export const followReleases = (pool: pg.Pool) => void pool.on('release', (_error, client) => holders.delete(client))

/** Connections for streams, held by a call: a stream outlives the work of its call. */
export const streamsOf = (reads: Reads, streams: StreamPool): StreamPool => ({
  connect: () => connectForReads(streams, reads),
})

/**
 * Ends the statements of a call by closing their connections, which the pool replaces. PostgreSQL notices a closed
 * connection within a second (client_connection_check_interval).
 */
export function endReads(reads: Reads): void {
  reads.isEnded = true
  for (const [client, holder] of holders) if (holder === reads) void client.end()
}
