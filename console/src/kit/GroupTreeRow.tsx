// One row of the group tree: its depth, name, marks and number.
import type { Group } from '@acc/contract/groups'
import { Checkbox } from '@mantine/core'
import { IconChevronRight, IconCircleFilled, IconRefresh, IconShare2 } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatNumber } from './format.ts'
import css from './GroupTree.module.css'
import type { GroupRow } from './groups.ts'
import { kitTexts } from './kit.texts.ts'
import { useTexts } from './texts.ts'

type Props = {
  id: string
  top: number
  row: GroupRow
  isClosed: boolean
  isSelected: boolean
  isActive: boolean
  /** Undefined where the tree carries no checkboxes. */
  isChecked: boolean | undefined
  why: string | undefined
  count: number | undefined
  actions: ((group: Group) => ReactNode) | undefined
  onToggle: (idx: number) => void
  onChoose: (group: Group) => void
}

function Marks({ group }: { group: Group }) {
  const t = useTexts(kitTexts)
  return (
    <>
      {group.isMyPolicy === 1 && (
        <IconCircleFilled size={8} className={css.mark} aria-label={t('tree.ownPolicy')} role="img" />
      )}
      {group.isSync === 1 && (
        <IconRefresh size={12} className={css.mark} aria-label={t('tree.synchronised')} role="img" />
      )}
      {group.isDmsParent === 1 && (
        <IconShare2 size={12} className={css.mark} aria-label={t('tree.dmsRoot')} role="img" />
      )}
    </>
  )
}

export function GroupTreeRow({ row, why, isChecked, isActive, onToggle, onChoose, ...props }: Props) {
  const t = useTexts(kitTexts)
  const { group, depth } = row
  const isParent = group.children.length > 0
  const name = { name: group.name }
  return (
    // The tree itself takes the keys (aria-activedescendant); rows only take the pointer.
    <div
      id={props.id}
      className={css.row}
      role="treeitem"
      tabIndex={-1}
      aria-level={depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={isParent ? !props.isClosed : undefined}
      aria-selected={isChecked === undefined ? props.isSelected : undefined}
      aria-checked={isChecked}
      aria-disabled={why !== undefined || undefined}
      aria-label={group.name}
      data-active={isActive || undefined}
      title={why}
      style={{ transform: `translateY(${props.top}px)`, paddingLeft: 6 + depth * 16 }}
      onClick={() => onChoose(group)}
      onKeyDown={() => undefined}
    >
      <button
        type="button"
        className={css.toggle}
        tabIndex={-1}
        hidden={!isParent}
        aria-label={props.isClosed ? t('tree.expand', name) : t('tree.collapse', name)}
        data-open={!props.isClosed || undefined}
        onClick={(event) => {
          event.stopPropagation()
          onToggle(group.idx)
        }}
      >
        <IconChevronRight size={14} />
      </button>
      {!isParent && <span className={css.leaf} />}
      {isChecked !== undefined && (
        <Checkbox
          size="xs"
          checked={isChecked}
          disabled={why !== undefined}
          readOnly
          tabIndex={-1}
          aria-hidden
          className={css.box}
        />
      )}
      <span className={css.name} title={why ?? group.name}>
        {group.name}
      </span>
      <Marks group={group} />
      {props.count !== undefined && <span className={css.count}>{formatNumber(props.count)}</span>}
      {props.actions && <span className={css.actions}>{props.actions(group)}</span>}
    </div>
  )
}
