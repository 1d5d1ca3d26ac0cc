// One row of the group tree: depth, name, marks and number. Memoized: renders again only if its own props change.
import type { Group } from '@acc/contract/groups'
import { Box, Highlight } from '@mantine/core'
import { IconAdjustments, IconCheck, IconChevronRight, IconRefresh, IconShare2 } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { formatNumber, useTexts } from '../../kit/texts/texts.ts'
import css from './GroupTree.module.css'
import type { GroupRow } from './groupRows.ts'
import { groupsTexts } from './groups.ts'

/** Returns the indent in pixels. It grows more slowly at deep levels, so that names stay visible in a narrow pane. */
export const indentOf = (depth: number) => 6 + Math.min(depth, 4) * 16 + Math.min(Math.max(depth - 4, 0), 8) * 8

type Props = {
  id: string
  top: number
  row: GroupRow
  isClosed: boolean
  isSelected: boolean
  isActive: boolean
  /** Undefined if the tree has no checkboxes. */
  isChecked: boolean | undefined
  why: string | undefined
  /** The search text; empty without a search. */
  found: string
  menu: ReactNode
  onPoint: (idx: number) => void
  onToggle: (idx: number) => void
  onChoose: (group: Group) => void
}

function Marks({ group }: { group: Group }) {
  const t = useTexts(groupsTexts)
  const marks = [
    { isOn: group.isMyPolicy, Icon: IconAdjustments, size: 13, label: t('tree.ownPolicy') },
    { isOn: group.isSync, Icon: IconRefresh, size: 12, label: t('tree.synchronized') },
    { isOn: group.isDmsParent, Icon: IconShare2, size: 12, label: t('tree.dmsRoot') },
  ]
  return marks
    .filter(({ isOn }) => isOn === 1)
    .map(({ Icon, size, label }) => (
      <span key={label} className={css.mark} role="img" aria-label={label} title={label}>
        <Icon size={size} />
      </span>
    ))
}

type ToggleProps = { group: Group; isClosed: boolean; onToggle: (idx: number) => void }

/** Expands or collapses a group by the pointer; nothing for a group without subgroups. */
export function GroupToggle({ group, isClosed, onToggle }: ToggleProps) {
  const t = useTexts(groupsTexts)
  if (group.children.length === 0) return <Box component="span" flex="none" w={18} />
  return (
    <button
      type="button"
      className={css.toggle}
      tabIndex={-1}
      aria-label={t(isClosed ? 'tree.expand' : 'tree.collapse', { name: group.name })}
      data-open={!isClosed || undefined}
      onClick={(event) => {
        event.stopPropagation()
        onToggle(group.idx)
      }}
    >
      <IconChevronRight size={14} />
    </button>
  )
}

function Count({ of: count }: { of: number }) {
  const t = useTexts(groupsTexts)
  return (
    <span className={css.count} role="img" aria-label={t('tree.people', { count })} title={t('tree.people', { count })}>
      {formatNumber(count)}
    </span>
  )
}

export const GroupTreeRow = memo(function GroupTreeRow({ row, why, isChecked, onChoose, ...props }: Props) {
  const { group, depth } = row
  return (
    // The tree handles keys (aria-activedescendant); rows handle only the pointer.
    <div
      id={props.id}
      className={css.row}
      role="treeitem"
      tabIndex={-1}
      aria-level={depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={group.children.length > 0 ? !props.isClosed : undefined}
      aria-selected={isChecked === undefined ? props.isSelected : undefined}
      aria-checked={isChecked}
      aria-disabled={why !== undefined || undefined}
      aria-label={group.name}
      data-active={props.isActive || undefined}
      style={{ transform: `translateY(${props.top}px)`, paddingLeft: indentOf(depth) }}
      onClick={() => onChoose(group)}
      onKeyDown={() => undefined}
      onPointerEnter={() => props.onPoint(group.idx)}
    >
      <GroupToggle group={group} isClosed={props.isClosed} onToggle={props.onToggle} />
      {isChecked !== undefined && (
        <span className={css.box} data-checked={isChecked || undefined} aria-hidden>
          {isChecked && <IconCheck size={11} stroke={3} />}
        </span>
      )}
      <span className="cut" title={why ?? group.name}>
        <Highlight component="span" fz="inherit" fw="inherit" lh="inherit" c="inherit" highlight={props.found}>
          {group.name}
        </Highlight>
      </span>
      <Marks group={group} />
      <Count of={group.userCount} />
      {props.menu !== undefined && <span className={css.menu}>{props.menu}</span>}
    </div>
  )
})
