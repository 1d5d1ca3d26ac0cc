// What one person's requests may take of the server, and the free space that uploads leave to the database on the same volume.
import { fail } from '../../core/errors.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Tx } from '../../db/open.ts'
import { findOpenSum, lockRequester } from './requests.queries.ts'

/** Undecided or incomplete requests of one person. */
export const MAX_OPEN_REQUESTS = 200
/** Bytes of all files of these requests: as many as one file may have. */
export const MAX_OPEN_BYTES = 2 ** 40
/** Bytes that uploads leave free. */
export const SPACE_RESERVE = 2 ** 30

/** Fails with STORAGE_UNAVAILABLE if the volume has no room for these bytes. */
export async function requireSpace(services: HandlerServices, bytes: number): Promise<void> {
  if ((await services.files.free()) - bytes < SPACE_RESERVE) fail('STORAGE_UNAVAILABLE')
}

/** Fails with TOO_MANY_REQUESTS if a person's open requests exceed their share. Concurrent requests of a person wait. */
export async function requireQuota(tx: Tx, requesterIdx: number, bytes: number): Promise<void> {
  await lockRequester(tx, requesterIdx)
  const open = await findOpenSum(tx, requesterIdx)
  if (open.count >= MAX_OPEN_REQUESTS || open.bytes + bytes > MAX_OPEN_BYTES) fail('TOO_MANY_REQUESTS')
}
