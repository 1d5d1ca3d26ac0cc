// Applies a plan in blocks. Each block is one transaction with its history rows and results, so that a run which was
// killed continues, and no row is applied twice.
import { randomUUID } from 'node:crypto'
import { Role } from '@acc/contract/labels/access'
import { flagOf, withFlag, withoutFlag } from '@acc/contract/labels/flags'
import { UserManage } from '@acc/contract/labels/history'
import { ImportAction, ImportFault, ImportResult, ImportState } from '@acc/contract/labels/userImports'
import { LoginType, UserState } from '@acc/contract/labels/users'
import { type HistoryEntry, lockPeople } from '../../core/change.ts'
import { notifyGroups } from '../../core/people.ts'
import type { Viewer } from '../../core/scope.ts'
import type { Services } from '../../core/services.ts'
import { type UserRow, userLog } from '../../core/userLog.ts'
import type { Tx } from '../../db/open.ts'
import { isDisabled } from '../credentials/accountStates.ts'
import { enqueueChangeMail } from '../mails/mails.service.ts'
import { endSessionsClosedToPartners, endSessionsOf } from '../session/session.service.ts'
import type { RowFault } from './source.ts'
import {
  type Changed,
  findBlock,
  findHolders,
  insertImported,
  lockGroups,
  lockTargets,
  type RowResult,
  type Target,
  updateImported,
  updateResults,
  updateToPlaceholders,
  type WaitingRow,
} from './userImports.apply.queries.ts'
import { applyGroups } from './userImports.applyGroups.ts'
import { lockRun, type RunRow, updateRun } from './userImports.queries.ts'
import { announceRun, changeRun, endRun, findViewer } from './userImports.runs.ts'

/** Rows of a transaction. */
export const BLOCK = 500

type Verdict = { result: ImportResult; faults: RowFault[] }
const failed = (fault: ImportFault, field: RowFault['field'] = null): Verdict => ({
  result: ImportResult.FAILED,
  faults: [{ field, fault, hint: '' }],
})
const SKIPPED: Verdict = { result: ImportResult.SKIPPED, faults: [] }

type Groups = Awaited<ReturnType<typeof lockGroups>>
type Block = { rows: readonly WaitingRow[]; targets: Map<number, Target>; groups: Groups; viewer: Viewer }

/** Returns why a row is not applied, or undefined. */
function refusalOf(row: WaitingRow, { targets, groups, viewer }: Block): Verdict | undefined {
  if (viewer.role === Role.USER) return failed(ImportFault.NOT_ALLOWED)
  if (row.userIdx !== null) {
    const target = targets.get(row.userIdx)
    if (target === undefined || target.revision !== row.userRevision) return SKIPPED
    if (target.isAdmin === 1) return failed(ImportFault.ADMIN)
    const isAdmin = viewer.role === Role.ADMIN
    if (!target.isReached || (!isAdmin && target.isStronger)) return failed(ImportFault.NOT_ALLOWED)
  }
  if (row.groupIdx === null) return isGroupMissing(row) ? failed(ImportFault.NO_GROUP, 'group') : undefined
  const group = groups.get(row.groupIdx)
  if (group === undefined) return failed(ImportFault.NO_GROUP, 'group')
  return group.isReached ? undefined : failed(ImportFault.NOT_ALLOWED, 'group')
}
/** A group that the plan was to create does not exist. Other rows without a group keep theirs. */
const isGroupMissing = ({ action, isGroupChanged }: WaitingRow) => action === ImportAction.CREATE || isGroupChanged

/** Returns the verdict of each row that is not applied. One such row keeps its complete chain from being applied. */
async function findVerdicts(tx: Tx, block: Block): Promise<Map<number, Verdict>> {
  const verdicts = new Map<number, Verdict>()
  const chainOf = new Map(block.rows.map(({ idx, chain }) => [idx, chain]))
  const chainOfUser = new Map(block.rows.map(({ userIdx, chain }) => [userIdx, chain]))
  for (const row of block.rows) {
    const verdict = refusalOf(row, block)
    if (verdict !== undefined) verdicts.set(row.idx, verdict)
  }
  for (const { rowIdx, field, holderIdx } of await findHolders(tx, block.rows)) {
    const chain = chainOf.get(rowIdx)
    const isGivenUp = chain !== 0 && chainOfUser.get(holderIdx) === chain
    if (!isGivenUp && !verdicts.has(rowIdx)) verdicts.set(rowIdx, failed(ImportFault.TAKEN, field))
  }
  const cut = new Set([...verdicts.keys()].map((idx) => chainOf.get(idx)).filter((chain) => chain !== 0))
  for (const { idx, chain } of block.rows) if (cut.has(chain) && !verdicts.has(idx)) verdicts.set(idx, SKIPPED)
  return verdicts
}

