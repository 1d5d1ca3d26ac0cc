// The free space that uploads leave to the database on the same volume.
import { THRESHOLDS } from '@acc/contract/labels/statusThresholds'
import { fail } from './errors.ts'
import type { Services } from './services.ts'

/** Bytes that uploads leave free. */
export const SPACE_RESERVE = THRESHOLDS.reservedSpace * 2 ** 30

/** Fails with STORAGE_UNAVAILABLE if the file store has no room for these bytes. */
export async function requireSpace({ files }: Pick<Services, 'files'>, bytes: number): Promise<void> {
  const free = await files.free()
  if (free !== undefined && free - bytes < SPACE_RESERVE) fail('STORAGE_UNAVAILABLE')
}
