// Creates the groups of a plan before its people, in one transaction.
import { randomUUID } from 'node:crypto'
import { Level, Role } from '@acc/contract/labels/access'
import type { HistoryEntry } from '../../core/change.ts'
import { Failure } from '../../core/errors.ts'
import { isReached, scopeOf } from '../../core/scope.ts'
import type { Services } from '../../core/services.ts'
import type { Tx } from '../../db/open.ts'
import { findGroup, lockTree } from '../groups/groups.queries.ts'
import { addGroup } from '../groups/groups.service.ts'
import { findExisting, updateRowsOfGroups } from './userImports.apply.queries.ts'
import { type RunRow, updateRun } from './userImports.queries.ts'
import { findViewer } from './userImports.runs.ts'

/** Creates the groups of the plan, as far as the author still may. Returns the history rows. */
async function createGroups(tx: Tx, services: Services, run: RunRow): Promise<HistoryEntry[]> {
  await lockTree(tx)
  const viewer = await findViewer(tx, services, run)
  const created = new Map<string, number>()
  const log: HistoryEntry[] = []
  for (const { path, parentPath, parentIdx, name, key, isSync } of run.groups) {
    const aboveIdx = parentPath === null ? parentIdx : (created.get(parentPath) ?? null)
    const parent = aboveIdx === null ? undefined : await findGroup(tx, aboveIdx)
    if (parent === undefined || viewer.role === Role.USER) continue
    const known = await findExisting(tx, parent.idx, { name, key })
    if (known !== undefined) {
      created.set(path, known.idx)
      continue
    }
    if (!(await isReached(tx, scopeOf(viewer, 'policy', Level.EDIT), parent.idx))) continue
    const added = await addedGroup(tx, parent, { name, key: key ?? randomUUID(), description: '', isSync })
    if (added === undefined) continue
    created.set(path, added.group.idx)
    log.push(added.log)
  }
  await updateRowsOfGroups(tx, run.idx, created)
  return log
}

/** Adds a group, unless its place does not take it any more. */
async function addedGroup(...group: Parameters<typeof addGroup>) {
  try {
    return await addGroup(...group)
  } catch (error) {
    if (error instanceof Failure && error.error === 'GROUP_ACTION_REFUSED') return undefined
    throw error
  }
}

/** Creates the groups of a run and enters them into its rows. */
export async function applyGroups(tx: Tx, services: Services, run: RunRow) {
  const log = await createGroups(tx, services, run)
  const counts = { ...run.counts, groups: log.length }
  await updateRun(tx, run.idx, { groups: [], counts, activeDT: services.clock.now() })
  return { result: true, log }
}