/** Returns an account as a row changes it. */
function userAfter(row: WaitingRow, before: UserRow, groups: Groups, at: Date): UserRow {
  const group = row.groupIdx === null ? undefined : groups.get(row.groupIdx)
  const expireDT = row.expireDT === null ? before.expireDT : row.expireDT || null
  const after: UserRow = {
    ...before,
    id: row.id ?? before.id,
    name: row.name ?? before.name,
    email: row.email ?? before.email,
    key: row.key ?? before.key,
    groupIdx: group?.idx ?? before.groupIdx,
    groupName: group?.name ?? before.groupName,
    expireDT,
    isMortal: row.expireDT === null ? before.isMortal : expireDT === null ? 0 : 1,
  }
  const released = { importSuspended: 0, loginFails: 0, otpFails: 0 } as const
  if (row.action === ImportAction.DISABLE) {
    // A person may have suspended an account that is locked as well: no import releases it.
    const importSuspended = flagOf(!isDisabled(before))
    return { ...after, ...released, importSuspended, state: withFlag(before.state, UserState.DISABLED) }
  }
  if (row.action === ImportAction.ENABLE)
    return { ...after, ...released, activeDT: at, state: withoutFlag(before.state, UserState.DISABLED) }
  return after
}

const TYPES: Partial<Record<ImportAction, UserManage>> = {
  [ImportAction.DISABLE]: UserManage.DISABLED,
  [ImportAction.ENABLE]: UserManage.ENABLED,
}

type Applied = { row: WaitingRow; before: UserRow; after: UserRow }

/** Changes existing people, ends the sessions that must end, and mails old addresses. */
async function updatePeople(tx: Tx, services: Services, run: RunRow, applied: readonly Applied[]): Promise<void> {
  if (applied.length === 0) return
  const chained = applied.flatMap(({ row, before }) => (row.chain === 0 ? [] : [before.idx]))
  if (chained.length > 0) await updateToPlaceholders(tx, chained)
  await updateImported(
    tx,
    run.source,
    applied.map(({ after }): Changed => after),
  )
  const suspended = applied.flatMap(({ row, after }) => (row.action === ImportAction.DISABLE ? [after.idx] : []))
  if (suspended.length > 0) await endSessionsOf(tx, services, suspended)
  if (applied.some(({ before, after }) => before.groupIdx !== after.groupIdx))
    await endSessionsClosedToPartners(tx, services)
  for (const { before, after } of applied) {
    if (before.email === after.email) continue
    const mail = { to: before.email, name: before.name, newEmail: after.email, when: services.clock.now() }
    await enqueueChangeMail(tx, services, 'emailChanged', mail)
  }
}

/** Inserts new people. Without a mailed password they use single sign-on or the forgotten password. */
async function insertPeople(
  tx: Tx,
  services: Services,
  run: RunRow,
  rows: readonly WaitingRow[],
  groups: Groups,
): Promise<{ row: WaitingRow; user: UserRow }[]> {
  if (rows.length === 0) return []
  const at = services.clock.now()
  const loginType = run.options.mailsPasswords === 1 ? LoginType.DEFAULT : LoginType.DEFAULT | LoginType.SSO
  const inserted = await insertImported(
    tx,
    rows.map((row) => ({
      id: row.id ?? '',
      name: row.name ?? '',
      email: row.email ?? '',
      key: row.key ?? randomUUID(),
      groupIdx: row.groupIdx ?? 0,
      isMortal: row.expireDT ? 1 : 0,
      expireDT: row.expireDT || null,
      state: UserState.NEW,
      loginType,
      importSource: run.source,
      createDT: at,
      activeDT: at,
    })),
  )
  const byId = new Map(inserted.map((user) => [user.id, user]))
  return rows.flatMap((row) => {
    const user = byId.get(row.id ?? '')
    return user === undefined ? [] : [{ row, user: { ...user, groupName: groups.get(user.groupIdx)?.name ?? '' } }]
  })
}

