// Where a call reads: the primary, or for histories and CSV files a copy of it.
import type { Route } from '@acc/contract/core/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../core/errors.ts'
import type { Database } from '../db/open.ts'
import { CallerGone, endReads, type Reads, runReads, streamsOf } from '../db/reads.ts'
import type { Readers } from '../db/replica.ts'
import { wantsCsv } from './csv.ts'

const mayUseReplica = (route: Route, request: FastifyRequest) =>
  route.kind === 'list' && ('fromReplica' in route || wantsCsv(request))

/** Whether a call reads rows for one response. */
export const isRead = ({ method, kind }: Route) => method === 'GET' && (kind === 'json' || kind === 'list')

/** Milliseconds for which a read continues after its caller has gone. Most end by then and keep their connection. */
const GRACE = 1_000

/** Ends the reads of a call after its caller has gone. */
function endWhenGone(reads: Reads, { raw }: FastifyReply): void {
  raw.once('close', () => {
    if (!raw.writableFinished) setTimeout(() => endReads(reads), GRACE).unref()
  })
}

async function readAnywhere<T>(
  db: Database,
  route: Route,
  request: FastifyRequest,
  reads: Reads,
  work: (readers: Readers) => Promise<T>,
): Promise<T> {
  const primary = { read: db.read, streams: streamsOf(reads, db.streams) }
  const { read, streams } = mayUseReplica(route, request) ? await db.replica.findReaders() : db
  if (read === db.read) return work(primary)
  try {
    return await work({ read, streams: streamsOf(reads, streams) })
  } catch (error) {
    if (error instanceof Failure || reads.isEnded) throw error
    db.replica.reportFailure(error)
    return work(primary)
  }
}

/** Runs a call. A failure on the copy is repeated on the primary. Reads whose caller has gone end with CallerGone. */
export async function withReaders<T>(
  db: Database,
  route: Route,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  work: (readers: Readers) => Promise<T>,
): Promise<T> {
  if (!isRead(route)) return work(db)
  // The caller left while the call waited for its turn.
  if (reply.raw.closed) throw new CallerGone()
  const reads: Reads = { isEnded: false }
  endWhenGone(reads, reply)
  try {
    return await runReads(reads, () => readAnywhere(db, route, request, reads, work))
  } catch (error) {
    throw reads.isEnded ? new CallerGone() : error
  }
}
