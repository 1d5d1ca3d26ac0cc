// A short list in a form or a pane: add; click a row to edit it; or turn on the edit mode, check rows and delete them
// (spec S1 §2, §4). In the edit mode a click edits a row as well, or checks it where rows cannot be edited. Changed
// rows and cells are marked.
import { type ReactNode, useState } from 'react'
import { type EditMode, ListActions, useEditMode } from '../form/editMode.tsx'
import { usePages } from '../layout/usePages.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './EditableList.module.css'
import { openByEnter } from './rowKeys.ts'
import { type Sort, SortHead, sortRows } from './SortHead.tsx'
import { type KeyedRow, Table, toggle } from './Table.tsx'

export type ListColumn<T> = {
  title: string
  width?: number
  render: (item: T) => ReactNode
  /** What a click on the heading sorts by; without it the heading is no button. */
  sortBy?: (item: T) => string | number
  /** Marks the cell. */
  isChanged?: (item: T) => boolean
}

type Props<T> = {
  title: string
  items: readonly T[]
  /** The accessible name of the item's checkbox. */
  nameOf: (item: T) => string
  columns: readonly ListColumn<T>[]
  empty: string
  /** Without it all items are on one page. */
  rowsPerPage?: number
  /** What the items are: the number of checked ones then says it. */
  unit?: 'people'
  /** An absent handler removes its action. */
  onAdd?: () => void
  addLabel?: string
  onEdit?: (item: T) => void
  /** `false`, also as a promise: nothing was removed, and the edit mode stays on. */
  onRemove?: (items: readonly T[]) => unknown
  /** Label of the button that removes, "Delete" by default. For rows that continue to exist elsewhere. */
  removeLabel?: string
  /** Where rows behave differently in the edit mode; the list has its own otherwise. */
  mode?: EditMode<T>
  /** Label of the button that starts the edit mode. */
  editLabel?: string
  /** Marks the row. */
  isChanged?: (item: T) => boolean
  /** A row that can be edited is named by so many cells; by all unless given. */
  namingCells?: number
  /** The item that is shown next to the list. */
  chosen?: number | undefined
}

type ModeProps<T> = Props<T> & { mode: EditMode<T> }

function Head<T>({ title, items, unit, onRemove, mode, ...labels }: ModeProps<T>) {
  const t = useTexts(kitTexts)
  const selected = unit === 'people' ? 'list.selectedPeople' : 'list.selected'
  const remove = async () => {
    if ((await onRemove?.(mode.checked)) !== false) mode.turn(false)
  }
  return (
    <div className={css.head}>
      <h3>
        {title} <span>{mode.isOn ? t(selected, { count: mode.checked.length }) : items.length}</span>
      </h3>
      <ListActions
        size="compact-sm"
        mode={mode}
        subject={title}
        isEmpty={items.length === 0}
        editLabel={labels.editLabel}
        onRemove={onRemove && (() => void remove())}
        removeLabel={labels.removeLabel}
        onAdd={labels.onAdd}
        addLabel={labels.addLabel}
      />
    </div>
  )
}

/** The pages of the items. An item that is added to others is shown. */
function useItemPages<T extends KeyedRow>({ items, title, rowsPerPage }: Props<T>) {
  const pages = usePages(items, { label: title, rowsPerPage })
  const idxes = items.map(({ idx }) => idx)
  const [known, setKnown] = useState(idxes)
  if (known.length !== idxes.length || known.some((idx, at) => idx !== idxes[at])) {
    const former = new Set(known)
    const added = idxes.findIndex((idx) => !former.has(idx))
    if (added >= 0 && former.size > 0) pages.showRow(added)
    setKnown(idxes)
  }
  return pages
}

/** The items in the order of the column whose heading was pressed, at first in their own. */
function useSorted<T>({ items, columns }: Props<T>) {
  const [sort, setSort] = useState<Sort | null>(null)
  const by = sort && columns.find(({ title }) => title === sort.by)?.sortBy
  const sorted = sort && by ? sortRows(items, by, sort.order) : items
  const heading = ({ title, sortBy }: ListColumn<T>): ReactNode =>
    sortBy && <SortHead column={title} title={title} sort={sort ?? { by: '', order: 'asc' }} onSort={setSort} />
  return { sorted, heading }
}

export function EditableList<T extends KeyedRow>(props: Props<T>) {
  const own = useEditMode(props.items)
  const { mode = own, nameOf, onEdit } = props
  const checks = mode.isOn ? { checked: mode.checked, onCheck: mode.check, nameOf } : undefined
  const { sorted, heading } = useSorted(props)
  const { shown, buttons } = useItemPages({ ...props, items: sorted })
  return (
    <div className={css.list}>
      <Head {...props} mode={mode} />
      {props.items.length === 0 ? (
        <p className={css.empty}>{props.empty}</p>
      ) : (
        <Table<T>
          kind="list"
          label={props.title}
          namingCells={props.namingCells}
          rows={shown}
          columns={props.columns.map((column) => ({
            key: column.title,
            title: column.title,
            head: heading(column),
            width: column.width,
            render: column.render,
            cell: (item) => ({ 'data-changed': column.isChanged?.(item) || undefined }),
          }))}
          checks={checks}
          onRow={(item) => {
            if (onEdit) return () => onEdit(item)
            return checks ? () => toggle(checks, item) : undefined
          }}
          look={(item) => ({
            'data-changed': props.isChanged?.(item) || undefined,
            'aria-current': props.chosen === item.idx || undefined,
            tabIndex: onEdit && 0,
          })}
          onKeyDown={openByEnter}
        />
      )}
      {buttons}
    </div>
  )
}
