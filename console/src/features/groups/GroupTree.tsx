// The tree of groups, for navigation and for picking in dialogs. Only the visible rows are rendered, so that 10,000
// groups scroll smoothly. Arrow keys move, expand and collapse; letters jump to a name; Enter and Space select.
import { MAX_LENGTH } from '@acc/contract/core/limits'
import type { Group } from '@acc/contract/groups'
import { TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useLatest } from '../../kit/browser/useLatest.ts'
import { useShortcut } from '../../kit/browser/useShortcut.ts'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './GroupTree.module.css'
import { GroupTreeRow } from './GroupTreeRow.tsx'
import type { GroupRow } from './groupRows.ts'
import { groupsTexts } from './groups.ts'
import { ROW, useGroupTree } from './useGroupTree.ts'

const PAGE = 15

type PressTreeKeyTree = {
  rows: readonly GroupRow[]
  /** The active row. */
  at: number
  closed: ReadonlySet<number>
  go: (index: number) => void
  toggle: (idx: number) => void
  choose: (group: Group) => void
}

/** Returns the next row whose name starts with the typed text. */
function jumpToLetter(letter: string, { rows, at, go }: PressTreeKeyTree): void {
  const after = [...rows.slice(at + 1), ...rows.slice(0, at + 1)]
  const found = after.find((row) => row.group.name.toLocaleLowerCase().startsWith(letter.toLocaleLowerCase()))
  if (found) go(rows.indexOf(found))
}

/**
 * Keyboard handling of the group tree (WAI-ARIA tree view pattern). Returns false for keys that the tree does not
 * handle.
 */
export function pressTreeKey(key: string, tree: PressTreeKeyTree): boolean {
  const { rows, at, closed, go, toggle, choose } = tree
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
    ['PageDown', () => go(Math.min(rows.length - 1, at + PAGE))],
    ['PageUp', () => go(Math.max(0, at - PAGE))],
    ['ArrowRight', () => isParent && (isClosed ? toggle(row.group.idx) : go(at + 1))],
    ['ArrowLeft', () => (isParent && !isClosed ? toggle(row.group.idx) : parentAt >= 0 && go(parentAt))],
    ['Enter', () => choose(row.group)],
    [' ', () => choose(row.group)],
  ])
  const move = moves.get(key)
  if (move) move()
  else if (key.length === 1) jumpToLetter(key, tree)
  return move !== undefined
}

type Props = {
  groups: readonly Group[]
  /** The focused or selected group. */
  selected?: number | undefined
  onSelect?: (group: Group) => void
  /** The checked groups; if given, rows have checkboxes. */
  checked?: ReadonlySet<number>
  onCheck?: (group: Group, isChecked: boolean) => void
  /** Returns why a group cannot be selected; undefined if it can. */
  whyDisabled?: (group: Group) => string | undefined
  /** Menu on the hovered, the selected and the active row; on every row of a touch screen. */
  actions?: (group: Group) => ReactNode
  /** A new group: the tree takes the focus once it shows it. */
  arrived?: number | undefined
  onArrived?: () => void
  /** Whether `/` focuses the search field. */
  takesSlash?: boolean
}
type Tree = ReturnType<typeof useGroupTree>
type BodyProps = Props & { tree: Tree; onChoose: (group: Group) => void }

function Rows({ tree, id, onChoose, ...props }: BodyProps & { id: string }) {
  const { rows, view, closed, at } = tree
  const { selected, checked, onCheck, whyDisabled, actions } = props
  const [pointed, setPointed] = useState<number>()
  const isTouch = useMediaQuery('(hover: none)')
  const activeIdx = rows[at]?.group.idx
  const hasMenu = ({ group: { idx } }: GroupRow) => isTouch || [pointed, selected, activeIdx].includes(idx)
  return rows
    .slice(view.first, view.last)
    .map((row, index) => (
      <GroupTreeRow
        key={row.group.idx}
        id={`${id}-${row.group.idx}`}
        top={(view.first + index) * ROW}
        row={row}
        isClosed={closed.has(row.group.idx)}
        isSelected={row.group.idx === selected}
        isActive={activeIdx === row.group.idx}
        isChecked={onCheck ? (checked?.has(row.group.idx) ?? false) : undefined}
        why={whyDisabled?.(row.group)}
        found={tree.found}
        menu={hasMenu(row) ? actions?.(row.group) : undefined}
        onPoint={setPointed}
        onToggle={tree.toggle}
        onChoose={onChoose}
      />
    ))
}

function Body(props: BodyProps) {
  const { tree, onCheck, onChoose } = props
  const t = useTexts(groupsTexts)
  const id = useId()
  const { rows, at, view } = tree
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    if (pressTreeKey(event.key, { ...tree, choose: onChoose })) event.preventDefault()
  }
  return (
    <div
      ref={view.attach}
      className={css.body}
      role="tree"
      tabIndex={0}
      aria-label={t('tree.groups')}
      aria-multiselectable={onCheck ? true : undefined}
      aria-activedescendant={rows[at] ? `${id}-${rows[at].group.idx}` : undefined}
      onScroll={(event) => view.setTop(event.currentTarget.scrollTop)}
      onKeyDown={press}
    >
      <div style={{ height: rows.length * ROW, position: 'relative' }} role="presentation">
        <Rows {...props} id={id} />
      </div>
    </div>
  )
}

export function GroupTree(props: Props) {
  const t = useTexts(groupsTexts)
  const tree = useGroupTree(props.groups, props.selected)
  const search = useRef<HTMLInputElement>(null)
  const { arrived, onArrived } = props
  const { rows, view } = tree
  useEffect(() => {
    if (arrived === undefined || !rows.some(({ group }) => group.idx === arrived)) return
    view.focus()
    onArrived?.()
  }, [arrived, onArrived, rows, view])
  useShortcut(props.takesSlash ? '/' : null, () => search.current?.focus(), { within: search })
  const choose = useLatest((group: Group) => {
    tree.setActive(group.idx)
    if (props.whyDisabled?.(group) !== undefined) return
    if (props.onCheck) props.onCheck(group, !props.checked?.has(group.idx))
    else props.onSelect?.(group)
  })
  // Enter never submits a form around the tree; while a Korean syllable is composed it only completes the syllable.
  const pressInSearch = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const match = tree.findFirst()
    if (event.key === 'ArrowDown') tree.enter()
    else if (event.key === 'Enter') match && choose(match)
    else return
    event.preventDefault()
  }
  return (
    <div className={css.tree}>
      <TextInput
        ref={search}
        data-autofocus
        aria-label={t('tree.search')}
        placeholder={t('tree.search')}
        maxLength={MAX_LENGTH.searchText}
        leftSection={<IconSearch size={14} />}
        value={tree.search}
        onChange={(event) => tree.setSearch(event.currentTarget.value)}
        onKeyDown={pressInSearch}
      />
      {tree.rows.length === 0 && <Empty title={t('tree.noMatch')} onClear={() => tree.setSearch('')} />}
      <span className="unseen" role="status">
        {tree.found !== '' && t('tree.matches', { count: tree.matches })}
      </span>
      <Body {...props} tree={tree} onChoose={choose} />
    </div>
  )
}
