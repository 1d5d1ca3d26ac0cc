// The tree of groups, for navigation and for choosing in dialogs. Only the rows in view are drawn, so that 10,000
// groups scroll at the screen's own rate. Arrow keys move, open and close; letters jump; Enter and Space choose.
import type { Group } from '@acc/contract/groups'
import { TextInput } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import css from './GroupTree.module.css'
import { GroupTreeRow } from './GroupTreeRow.tsx'
import { flattenGroups, type GroupRow, visibleRows } from './groups.ts'
import { kitTexts } from './kit.texts.ts'
import { Empty } from './Status.tsx'
import { useTexts } from './texts.ts'

const ROW = 30
const OVERSCAN = 8

type Props = {
  groups: readonly Group[]
  /** The group in focus, or the one chosen. */
  selected?: number | undefined
  onSelect?: (group: Group) => void
  /** With these the rows carry checkboxes. */
  checked?: ReadonlySet<number>
  onCheck?: (group: Group, isChecked: boolean) => void
  /** Why a group cannot be chosen; undefined where it can. */
  whyDisabled?: (group: Group) => string | undefined
  /** The number on the right; the people of the group unless told. */
  countOf?: (group: Group) => number | undefined
  /** A menu that stands on the row under the pointer and on the selected one. */
  actions?: (group: Group) => ReactNode
  label?: string
}

/** Which rows are in view. */
function useWindow(count: number) {
  const { ref, height } = useElementSize<HTMLDivElement>()
  const [top, setTop] = useState(0)
  const first = Math.max(0, Math.floor(top / ROW) - OVERSCAN)
  const last = Math.min(count, Math.ceil((top + (height || 600)) / ROW) + OVERSCAN)
  return { ref, first, last, setTop }
}

type Keys = {
  rows: GroupRow[]
  at: number
  closed: ReadonlySet<number>
  go: (index: number) => void
  toggle: (idx: number) => void
  choose: (group: Group) => void
}

/** What a key does in the tree (WAI-ARIA tree view pattern); false where it is not the tree's. */
function pressKey(key: string, { rows, at, closed, go, toggle, choose }: Keys): boolean {
  const row = rows[at]
  if (!row) return false
  const isParent = row.group.children.length > 0
  const isClosed = closed.has(row.group.idx)
  const parentAt = rows.findIndex((one) => one.group.idx === row.parent?.idx)
  const moves = new Map<string, () => unknown>([
    ['ArrowDown', () => go(at + 1)],
    ['ArrowUp', () => go(at - 1)],
    ['Home', () => go(0)],
    ['End', () => go(rows.length - 1)],
    ['PageDown', () => go(Math.min(rows.length - 1, at + 15))],
    ['PageUp', () => go(Math.max(0, at - 15))],
    ['ArrowRight', () => (isParent ? (isClosed ? toggle(row.group.idx) : go(at + 1)) : undefined)],
    ['ArrowLeft', () => (isParent && !isClosed ? toggle(row.group.idx) : parentAt >= 0 && go(parentAt))],
    ['Enter', () => choose(row.group)],
    [' ', () => choose(row.group)],
  ])
  const move = moves.get(key)
  if (move) move()
  else if (key.length === 1) {
    const after = [...rows.slice(at + 1), ...rows.slice(0, at + 1)]
    const found = after.find((one) => one.group.name.toLocaleLowerCase().startsWith(key.toLocaleLowerCase()))
    if (found) go(rows.indexOf(found))
  }
  return move !== undefined
}

export function GroupTree(props: Props) {
  const { groups, selected, onSelect, checked, onCheck, whyDisabled, label } = props
  const t = useTexts(kitTexts)
  const id = useId()
  const [search, setSearch] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set())
  const wanted = useDeferredValue(search)
  const all = useMemo(() => flattenGroups(groups), [groups])
  const rows = useMemo(() => visibleRows(all, closed, wanted), [all, closed, wanted])
  const [active, setActive] = useState<number | undefined>(selected)
  const view = useWindow(rows.length)
  const body = useRef<HTMLDivElement>(null)
  const at = Math.max(
    0,
    rows.findIndex((row) => row.group.idx === (active ?? selected)),
  )

  const toggle = (idx: number) =>
    setClosed((now) => new Set(now.has(idx) ? [...now].filter((one) => one !== idx) : [...now, idx]))
  const go = (index: number) => {
    const row = rows[index]
    const box = body.current
    if (!row || !box) return
    setActive(row.group.idx)
    if (index * ROW < box.scrollTop) box.scrollTop = index * ROW
    else if ((index + 1) * ROW > box.scrollTop + box.clientHeight) box.scrollTop = (index + 1) * ROW - box.clientHeight
  }
  const choose = (group: Group) => {
    setActive(group.idx)
    if (whyDisabled?.(group) !== undefined) return
    if (onCheck) onCheck(group, !checked?.has(group.idx))
    else onSelect?.(group)
  }
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    if (pressKey(event.key, { rows, at, closed, go, toggle, choose })) event.preventDefault()
  }
  return (
    <div className={css.tree}>
      <TextInput
        aria-label={t('tree.search')}
        placeholder={t('tree.search')}
        maxLength={30}
        leftSection={<IconSearch size={14} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {rows.length === 0 && <Empty title={t('tree.noMatch')} />}
      <div
        ref={(element) => {
          body.current = element
          view.ref(element)
        }}
        className={css.body}
        role="tree"
        tabIndex={0}
        aria-label={label ?? t('tree.groups')}
        aria-multiselectable={onCheck ? true : undefined}
        aria-activedescendant={rows[at] ? `${id}-${rows[at].group.idx}` : undefined}
        onScroll={(event) => view.setTop(event.currentTarget.scrollTop)}
        onKeyDown={press}
      >
        <div style={{ height: rows.length * ROW, position: 'relative' }} role="presentation">
          {rows.slice(view.first, view.last).map((row, index) => (
            <GroupTreeRow
              key={row.group.idx}
              id={`${id}-${row.group.idx}`}
              top={(view.first + index) * ROW}
              row={row}
              isClosed={closed.has(row.group.idx)}
              isSelected={row.group.idx === selected}
              isActive={rows[at]?.group.idx === row.group.idx}
              isChecked={onCheck ? (checked?.has(row.group.idx) ?? false) : undefined}
              why={whyDisabled?.(row.group)}
              count={props.countOf ? props.countOf(row.group) : row.group.userCount}
              actions={props.actions}
              onToggle={toggle}
              onChoose={choose}
            />
          ))}
        </div>
      </div>
    </div>
  )
}
