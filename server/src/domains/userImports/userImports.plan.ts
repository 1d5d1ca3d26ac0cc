// The plan of a run: what each row does with which account, without any change to people.
import { ImportAction, ImportSource, ImportState } from '@acc/contract/labels/userImports'
import { BRAKE, type ImportCounts, type UserImport } from '@acc/contract/userImports'
import { sql } from 'kysely'
import { today } from '../../clock.ts'
import type { Viewer } from '../../core/scope.ts'
import type { Services } from '../../core/services.ts'
import type { Tx } from '../../db/open.ts'
import { findPaths } from './userImports.groups.ts'
import type { Claim } from './userImports.plan.queries.ts'
import {
  countActions,
  countPeople,
  deleteMissing,
  findAwaitedGroups,
  findClaims,
  insertMissing,
  type PlanInput,
  planRows,
  updateChains,
  updateRepeated,
  updateTaken,
} from './userImports.plan.queries.ts'
import { lockRun, type NewGroup, type RunRow, updateRun } from './userImports.queries.ts'
import { announceRun, changeRun, enqueueRun, findViewer, mailAdmins } from './userImports.runs.ts'

/** Rows of a chain at most. Longer ones come from a column that was sorted or shifted alone. */
const MAX_CHAIN = 500

type Solved = {
  /** Claims that nobody gives up: their rows are errors. */
  taken: { rowIdx: number; field: Claim['field']; holderIdx: number }[]
  /** The number of the chain of each row that belongs to one. */
  chainOf: Map<number, number>
}

/** Returns the claims that fail, with those that depend on a row that fails, and the chains of the others. */
function solveClaims(claims: readonly Claim[]): Solved {
  const waiting = new Map<number, Claim[]>()
  for (const claim of claims) {
    if (claim.giverIdx !== null) waiting.set(claim.giverIdx, [...(waiting.get(claim.giverIdx) ?? []), claim])
  }
  const taken = claims.filter(({ giverIdx }) => giverIdx === null)
  const failed = new Set(taken.map(({ rowIdx }) => rowIdx))
  // Grows while it is read: a row that fails gives nothing up.
  for (const rowIdx of failed) {
    for (const claim of waiting.get(rowIdx) ?? []) {
      taken.push(claim)
      failed.add(claim.rowIdx)
    }
  }
  const others = claims.filter(({ rowIdx }) => !failed.has(rowIdx))
  const chains = findChains(others)
  const tooLong = new Set(chains.filter(({ size }) => size > MAX_CHAIN).flatMap((chain) => [...chain]))
  const kept = chains.filter(({ size }) => size <= MAX_CHAIN)
  return {
    taken: [...taken, ...others.filter(({ rowIdx }) => tooLong.has(rowIdx))],
    chainOf: new Map(kept.flatMap((chain, at) => [...chain].map((rowIdx): [number, number] => [rowIdx, at + 1]))),
  }
}

/** Finds the connected rows. */
function findChains(claims: readonly Claim[]): Set<number>[] {
  const neighbors = new Map<number, number[]>()
  const connect = (from: number, to: number) => neighbors.set(from, [...(neighbors.get(from) ?? []), to])
  for (const { rowIdx, giverIdx } of claims) {
    if (giverIdx === null) continue
    connect(rowIdx, giverIdx)
    connect(giverIdx, rowIdx)
  }
  const known = new Set<number>()
  return [...neighbors.keys()].flatMap((begin) => {
    if (known.has(begin)) return []
    const chain = new Set([begin])
    // Grows while it is read.
    for (const rowIdx of chain) {
      known.add(rowIdx)
      for (const next of neighbors.get(rowIdx) ?? []) chain.add(next)
    }
    return [chain]
  })
}

async function planClaims(tx: Tx, run: RunRow): Promise<void> {
  const { taken, chainOf } = solveClaims(await findClaims(tx, run.idx))
  if (taken.length > 0) {
    await updateTaken(tx, taken)
    await deleteMissing(
      tx,
      run.idx,
      taken.map(({ holderIdx }) => holderIdx),
    )
  }
  if (chainOf.size > 0) await updateChains(tx, [...chainOf.keys()], [...chainOf.values()])
}

