// Where a call reads: the primary, or for histories and CSV files a copy of it.
import type { Route } from '@acc/contract/core/route'
import type { FastifyRequest } from 'fastify'
import { Failure } from '../core/errors.ts'
import type { Database } from '../db/open.ts'
import type { Readers } from '../db/replica.ts'
import { wantsCsv } from './csv.ts'

const mayUseReplica = (route: Route, request: FastifyRequest) =>
  route.kind === 'list' && ('fromReplica' in route || wantsCsv(request))

/** Runs a read; what fails on the copy runs once more on the primary. */
export async function withReaders<T>(
  db: Database,
  route: Route,
  request: FastifyRequest,
  work: (readers: Readers) => Promise<T>,
): Promise<T> {
  const readers = mayUseReplica(route, request) ? await db.replica.findReaders() : db
  if (readers.read === db.read) return work(db)
  try {
    return await work(readers)
  } catch (error) {
    if (error instanceof Failure) throw error
    db.replica.leaveAlone(error)
    return work(db)
  }
}
