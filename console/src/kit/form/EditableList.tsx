// A short list in a form or a pane: add, click a row to edit it, or turn on the edit mode, check rows and
// delete them (spec S1 §2, §4). Changed rows are marked.
import { Button, Checkbox, Tooltip } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './EditableList.module.css'
import { ReasonedButton } from './ReasonedButton.tsx'

type Props<T> = {
  title: string
  items: readonly T[]
  idOf: (item: T) => number
  /** The accessible name of the item's checkbox. */
  nameOf: (item: T) => string
  columns: readonly { title: string; width?: number; render: (item: T) => ReactNode }[]
  empty: string
  /** An absent handler removes its action. */
  onAdd?: () => void
  addLabel?: string
  onEdit?: (item: T) => void
  onRemove?: (items: T[]) => void
  /** Returns why an item cannot be checked; undefined if it can. */
  whyLocked?: (item: T) => string | undefined
  isChanged?: (item: T) => boolean
}

type HeadProps<T> = Props<T> & { isEditing: boolean; chosen: T[]; onEditing: (isEditing: boolean) => void }

function Head<T>({ title, items, onAdd, addLabel, onRemove, isEditing, chosen, onEditing }: HeadProps<T>) {
  const t = useTexts(kitTexts)
  const remove = () => {
    onRemove?.(chosen)
    onEditing(false)
  }
  return (
    <div className={css.head}>
      <h3>
        {title} <span>{isEditing ? t('list.selected', { count: chosen.length }) : items.length}</span>
      </h3>
      {isEditing ? (
        <>
          <ReasonedButton
            size="compact-sm"
            variant="default"
            c={chosen.length > 0 ? 'var(--bad)' : undefined}
            whyDisabled={chosen.length > 0 ? undefined : t('list.noneSelected')}
            onClick={remove}
          >
            {t('remove')}
          </ReasonedButton>
          <Button size="compact-sm" variant="default" onClick={() => onEditing(false)}>
            {t('done')}
          </Button>
        </>
      ) : (
        <>
          {onRemove && (
            <ReasonedButton
              size="compact-sm"
              variant="subtle"
              color="gray"
              whyDisabled={items.length > 0 ? undefined : t('list.nothingToEdit')}
              onClick={() => onEditing(true)}
            >
              {t('edit')}
            </ReasonedButton>
          )}
          {onAdd && (
            <Button size="compact-sm" variant="default" leftSection={<IconPlus size={13} />} onClick={onAdd}>
              {addLabel ?? t('add')}
            </Button>
          )}
        </>
      )}
    </div>
  )
}

/** The checked items of the edit mode; locked ones cannot be checked. */
function useSelection<T>({ items, idOf, whyLocked }: Props<T>) {
  const [isEditing, setEditing] = useState(false)
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const open = items.filter((item) => whyLocked?.(item) === undefined)
  const chosen = open.filter((item) => ids.has(idOf(item)))
  const isAll = chosen.length === open.length && open.length > 0
  return {
    isEditing,
    chosen,
    isAll,
    isSome: chosen.length > 0 && !isAll,
    has: (id: number) => ids.has(id),
    toggle: (id: number) => setIds(new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id])),
    toggleAll: () => setIds(new Set(isAll ? [] : open.map(idOf))),
    edit: (on: boolean) => {
      setIds(new Set())
      setEditing(on)
    },
  }
}

type RowProps<T> = Props<T> & { item: T; choice: ReturnType<typeof useSelection<T>> }

function Row<T>({ item, choice, idOf, nameOf, columns, onEdit, whyLocked, isChanged }: RowProps<T>) {
  const t = useTexts(kitTexts)
  const id = idOf(item)
  const locked = whyLocked?.(item)
  const check = locked === undefined ? () => choice.toggle(id) : undefined
  const act = choice.isEditing ? check : onEdit && (() => onEdit(item))
  return (
    <tr
      data-changed={isChanged?.(item) || undefined}
      data-active={act !== undefined || undefined}
      tabIndex={act && !choice.isEditing ? 0 : undefined}
      onClick={act}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget) act?.()
      }}
    >
      {choice.isEditing && (
        <td className={css.check}>
          <Tooltip label={locked} disabled={locked === undefined}>
            <Checkbox
              aria-label={t('selectRow', { name: nameOf(item) })}
              checked={choice.has(id)}
              disabled={locked !== undefined}
              onChange={() => choice.toggle(id)}
              onClick={(event) => event.stopPropagation()}
            />
          </Tooltip>
        </td>
      )}
      {columns.map((column) => (
        <td key={column.title}>{column.render(item)}</td>
      ))}
    </tr>
  )
}

export function EditableList<T>(props: Props<T>) {
  const t = useTexts(kitTexts)
  const choice = useSelection(props)
  return (
    <div className={css.list}>
      <Head {...props} isEditing={choice.isEditing} chosen={choice.chosen} onEditing={choice.edit} />
      {props.items.length === 0 ? (
        <p className={css.empty}>{props.empty}</p>
      ) : (
        <table className={css.table}>
          <thead>
            <tr>
              {choice.isEditing && (
                <th className={css.check}>
                  <Checkbox
                    aria-label={t('selectAll')}
                    checked={choice.isAll}
                    indeterminate={choice.isSome}
                    onChange={choice.toggleAll}
                  />
                </th>
              )}
              {props.columns.map((column) => (
                <th key={column.title} scope="col" style={{ width: column.width }}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {props.items.map((item) => (
              <Row key={props.idOf(item)} {...props} item={item} choice={choice} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
