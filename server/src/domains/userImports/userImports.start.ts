// Starts runs: opens them, reads their source into rows and begins the plan. Uploads and synchronizations call it.
import { ImportRefusal, ImportState } from '@acc/contract/labels/userImports'
import { MAX_IMPORT_ROWS } from '@acc/contract/userImports'
import { asSystem } from '../../core/job.ts'
import type { HandlerServices, Services } from '../../core/services.ts'
import type { Tx } from '../../db/open.ts'
import { RefusedSource, type Source } from './source.ts'
import { checkRow } from './userImports.cells.ts'
import { findTree, openGroups } from './userImports.groups.ts'
import {
  deleteRows,
  insertRows,
  insertRun,
  lockRun,
  type NewImport,
  type RunRow,
  updateRun,
} from './userImports.queries.ts'
import { announceRun, cancelIf, endRefused, enqueueRun, findViewer, isUnread } from './userImports.runs.ts'

/** Rows that are checked and stored between two turns of the event loop. */
const BATCH = 500

/** Opens a run whose rows follow, and returns its number. REQUEST_STATE: the author or the source has an open one. */
export async function openImport(tx: Tx, { clock }: Pick<HandlerServices, 'clock'>, run: NewImport): Promise<number> {
  const idx = await insertRun(tx, run, clock.now())
  await announceRun(tx, { idx, authorIdx: run.author.idx })
  return idx
}

/** Stores the rows of a source in an open run, and has its plan made. Rows of an interrupted attempt are replaced. */
export async function storeSource(
  tx: Tx,
  services: Pick<HandlerServices, 'clock' | 'jobs'>,
  run: RunRow,
  { hash, fields, rows, units = [] }: Source,
): Promise<void> {
  if (rows.length === 0) throw new RefusedSource({ reason: ImportRefusal.EMPTY })
  if (rows.length > MAX_IMPORT_ROWS)
    throw new RefusedSource({ reason: ImportRefusal.TOO_MANY_ROWS, text: String(rows.length) })
  const viewer = await findViewer(tx, services, run)
  const groups = openGroups(await findTree(tx, viewer, run.baseGroupIdx), { options: run.options, units })
  await deleteRows(tx, run.idx)
  for (let from = 0; from < rows.length; from += BATCH) {
    const checked = rows.slice(from, from + BATCH).map(checkRow)
    await groups.enter(checked)
    await insertRows(tx, run.idx, checked)
  }
  const columns = { hash, fields: [...fields], groups: groups.planned, totalRows: rows.length, doneRows: rows.length }
  await updateRun(tx, run.idx, { ...columns, activeDT: services.clock.now() })
  await enqueueRun(tx, services, run.idx)
}

/** Reads a source into an open run. A RefusedSource ends the run. Other failures cancel it and are thrown. */
export async function readInto(services: Services, idx: number, read: () => Promise<Source>): Promise<void> {
  try {
    const source = await read()
    await asSystem(services, async (tx) => {
      const run = await lockRun(tx, idx)
      // Canceled while it was read.
      if (run === undefined || run.state !== ImportState.PLANNING) return { result: undefined }
      await storeSource(tx, services, run, source)
      await announceRun(tx, run)
      return { result: undefined }
    })
  } catch (error) {
    if (error instanceof RefusedSource) return endRefused(services, idx, error.refusal)
    // Without a database, the job that continues runs does it.
    await cancelIf(services, idx, isUnread).catch(() => undefined)
    throw error
  }
}

/** Opens a run and reads its source. Returns its number. */
export async function startImport(services: Services, run: NewImport, read: () => Promise<Source>): Promise<number> {
  const idx = await asSystem(services, async (tx) => ({ result: await openImport(tx, services, run) }))
  await readInto(services, idx, read)
  return idx
}
