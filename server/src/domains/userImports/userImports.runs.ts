// What every step of a run needs: the rights of its author, its end with the history row, and announcements.
import type { HistoryEvent } from '@acc/contract/history/kinds'
import { Level, Role } from '@acc/contract/labels/access'
import { UserImportEvent } from '@acc/contract/labels/history'
import { ImportAction, ImportSource, ImportState } from '@acc/contract/labels/userImports'
import type { Refusal } from '@acc/contract/userImports'
import { today } from '../../clock.ts'
import { type Author, change, type HistoryEntry, notifyAll } from '../../core/change.ts'
import { findAdmins } from '../../core/people.ts'
import type { Viewer } from '../../core/scope.ts'
import type { HandlerServices, Services } from '../../core/services.ts'
import type { Tx } from '../../db/open.ts'
import { isDisabled, isExpired } from '../credentials/accountStates.ts'
import { enqueueMail } from '../mails/mails.service.ts'
import {
  countApplied,
  findAuthor,
  findEarlierReason,
  findRun,
  lockRun,
  type RunRow,
  updateRun,
} from './userImports.queries.ts'

/** The job that plans and applies a run. */
export const RUN_IMPORT = 'runImport'

/** Has the next step of a run made after the commit. */
export const enqueueRun = (tx: Tx, { jobs }: Pick<HandlerServices, 'jobs'>, idx: number): Promise<void> =>
  jobs.enqueue(tx, RUN_IMPORT, { idx }, { key: String(idx) })

/** Announces a run to its author and to administrators. */
export const announceRun = (tx: Tx, { idx, authorIdx }: Pick<RunRow, 'idx' | 'authorIdx'>): Promise<void> =>
  notifyAll(tx, [
    { topic: 'userImports', idx },
    ...(authorIdx === null ? [] : [{ topic: 'userImports', idx, userIdx: authorIdx } as const]),
  ])

/** The author of the history rows of a run. */
export const authorOf = (run: RunRow): Author => ({
  idx: run.authorIdx,
  id: run.authorId,
  name: run.authorName,
  groupName: run.authorGroupName,
  ip: run.ip,
})

/** A substitute has rights of others on the pages of approval only. */
const viewerOf = (idx: number, role: Role): Viewer => ({ idx, role, isSubstitute: false })
/** Synchronizations have the rights of the server, also if a person started them. No account has this number. */
const SERVER = viewerOf(0, Role.ADMIN)
/** An author without rights reaches nobody. */
const NOBODY = viewerOf(0, Role.USER)

/**
 * Returns the person whose rights a run has at this moment, locked until the transaction ends. An author who is
 * deleted, suspended, expired or no longer a manager of users reaches nobody.
 */
export async function findViewer(
  tx: Tx,
  { clock }: Pick<HandlerServices, 'clock'>,
  run: Pick<RunRow, 'source' | 'authorIdx'>,
): Promise<Viewer> {
  if (run.source !== ImportSource.FILE) return SERVER
  const author = run.authorIdx === null ? undefined : await findAuthor(tx, run.authorIdx)
  if (author === undefined || isDisabled(author) || isExpired(author, today(clock))) return NOBODY
  if (author.isAdmin === 1) return viewerOf(author.idx, Role.ADMIN)
  return author.level >= Level.EDIT ? viewerOf(author.idx, Role.MANAGER) : NOBODY
}

/** Returns the history row of a run that ends. */
export function runLog(type: HistoryEvent<'userImport'>, run: RunRow): HistoryEntry<'userImport'> {
  const { counts, refusal } = run
  return {
    kind: 'userImport',
    type,
    subject: run.fileName,
    subjectIdx: run.idx,
    groupIdx: null,
    detail: {
      source: run.source,
      fileName: run.fileName,
      fileHash: run.hash,
      createCount: counts.create ?? 0,
      updateCount: counts.update ?? 0,
      moveCount: counts.move ?? 0,
      enableCount: counts.enable ?? 0,
      disableCount: counts.disable ?? 0,
      skipCount: counts.skipped ?? 0,
      failCount: counts.failed ?? 0,
      groupCount: counts.groups ?? 0,
      refusal: refusal?.reason ?? null,
    },
  }
}

