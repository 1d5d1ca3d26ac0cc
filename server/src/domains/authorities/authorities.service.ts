// Authorities: levels over groups, given to people who thereby become group managers (S2 sections 2.1, 3 to 6). Only system
// administrators give them. Whoever's rights change signs in again: the open sessions end with 962.
import type { AuthorityChange, NewAuthority } from '@acc/contract/authorities'
import { AuthManage } from '@acc/contract/enums'
import { type HistoryEntry, logOf, notify } from '../../core/change.ts'
import type { Change, Read } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { raiseRightsRevision } from '../../core/rights.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { endSessionsOf } from '../session/session.service.ts'
import { authorityLog, type BeforeAfter, isUnchangedAuthority } from './authorities.history.ts'
import {
  type AuthorityRow,
  type Columns,
  type CoveredGroup,
  deleteAuthority,
  findAuthorities,
  findAuthority,
  findAuthorityForUpdate,
  findCoveredGroups,
  findHolders,
  findUsersForUpdate,
  type Holder,
  insertAuthority,
  updateAuthorityRow,
  updateGroups,
  updateHolders,
} from './authorities.queries.ts'

type Ctx = Change<'authManage'>
type Done = Record<string, never>
type Whole = { row: AuthorityRow; groups: CoveredGroup[]; users: Holder[] }

const idxesOf = (list: readonly { idx: number }[]): number[] => list.map(({ idx }) => idx)
const isSameSet = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && without(a, b).length === 0
const without = (a: readonly number[], b: readonly number[]): number[] => {
  const known = new Set(b)
  return a.filter((idx) => !known.has(idx))
}

async function wholeOf(db: Reader, row: AuthorityRow): Promise<Whole> {
  return { row, groups: await findCoveredGroups(db, row.idx), users: await findHolders(db, row.idx) }
}

export const listAuthorities = async ({ read }: Read) => ({ auths: await findAuthorities(read) })

export async function readAuthority({ read }: Read, { idx }: { idx: number }) {
  const row = await findAuthority(read, idx)
  if (row === undefined) fail('NOT_ALLOWED')
  const { groups, users } = await wholeOf(read, row)
  return { ...row, groups, users }
}

/** The authority as it is, held against other changes; 984 where the caller has seen an older one. */
async function lockWhole(tx: Tx, idx: number, revision: number | undefined): Promise<Whole> {
  const row = await findAuthorityForUpdate(tx, idx)
  if (row === undefined) fail('NOT_ALLOWED')
  if (revision !== undefined && revision !== row.revision) fail('CHANGED_MEANWHILE')
  return wholeOf(tx, row)
}

/** Holds everybody whose rights may change. Unknown new holders answer 980, system administrators 126. */
async function lockPeople(tx: Tx, holders: readonly Holder[], newIdxes: readonly number[]): Promise<void> {
  const locked = await findUsersForUpdate(tx, [...new Set([...idxesOf(holders), ...newIdxes])])
  const known = new Map(locked.map((user) => [user.idx, user.isAdmin]))
  if (newIdxes.some((idx) => !known.has(idx))) fail('NOT_ALLOWED')
  if (newIdxes.some((idx) => known.get(idx) === 1)) fail('ADMIN_SELECTED')
}

/** Ends the sessions of whoever's rights changed, and tells everybody that what they loaded is out of date. */
async function announce(tx: Tx, app: HandlerServices, idx: number, userIdxes: readonly number[]): Promise<void> {
  await endSessionsOf(tx, app, userIdxes)
  await raiseRightsRevision(tx)
  await notify(tx, { topic: 'authorities', idx })
}

/** Creates an authority and gives it to its first holders. */
export function createAuthority(
  ctx: Ctx,
  { groupIdxes, userIdxes, ...columns }: NewAuthority,
): Promise<{ idx: number }> {
  return ctx.change(async (tx) => {
    await lockPeople(tx, [], userIdxes)
    const row = await insertAuthority(tx, columns)
    await updateGroups(tx, row.idx, groupIdxes)
    await updateHolders(tx, row.idx, userIdxes)
    await announce(tx, ctx.app, row.idx, userIdxes)
    const { groups, users } = await wholeOf(tx, row)
    const lists = { groups: { before: [], after: groups }, users: { before: [], after: users } }
    return { result: { idx: row.idx }, log: [authorityLog(AuthManage.CREATE, row, null, lists)] }
  })
}

