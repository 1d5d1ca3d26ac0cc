// Has PostgreSQL recover a base backup with the WAL beside it, to a moment or to the end.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { readPart } from '../backup/sealedStream.ts'
import { type EmbeddedDatabase, startEmbedded } from '../db/embedded/embedded.ts'
import { StartError } from '../db/embedded/errors.ts'
import { layWal, type Start } from './plan.ts'
import { basePart } from './series.ts'
import { extractTar } from './tar.ts'

const log = { info: () => undefined, error: () => undefined }

/** All WAL that there is lies beside the data, so that nothing has to be fetched. */
const RECOVERY = {
  restore_command: 'exit 1',
  recovery_target_timeline: 'current',
  recovery_target_action: 'promote',
  hot_standby: 'off',
}
const TOO_SHORT = /recovery ended before configured recovery target was reached/

export type RecoveredDatabase = EmbeddedDatabase & {
  /** All that was acknowledged before is in it. */
  throughDT: Date
}

/** Recovers the database below `staged` and leaves it running. Throws BackupError for what is not as it was archived. */
export async function recover(start: Start, until: Date | undefined, staged: string): Promise<RecoveredDatabase> {
  const { series, base } = start
  const { id, size } = base.manifest
  const pgDir = join(staged, 'pg')
  await mkdir(pgDir, { mode: 0o700 })
  const throughDT = await layWal(start, until, pgDir)
  const source = readPart(join(base.folder, 'base'), series.key.forPart(id, basePart(base.name)), size)
  await pipeline(source, createGunzip(), (tar: AsyncIterable<Buffer>) => extractTar(tar, pgDir))
  await writeFile(join(pgDir, 'recovery.signal'), '')
  return { ...(await startRecovered(staged, until)), throughDT }
}

async function startRecovered(staged: string, until: Date | undefined): Promise<EmbeddedDatabase> {
  const target: Record<string, string> =
    until === undefined ? {} : { recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00') }
  try {
    return await startEmbedded({ dataDir: staged, log, settings: { ...RECOVERY, ...target } })
  } catch (error) {
    // Nothing was committed after the moment: the end of the WAL is where it leads.
    if (until === undefined || !(error instanceof StartError) || !TOO_SHORT.test(error.message)) throw error
    return startEmbedded({ dataDir: staged, log, settings: RECOVERY })
  }
}