/** Mails all administrators that a synchronization waits or failed. */
export async function mailAdmins(tx: Tx, services: HandlerServices, run: RunRow): Promise<void> {
  for (const { name, email } of await findAdmins(tx))
    await enqueueMail(tx, services, 'importStopped', {
      to: email,
      name,
      fileName: run.fileName,
      brake: run.brake,
      refusal: run.refusal,
      when: services.clock.now(),
    })
}

/** Returns the counts of a run for its history row: what it applied, and all errors. */
async function appliedCounts(tx: Tx, { idx, counts, groups }: RunRow): Promise<RunRow['counts']> {
  const applied = await countApplied(tx, idx)
  const of = (action: ImportAction) => applied.get(action) ?? 0
  return {
    ...counts,
    create: of(ImportAction.CREATE),
    update: of(ImportAction.UPDATE),
    move: of(ImportAction.MOVE),
    enable: of(ImportAction.ENABLE),
    disable: of(ImportAction.DISABLE),
    failed: (counts.error ?? 0) + (counts.failed ?? 0),
    // Groups that are still planned were not created.
    groups: groups.length > 0 ? 0 : (counts.groups ?? 0),
  }
}

/** Ends a run: stores its state, and returns its history row. */
export async function endRun(
  tx: Tx,
  { clock }: Pick<HandlerServices, 'clock'>,
  run: RunRow,
  columns: Pick<RunRow, 'state'> & Partial<RunRow>,
): Promise<HistoryEntry<'userImport'>> {
  const at = clock.now()
  await updateRun(tx, run.idx, { ...columns, activeDT: at, endDT: at })
  await announceRun(tx, run)
  const counts = await appliedCounts(tx, run)
  return runLog(EVENTS[columns.state] ?? UserImportEvent.DONE, { ...run, ...columns, counts })
}
const EVENTS: Partial<Record<ImportState, HistoryEvent<'userImport'>>> = {
  [ImportState.CANCELED]: UserImportEvent.CANCELED,
  [ImportState.REFUSED]: UserImportEvent.REFUSED,
}

/** Runs work on a locked run in one transaction, whose history rows are the author's. */
export const changeRun = <T>(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  run: RunRow,
  work: Parameters<typeof change<T>>[2],
): Promise<T> => change(db, { author: authorOf(run), now: () => clock.now() }, work)

/**
 * Ends a run whose source is refused. Administrators get a mail if it is a synchronization, and none if the run before
 * was refused for the same reason.
 */
export async function endRefused(services: Services, idx: number, refusal: Refusal): Promise<void> {
  const found = await findRun(services.db.read, idx)
  if (found === undefined) return
  await changeRun(services, found, async (tx) => {
    const run = await lockRun(tx, idx)
    if (run?.state !== ImportState.PLANNING) return { result: undefined }
    const entry = await endRun(tx, services, run, { state: ImportState.REFUSED, refusal })
    const isNews = (await findEarlierReason(tx, run)) !== refusal.reason
    if (run.source !== ImportSource.FILE && isNews) await mailAdmins(tx, services, { ...run, refusal })
    return { result: undefined, log: [entry] }
  })
}

/** Cancels an open run if a condition is still met once it is locked. */
export async function cancelIf(services: Services, idx: number, isMet: (run: RunRow) => boolean): Promise<void> {
  const found = await findRun(services.db.read, idx)
  if (found === undefined) return
  await changeRun(services, found, async (tx) => {
    const run = await lockRun(tx, idx)
    if (run === undefined || run.state >= ImportState.DONE || !isMet(run)) return { result: undefined }
    return { result: undefined, log: [await endRun(tx, services, run, { state: ImportState.CANCELED })] }
  })
}

/** Whether the source of a run was not read to its end. */
export const isUnread = ({ state, hash, refusal }: Pick<RunRow, 'state' | 'hash' | 'refusal'>): boolean =>
  state === ImportState.PLANNING && hash === '' && refusal === null
