// Shortcuts: web pages and programs that policies put on the virtual desktop (spec S1 §2, §3, §5, §7). Administrators
// edit them. Policies that use one follow every change of it, and lose it when it is deleted.
import type { Empty } from '@acc/contract/core/fields'
import { Role } from '@acc/contract/labels/access'
import { ShortcutManage } from '@acc/contract/labels/history'
import type { ShortcutProgram, ShortcutWeb } from '@acc/contract/shortcuts'
import { type HistoryEntry, logOf, notify } from '../../core/change.ts'
import type { Change, Read } from '../../core/context.ts'
import { fail, requireAll, requireRevision } from '../../core/errors.ts'
import { type Classes, isUnchanged, withOldValues } from '../../core/historyValues.ts'
import { type List, mapList } from '../../db/list.ts'
import { readIcon } from './icons.ts'
import {
  deleteShortcuts,
  findIcons,
  insertShortcut,
  type ListedShortcut,
  listShortcuts,
  lockPoliciesOf,
  lockShortcuts,
  ShortcutKind,
  type ShortcutQuery,
  type ShortcutRow,
  updateShortcutRow,
} from './shortcuts.queries.ts'

const CLASSES: Classes<ShortcutRow> = {
  idx: 'ignore',
  kind: 'ignore',
  name: 'track',
  target: 'track',
  targetKey: 'ignore',
  iconName: 'track',
  iconData: 'track',
}

const isUnchangedShortcut = (before: ShortcutRow, after: ShortcutRow): boolean => isUnchanged(before, after, CLASSES)

/** The events of each kind of shortcut. */
const EVENTS = {
  [ShortcutKind.WEB]: {
    create: ShortcutManage.CREATE_WEB,
    update: ShortcutManage.UPDATE_WEB,
    remove: ShortcutManage.DELETE_WEB,
  },
  [ShortcutKind.PROGRAM]: {
    create: ShortcutManage.CREATE_PROGRAM,
    update: ShortcutManage.UPDATE_PROGRAM,
    remove: ShortcutManage.DELETE_PROGRAM,
  },
} as const

const logged = ({ name, target }: ShortcutRow) => ({ name, data: target })

/** A history row about a shortcut, for system administrators. */
const shortcutLog = (
  type: ShortcutManage,
  shortcut: ShortcutRow,
  before: ShortcutRow | null,
): HistoryEntry<'shortcutManage'> => ({
  kind: 'shortcutManage',
  type,
  subject: shortcut.name,
  subjectIdx: shortcut.idx,
  groupIdx: null,
  detail: withOldValues('target', logged(shortcut), before && logged(before)),
})

type Ctx = Change<'shortcutManage'>
type Input = {
  name: string
  target: string
  iconName?: string | null | undefined
  iconData?: string | null | undefined
}

/** Bytes of the icons of one response. A list may have 99,999 rows with 64 KiB each. */
const MAX_ICONS = 4 * 1024 * 1024

type Item = Omit<ShortcutWeb, 'url'> & { target: string }

/** Lists shortcuts with their icons; CSV has none. */
function search({ read, actor }: Read, kind: ShortcutKind, filter: ShortcutQuery): List<Item> {
  const list = listShortcuts(read, kind, filter)
  const itemOf = ({ policyCount, ...row }: ListedShortcut, icon?: Buffer): Item => ({
    ...row,
    iconData: icon?.toString('base64') ?? null,
    policyCount: actor.role === Role.ADMIN ? policyCount : null,
  })
  const page = async () => {
    const { totalCount, items } = await list.page()
    const idxes = items.filter(({ iconName }) => iconName !== null).map(({ idx }) => idx)
    const icons = await findIcons(read, idxes, MAX_ICONS)
    return { totalCount, items: items.map((row) => itemOf(row, icons.get(row.idx))) }
  }
  return { ...mapList(list, (row) => itemOf(row)), page }
}

const webOf = ({ target, ...item }: Item): ShortcutWeb => ({ ...item, url: target })
const programOf = ({ target, ...item }: Item): ShortcutProgram => ({ ...item, path: target })

export const searchWebs = (ctx: Read, filter: ShortcutQuery): List<ShortcutWeb> =>
  mapList(search(ctx, ShortcutKind.WEB, filter), webOf)

export const searchPrograms = (ctx: Read, filter: ShortcutQuery): List<ShortcutProgram> =>
  mapList(search(ctx, ShortcutKind.PROGRAM, filter), programOf)

/** The spelling for finding duplicates: `https://Intra.example` is `https://intra.example/`; Windows ignores case. */
const keyOf = (kind: ShortcutKind, target: string): string =>
  kind === ShortcutKind.WEB ? new URL(target).href : target.toLowerCase()

/** The columns of an input. The icon is omitted where the input says nothing about it. */
async function columnsOf(kind: ShortcutKind, { name, target, iconName, iconData }: Input) {
  const columns = { kind, name, target, targetKey: keyOf(kind, target) }
  if (iconName === undefined || iconData === undefined) return columns
  if (iconName === null || iconData === null) return { ...columns, iconName: null, iconData: null }
  const icon = await readIcon(iconName, Buffer.from(iconData, 'base64'))
  if (icon === undefined) fail('INVALID_IMAGE')
  return { ...columns, iconName, iconData: icon }
}

export async function createShortcut(ctx: Ctx, kind: ShortcutKind, input: Input): Promise<{ idx: number }> {
  const columns = await columnsOf(kind, input)
  return ctx.change(async (tx) => {
    const row = await insertShortcut(tx, columns)
    await notify(tx, { topic: 'shortcuts', idx: row.idx })
    return { result: { idx: row.idx }, log: [shortcutLog(EVENTS[kind].create, row, null)] }
  })
}

export async function updateShortcut(
  ctx: Ctx,
  kind: ShortcutKind,
  { idx, revision, ...input }: Input & { idx: number; revision?: string | undefined },
): Promise<Empty> {
  const columns = await columnsOf(kind, input)
  return ctx.change(async (tx) => {
    const [stored] = await lockShortcuts(tx, kind, [idx])
    if (stored === undefined) fail('NOT_ALLOWED')
    const { revision: latest, ...before } = stored
    requireRevision(stored, revision)
    const after = { ...before, ...columns }
    if (isUnchangedShortcut(before, after)) return { result: {}, log: 'unchanged' }
    await updateShortcutRow(tx, after)
    await notify(tx, { topic: 'shortcuts', idx })
    return { result: {}, log: [shortcutLog(EVENTS[kind].update, after, before)] }
  })
}

/** Deletes shortcuts, all or none of them. */
export function removeShortcuts(ctx: Ctx, kind: ShortcutKind, { idxes }: { idxes: number[] }): Promise<Empty> {
  return ctx.change(async (tx) => {
    await lockPoliciesOf(tx, idxes)
    const rows = await lockShortcuts(tx, kind, idxes)
    requireAll(idxes, rows)
    await deleteShortcuts(tx, idxes)
    await notify(tx, { topic: 'shortcuts' })
    return { result: {}, log: logOf(rows.map((row) => shortcutLog(EVENTS[kind].remove, row, null))) }
  })
}
