// A short list in a form or a pane: add; click a row to edit it; or turn on the edit mode, check rows and delete them
// (spec S1 §2, §4). Clicking a row edits it in the edit mode too, and checks it where rows cannot be edited. Changed rows and
// cells are marked.
import { Button, Checkbox, Tooltip } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { type EditMode, EditModeAction, EditModeSwitch, useEditMode } from '../form/editMode.tsx'
import { usePages } from '../layout/usePages.tsx'
import { kitTexts, useNameOf } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './EditableList.module.css'
import { type Sort, SortHead } from './SortHead.tsx'
import { sortRows } from './sortRows.ts'

type Column<T> = {
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
  columns: readonly Column<T>[]
  empty: string
  /** Without it all items are on one page. */
  rowsPerPage?: number
  /** What the items are: the number of checked ones then says it. */
  unit?: 'people'
  /** An absent handler removes its action. */
  onAdd?: () => void
  addLabel?: string
  onEdit?: (item: T) => void
  /** `false`, also as a promise: nothing was removed, and the edit mode goes on. */
  onRemove?: (items: readonly T[]) => unknown
  /** Label of the button that removes; "Delete" otherwise, which a row that goes on to exist elsewhere is not. */
  removeLabel?: string
  /** Where rows behave differently in the edit mode; the list has its own otherwise. */
  mode?: EditMode<T>
  /** Label of the button that starts the edit mode. */
  editLabel?: string
  /** Returns why an item cannot be checked; undefined if it can. */
  whyLocked?: (item: T) => string | undefined
  /** Marks the row. */
  isChanged?: (item: T) => boolean
  /** The item that is shown beside the list. */
  chosen?: number | undefined
}

type ModeProps<T> = Props<T> & { mode: EditMode<T> }

function Head<T>({ title, items, unit, onAdd, addLabel, onRemove, removeLabel, mode, editLabel }: ModeProps<T>) {
  const t = useTexts(kitTexts)
  const nameOf = useNameOf(title)
  const selected = unit === 'people' ? 'list.selectedPeople' : 'list.selected'
  const remove = async () => {
    if ((await onRemove?.(mode.checked)) !== false) mode.turn(false)
  }
  return (
    <div className={css.head}>
      <h3>
        {title} <span>{mode.isOn ? t(selected, { count: mode.checked.length }) : items.length}</span>
      </h3>
      <EditModeAction
        size="compact-sm"
        mode={mode}
        label={removeLabel ?? t('remove')}
        subject={title}
        isDanger
        onClick={() => void remove()}
      />
      {onRemove && (
        <EditModeSwitch
          size="compact-sm"
          variant="subtle"
          color="gray"
          mode={mode}
          label={editLabel}
          subject={title}
          isEmpty={items.length === 0}
        />
      )}
      {onAdd && !mode.isOn && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={13} />}
          aria-label={nameOf(addLabel ?? t('add'))}
          onClick={onAdd}
        >
          {addLabel ?? t('add')}
        </Button>
      )}
    </div>
  )
}

type KeyedRow = { idx: number }

function toggled<T extends KeyedRow>(checked: readonly T[], items: readonly T[], isChecked: boolean): T[] {
  const idxes = new Set(items.map(({ idx }) => idx))
  const others = checked.filter(({ idx }) => !idxes.has(idx))
  return isChecked ? [...others, ...items] : others
}

type RowProps<T> = ModeProps<T> & { item: T }

function Row<T extends KeyedRow>({ item, mode, nameOf, columns, onEdit, whyLocked, isChanged, chosen }: RowProps<T>) {
  const t = useTexts(kitTexts)
  const id = useId()
  const cellId = (at: number) => `${id}-${at}`
  const locked = whyLocked?.(item)
  const isChecked = mode.checked.some(({ idx }) => idx === item.idx)
  const check = locked === undefined ? () => mode.check(toggled(mode.checked, [item], !isChecked)) : undefined
  const edit = onEdit && (() => onEdit(item))
  const act = edit ?? (mode.isOn ? check : undefined)
  return (
    <tr
      data-changed={isChanged?.(item) || undefined}
      data-active={act !== undefined || undefined}
      data-checked={(mode.isOn && isChecked) || undefined}
      aria-current={chosen === item.idx || undefined}
      tabIndex={edit && 0}
      aria-labelledby={edit && columns.map((_, at) => cellId(at)).join(' ')}
      onClick={({ target }) => {
        if (target instanceof Element && !target.closest(`.${css.check}`)) act?.()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget) act?.()
      }}
    >
      {mode.isOn && (
        <td className={css.check}>
          <Tooltip label={locked} disabled={locked === undefined}>
            <Checkbox
              aria-label={t('selectRow', { name: nameOf(item) })}
              checked={isChecked}
              disabled={locked !== undefined}
              onChange={check}
            />
          </Tooltip>
        </td>
      )}
      {columns.map((column, at) => (
        <td key={column.title} id={cellId(at)} data-changed={column.isChanged?.(item) || undefined}>
          {column.render(item)}
        </td>
      ))}
    </tr>
  )
}

/** The checkbox of the page that is shown. */
function CheckAll<T extends KeyedRow>({ mode, shown, whyLocked }: ModeProps<T> & { shown: readonly T[] }) {
  const t = useTexts(kitTexts)
  const open = shown.filter((item) => whyLocked?.(item) === undefined)
  const checked = open.filter((item) => mode.checked.some(({ idx }) => idx === item.idx))
  const isAll = checked.length === open.length && open.length > 0
  return (
    <Checkbox
      aria-label={t('selectAll')}
      checked={isAll}
      indeterminate={checked.length > 0 && !isAll}
      onChange={() => mode.check(toggled(mode.checked, open, !isAll))}
    />
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
  const heading = ({ title, sortBy }: Column<T>): ReactNode =>
    sortBy === undefined ? (
      title
    ) : (
      <SortHead column={title} title={title} sort={sort ?? { by: '', order: 'asc' }} onSort={setSort} />
    )
  return { sorted, heading }
}

export function EditableList<T extends KeyedRow>(props: Props<T>) {
  const own = useEditMode(props.items)
  const { mode = own } = props
  const { sorted, heading } = useSorted(props)
  const { shown, buttons } = useItemPages({ ...props, items: sorted })
  return (
    <div className={css.list}>
      <Head {...props} mode={mode} />
      {props.items.length === 0 ? (
        <p className={css.empty}>{props.empty}</p>
      ) : (
        <div className={css.scroll}>
          <table className={css.table} aria-label={props.title}>
            <thead>
              <tr>
                {mode.isOn && (
                  <th className={css.check}>
                    <CheckAll {...props} mode={mode} shown={shown} />
                  </th>
                )}
                {props.columns.map((column) => (
                  <th key={column.title} scope="col" style={{ width: column.width }}>
                    {heading(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((item) => (
                <Row key={item.idx} {...props} item={item} mode={mode} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {buttons}
    </div>
  )
}