/** The history rows of a change: one of what the authority is, one of who holds it, as far as they differ. */
function changeLogs(before: Whole, after: Whole): HistoryEntry<'authManage'>[] {
  const groups: BeforeAfter<CoveredGroup> = { before: before.groups, after: after.groups }
  const users: BeforeAfter<Holder> = { before: before.users, after: after.users }
  const isChanged =
    !isUnchangedAuthority(before.row, after.row) || !isSameSet(idxesOf(before.groups), idxesOf(after.groups))
  const entries: HistoryEntry<'authManage'>[] = []
  if (isChanged) entries.push(authorityLog(AuthManage.UPDATE_AUTH, after.row, before.row, { groups }))
  if (!isSameSet(idxesOf(before.users), idxesOf(after.users)))
    entries.push(authorityLog(AuthManage.UPDATE_MANAGER, after.row, before.row, { users }))
  return entries
}

const LEVELS = ['policy', 'user', 'fileImportApprove', 'fileExportApprove', 'log'] as const

/** Whose rights a change touches: every holder's where levels or groups differ, else those who come and those who go. */
function touchedBy(before: Whole, after: Whole): number[] {
  const [old, now] = [idxesOf(before.users), idxesOf(after.users)]
  const isAnotherRight =
    LEVELS.some((level) => before.row[level] !== after.row[level]) ||
    !isSameSet(idxesOf(before.groups), idxesOf(after.groups))
  return isAnotherRight ? [...new Set([...old, ...now])] : [...without(old, now), ...without(now, old)]
}

type Wanted = { columns?: Columns; groupIdxes?: number[]; userIdxes?: number[] | undefined }

/** Makes an authority what it is to be; what is not told stays. */
function write(ctx: Ctx, idx: number, revision: number | undefined, wanted: Wanted): Promise<Done> {
  return ctx.change(async (tx) => {
    const before = await lockWhole(tx, idx, revision)
    const { columns = {}, groupIdxes, userIdxes } = wanted
    await lockPeople(tx, before.users, userIdxes ?? [])
    if (groupIdxes !== undefined) await updateGroups(tx, idx, groupIdxes)
    if (userIdxes !== undefined) await updateHolders(tx, idx, userIdxes)
    const after = await wholeOf(tx, { ...before.row, ...columns })
    const log = changeLogs(before, after)
    if (log.length === 0) return { result: {}, log: 'unchanged' }
    await updateAuthorityRow(tx, idx, columns)
    await announce(tx, ctx.app, idx, touchedBy(before, after))
    return { result: {}, log: logOf(log) }
  })
}

/** Changes what an authority is and covers; its holders too where they are given. */
export const updateAuthority = (
  ctx: Ctx,
  { idx, revision, groupIdxes, userIdxes, ...columns }: AuthorityChange,
): Promise<Done> => write(ctx, idx, revision, { columns, groupIdxes, userIdxes })

/** Gives the authority to exactly these users. */
export const setHolders = (
  ctx: Ctx,
  { idx, userIdxes, revision }: { idx: number; userIdxes: number[]; revision?: number | undefined },
): Promise<Done> => write(ctx, idx, revision, { userIdxes })

/** Deletes an authority; whoever held it loses what it gave. */
export function removeAuthority(ctx: Ctx, { idx }: { idx: number }): Promise<Done> {
  return ctx.change(async (tx) => {
    const before = await lockWhole(tx, idx, undefined)
    await lockPeople(tx, before.users, [])
    await deleteAuthority(tx, idx)
    await announce(tx, ctx.app, idx, idxesOf(before.users))
    const lists = { groups: { before: before.groups, after: [] }, users: { before: before.users, after: [] } }
    return { result: {}, log: [authorityLog(AuthManage.DELETE, before.row, null, lists)] }
  })
}
