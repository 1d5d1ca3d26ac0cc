// History rows about shortcuts (spec S2 §3, shortcut log): name and URL or path, old and new.
import { ShortcutManage } from '@acc/contract/labels/history'
import type { HistoryEntry } from '../../core/change.ts'
import { type Classes, isUnchanged, withOldValues } from '../../core/historyValues.ts'
import { ShortcutKind, type ShortcutRow } from './shortcuts.queries.ts'

const CLASSES: Classes<ShortcutRow> = {
  idx: 'ignore',
  kind: 'ignore',
  name: 'track',
  target: 'track',
  targetKey: 'ignore',
  iconName: 'track',
  iconData: 'track',
}

export const isUnchangedShortcut = (before: ShortcutRow, after: ShortcutRow): boolean =>
  isUnchanged(before, after, CLASSES)

/** The events of each kind of shortcut. */
export const EVENTS = {
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
export const shortcutLog = (
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