const countsOf = (counted: ReadonlyMap<ImportAction, number>, groups: number): ImportCounts => {
  const of = (action: ImportAction) => counted.get(action) ?? 0
  return {
    unchanged: of(ImportAction.UNCHANGED),
    create: of(ImportAction.CREATE),
    update: of(ImportAction.UPDATE),
    move: of(ImportAction.MOVE),
    enable: of(ImportAction.ENABLE),
    disable: of(ImportAction.DISABLE),
    error: of(ImportAction.ERROR),
    groups,
    applied: 0,
    skipped: 0,
    failed: 0,
  }
}

/** Returns why a plan needs a confirmation, or null. */
export const brakeOf = (people: number, disables: number): UserImport['brake'] =>
  disables >= BRAKE.people && disables * 100 > people * BRAKE.percent ? { people, disables } : null

/** Plans a locked run. Returns its rows by action, and the people of the source. */
async function makePlan(tx: Tx, services: Services, run: RunRow, viewer: Viewer) {
  // The tables have no statistics of rows that were just inserted: joined one by one they would take hours.
  await sql`set local enable_nestloop = off`.execute(tx)
  // 200,000 rows may take longer than any other statement.
  await sql`set local statement_timeout = '10min'`.execute(tx)
  const input: PlanInput = {
    run,
    viewer,
    today: today(services.clock),
    maxExpireDT: services.env.runtime.maxExpireDT,
    maxLoginFails: services.env.maxLoginFails,
    paths: await findPaths(tx, viewer),
  }
  await updateRepeated(tx, run.idx)
  await planRows(tx, input)
  if (run.options.isComplete === 1) await insertMissing(tx, input)
  await planClaims(tx, run)
  return {
    counted: await countActions(tx, run.idx),
    people: await countPeople(tx, input),
    groups: neededOf(run.groups, await findAwaitedGroups(tx, run.idx)),
  }
}

/** Returns the groups that rows wait for, and those above them. */
function neededOf(groups: readonly NewGroup[], awaited: ReadonlySet<string>): NewGroup[] {
  const needed = new Set(awaited)
  // Parents come first, so that from the end each group is known to be needed before its parent.
  for (const { path, parentPath } of groups.toReversed()) {
    if (needed.has(path) && parentPath !== null) needed.add(parentPath)
  }
  return groups.filter(({ path }) => needed.has(path))
}

/**
 * Plans a run whose rows are stored, in one transaction. A synchronization without a brake is applied at once; with one
 * it waits, and administrators get a mail.
 */
export async function planRun(services: Services, found: RunRow): Promise<void> {
  await changeRun(services, found, async (tx) => {
    const run = await lockRun(tx, found.idx)
    if (run?.state !== ImportState.PLANNING || run.hash === '') return { result: undefined }
    const viewer = await findViewer(tx, services, run)
    const { counted, people, groups } = await makePlan(tx, services, run, viewer)
    const counts = countsOf(counted, groups.length)
    const brake = brakeOf(people, counts.disable)
    const isSync = run.source !== ImportSource.FILE
    const state = isSync && brake === null ? ImportState.APPLYING : ImportState.PLANNED
    const totalRows = [...counted.values()].reduce((sum, count) => sum + count, 0)
    const at = services.clock.now()
    const columns = { state, counts, brake, groups, totalRows, doneRows: totalRows, activeDT: at }
    await updateRun(tx, run.idx, state === ImportState.APPLYING ? { ...columns, doneRows: 0 } : columns)
    if (state === ImportState.APPLYING) await enqueueRun(tx, services, run.idx)
    if (isSync && brake !== null) await mailAdmins(tx, services, { ...run, brake })
    await announceRun(tx, run)
    return { result: undefined }
  })
}
