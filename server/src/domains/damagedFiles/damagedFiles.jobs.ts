// Reads every stored file once a month, a few a minute, to find damaged ones while a backup still has their bytes.
import { days, later } from '../../clock.ts'
import { asSystem, type Job } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import { FileStoreError } from '../../files/errors.ts'
import type { StoredFile } from '../../files/fileStore.ts'
import { findSetting, type Setting, updateSetting } from '../../settings/settings.ts'
import { countNamed, deleteUnnamed, findRequestFiles, findVersionFiles } from './damagedFiles.queries.ts'
import { damageOf, readThrough, recordDamage } from './damagedFiles.store.ts'

const ROUND_DAYS = 28
/** Runs in which a round is over: a day less, so that added files fit in. */
const RUNS = (ROUND_DAYS - 1) * 24 * 60

type Round = Setting<'fileScrub'>

/** Returns the round in progress, a new one if that is due, or undefined. */
async function findRound({ db, clock }: Services): Promise<Round | undefined> {
  const round = await findSetting(db.read, 'fileScrub')
  if (round !== undefined && round.after !== null) return round
  if (round !== undefined && new Date(round.beginDT) > later(clock.now(), -days(ROUND_DAYS))) return undefined
  const perRun = Math.max(1, Math.ceil((await countNamed(db.read)) / RUNS))
  return { beginDT: clock.now().toISOString(), after: 0, perRun }
}

/** Reads a file in full, which records it if it is damaged. Throws where the store itself fails. */
async function verify(services: Services, file: StoredFile): Promise<void> {
  try {
    await readThrough(services.files, file)
  } catch (error) {
    if (damageOf(error) !== undefined) return
    if (!(error instanceof FileStoreError)) throw error
    // A disk that cannot read one file, but works otherwise.
    await services.files.check()
    await recordDamage(services, file.name, 'damaged')
  }
}

/** Reads the next files of the round. A run that is interrupted is repeated. */
export async function scrubFiles(services: Services): Promise<void> {
  const { db, locks } = services
  const lock = await locks.tryLock('scrubFiles')
  if (lock === undefined) return
  try {
    const round = await findRound(services)
    if (round === undefined) return
    const files = await findRequestFiles(db.read, round.after ?? 0, round.perRun)
    const isLast = files.length < round.perRun
    for (const { file } of isLast ? [...files, ...(await findVersionFiles(db.read))] : files)
      await verify(services, file)
    const after = isLast ? null : (files.at(-1)?.idx ?? null)
    await asSystem(services, async (tx) => {
      if (isLast) await deleteUnnamed(tx)
      await updateSetting(tx, 'fileScrub', { ...round, after })
    })
  } finally {
    await lock.release()
  }
}

export const damagedFileJobs: readonly Job[] = [{ name: 'scrubFiles', cron: '* * * * *', run: scrubFiles }]