/** Applies the rows of a block. Returns their history and results. */
async function applyRows(tx: Tx, services: Services, run: RunRow, rows: readonly WaitingRow[]) {
  const viewer = await findViewer(tx, services, run)
  const targets = await lockTargets(
    tx,
    viewer,
    rows.flatMap(({ userIdx }) => userIdx ?? []),
  )
  const groups = await lockGroups(tx, viewer, [...new Set(rows.flatMap(({ groupIdx }) => groupIdx ?? []))])
  const verdicts = await findVerdicts(tx, { rows, targets, groups, viewer })
  const allowed = rows.filter(({ idx }) => !verdicts.has(idx))
  const at = services.clock.now()
  const applied = allowed.flatMap((row): Applied[] => {
    const before = row.userIdx === null ? undefined : targets.get(row.userIdx)
    return before === undefined ? [] : [{ row, before, after: userAfter(row, before, groups, at) }]
  })
  await updatePeople(tx, services, run, applied)
  const creating = allowed.filter(({ userIdx }) => userIdx === null)
  const created = await insertPeople(tx, services, run, creating, groups)
  await notifyGroups(tx, [
    ...applied.flatMap(({ before, after }) => [before, after]),
    ...created.map(({ user }) => user),
  ])
  const userOf = new Map([
    ...applied.map(({ row, after }): [number, number] => [row.idx, after.idx]),
    ...created.map(({ row, user }): [number, number] => [row.idx, user.idx]),
  ])
  const results = rows.map((row): RowResult => {
    const verdict = verdicts.get(row.idx) ?? { result: ImportResult.APPLIED, faults: [] }
    const needsPassword = row.userIdx === null && !verdicts.has(row.idx) ? run.options.mailsPasswords : 0
    return { idx: row.idx, userIdx: userOf.get(row.idx) ?? row.userIdx, needsPassword, ...verdict }
  })
  const log: HistoryEntry[] = [
    ...created.map(({ user }) => userLog(UserManage.CREATE, user, null, run.idx)),
    ...applied.map(({ row, before, after }) => userLog(TYPES[row.action] ?? UserManage.UPDATE, after, before, run.idx)),
  ]
  return { results, log }
}

const counted = (results: readonly RowResult[], result: ImportResult) =>
  results.filter((row) => row.result === result).length

/** Applies the next block of a run. Returns whether there may be more. */
export const applyBlock = (services: Services, found: RunRow): Promise<boolean> =>
  changeRun<boolean>(services, found, async (tx) => {
    // Together with the author, in the order that calls take.
    const next = await findBlock(tx, found.idx, BLOCK)
    await lockPeople(tx, found.authorIdx ?? 0, {
      userIdxes: next.flatMap(({ userIdx }) => userIdx ?? []),
      isChange: true,
    })
    const run = await lockRun(tx, found.idx)
    if (run?.state !== ImportState.APPLYING) return { result: false }
    if (run.groups.length > 0) return applyGroups(tx, services, run)
    const rows = await findBlock(tx, run.idx, BLOCK)
    if (rows.length === 0) return { result: false, log: [await endRun(tx, services, run, { state: ImportState.DONE })] }
    const { results, log } = await applyRows(tx, services, run, rows)
    await updateResults(tx, results)
    const { applied = 0, skipped = 0, failed: failures = 0 } = run.counts
    const counts = {
      ...run.counts,
      applied: applied + counted(results, ImportResult.APPLIED),
      skipped: skipped + counted(results, ImportResult.SKIPPED),
      failed: failures + counted(results, ImportResult.FAILED),
    }
    await updateRun(tx, run.idx, { counts, doneRows: run.doneRows + rows.length, activeDT: services.clock.now() })
    await announceRun(tx, run)
    return { result: true, log }
  })
