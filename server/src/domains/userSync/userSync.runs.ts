// Runs of the synchronization: opened by button or by the clock, read by a job.
import { isDeepStrictEqual } from 'node:util'
import { ImportRefusal, SyncKind } from '@acc/contract/labels/userImports'
import { type Author, notify, SYSTEM } from '../../core/change.ts'
import { fail } from '../../core/errors.ts'
import { asSystem, type Job } from '../../core/job.ts'
import type { HandlerServices, Services } from '../../core/services.ts'
import type { Tx } from '../../db/open.ts'
import { findSetting, lockSetting, lockSettingShared, updateSetting } from '../../settings/settings.ts'
import { RefusedSource } from '../userImports/source.ts'
import { findLastRun } from '../userImports/userImports.queries.ts'
import { openImport, readInto } from '../userImports/userImports.start.ts'
import { findGroup, findOpenSync, keepGroup } from './userSync.queries.ts'
import type { Sync } from './userSync.settings.ts'
import { nextAfter } from './userSync.settings.ts'
import { findFile, readSource, sourceOf } from './userSync.source.ts'

/** The job that reads the source of a run. */
const READ_SYNC = 'readUserSync'

/** All people of the source are in it. */
const optionsOf = ({ options }: Sync) => ({ ...options, isComplete: 1 as const })

/** Opens a run, which a job reads. REQUEST_STATE: no source is set, or a run of it is open. */
export async function openRun(tx: Tx, services: HandlerServices, author: Author): Promise<number> {
  const sync = await lockSettingShared(tx, 'userSync', services.key)
  if (sync === undefined || sync.kind === SyncKind.NONE) return fail('REQUEST_STATE')
  const run = {
    ...sourceOf(sync, services.env),
    options: optionsOf(sync),
    // The run of a deleted group is refused when it is read.
    baseGroupIdx: await keepGroup(tx, sync.groupIdx),
  }
  const idx = await openImport(tx, services, { ...run, author })
  await services.jobs.enqueue(tx, READ_SYNC, { idx }, { key: String(idx) })
  return idx
}

/** Reads the source into an open run. */
async function readRun(services: Services, data: unknown): Promise<void> {
  const { idx } = data as { idx: number }
  await readInto(services, idx, async () => {
    const { db, key } = services
    const sync = await findSetting(db.read, 'userSync', key)
    const group = sync && (await findGroup(db.read, sync.groupIdx))
    if (sync === undefined || group === undefined) throw new RefusedSource({ reason: ImportRefusal.NO_BASE })
    return readSource(sync, group.key, services)
  })
}

/** What a look by the clock finds. `wait` is looked at again in an hour. `unchanged`: as the last run read it. */
async function look(services: Services, sync: Sync): Promise<'start' | 'unchanged' | 'wait'> {
  if (sync.kind !== SyncKind.FOLDER) return 'start'
  try {
    const { hash } = await findFile(services.env)
    const last = await findLastRun(services.db.read, sourceOf(sync, services.env).source)
    const isSame =
      last?.hash === hash && last.baseGroupIdx === sync.groupIdx && isDeepStrictEqual(last.options, optionsOf(sync))
    return isSame ? 'unchanged' : 'start'
  } catch (error) {
    if (!(error instanceof RefusedSource)) throw error
    // The run that starts is refused for the reason, which the administrators then read.
    return error.refusal.reason === ImportRefusal.UNFINISHED ? 'wait' : 'start'
  }
}

/** Starts a run if one is due. An open one, or a file that is still written, delays it by an hour. */
export async function startDueRun(services: Services): Promise<void> {
  const { db, key, clock } = services
  const [sync, last] = await Promise.all([findSetting(db.read, 'userSync', key), findSetting(db.read, 'userSyncLook')])
  if (sync === undefined || sync.kind === SyncKind.NONE || last === undefined) return
  const now = clock.now()
  const due = nextAfter(sync, new Date(last.doneDT))
  if (due === undefined || due > now || (await findOpenSync(db.read)) !== undefined) return
  const found = await look(services, sync)
  if (found === 'wait') return
  await asSystem(services, async (tx) => {
    const stored = await lockSetting(tx, 'userSyncLook')
    // Another node was faster, or the source was changed.
    if (stored?.doneDT !== last.doneDT) return { result: undefined }
    const doneDT = now.toISOString()
    await updateSetting(tx, 'userSyncLook', { doneDT, unchangedDT: found === 'unchanged' ? doneDT : null })
    if (found === 'start') await openRun(tx, services, SYSTEM)
    else await notify(tx, { topic: 'settings' })
    return { result: undefined }
  })
}

export const userSyncJobs: readonly Job[] = [
  { name: 'startUserSync', cron: '3 * * * *', run: startDueRun },
  // Longer than a directory may take. A killed server's run is read again after that time.
  { name: READ_SYNC, seconds: 15 * 60, retries: { limit: 2, seconds: 60 }, run: readRun },
]
