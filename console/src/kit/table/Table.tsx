// The table under all lists: head, rows, checkboxes, and scrolling. Lists add their sorting, pages and actions.
import { Checkbox, ScrollArea } from '@mantine/core'
import {
  type ComponentProps,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useRef,
  useSyncExternalStore,
} from 'react'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './Table.module.css'
import { cardOf, useCards } from './tableCards.tsx'

export type KeyedRow = { idx: number }

export type TableColumn<T> = {
  key: string
  title: string
  /** In place of the title: a button that sorts. */
  head?: ReactNode
  render: (row: T) => ReactNode
  /** In pixels; columns without one share the rest. */
  width?: number | undefined
  align?: 'left' | 'right' | undefined
  /** Shown only in windows of at least this width in pixels. */
  from?: number | undefined
  /** Marks of the cell for its color and its breaks. */
  cell?: (row: T) => { [mark: `data-${string}`]: true | undefined }
}

export type Checks<T> = {
  checked: readonly T[]
  onCheck: (rows: T[]) => void
  /** The accessible name of a row's checkbox. */
  nameOf: (row: T) => string
  /** Returns why a row cannot be checked; undefined if it can. */
  whyLocked?: ((row: T) => string | undefined) | undefined
}

type RowLook = Pick<ComponentProps<'tr'>, 'tabIndex' | 'aria-current'> & {
  [mark: `data-${string}`]: string | number | boolean | undefined
}

type Props<T> = {
  label: string
  rows: readonly T[]
  columns: readonly TableColumn<T>[]
  /** Shows checkboxes. */
  checks?: Checks<T> | undefined
  /** A click on a row; on its checkbox it has none. Undefined for rows that do nothing. */
  onRow?: ((row: T) => (() => void) | undefined) | undefined
  look?: (row: T) => RowLook
  /** A line above a row that says what the rows below it have in common. */
  captionAt?: (at: number) => string | undefined
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  isBusy?: boolean
  /** `fills`: takes the height of its place, below a head that stays; `list`, `facts`: as high as its rows. */
  kind: 'fills' | 'list' | 'facts'
  minWidth?: number
  /** Shown in the place of rows. */
  empty?: ReactNode
  /** A row that takes the focus is named by so many cells; by all unless given. */
  namingCells?: number | undefined
}

/** Returns the checked rows after a change of some. */
export function toggled<T extends KeyedRow>(checked: readonly T[], rows: readonly T[], isChecked: boolean): T[] {
  const idxes = new Set(rows.map(({ idx }) => idx))
  const others = checked.filter(({ idx }) => !idxes.has(idx))
  return isChecked ? [...others, ...rows] : others
}

/** Checks or unchecks one row, unless it is locked. */
export function toggle<T extends KeyedRow>({ checked, onCheck, whyLocked }: Checks<T>, row: T): void {
  if (whyLocked?.(row) !== undefined) return
  onCheck(toggled(checked, [row], !checked.some(({ idx }) => idx === row.idx)))
}

function onResize(run: () => void) {
  addEventListener('resize', run)
  return () => removeEventListener('resize', run)
}

/** The checkboxes of the rows that are shown. With Shift, a range of rows is checked. */
function useCheckboxes<T extends KeyedRow>(rows: readonly T[], checks: Checks<T> | undefined) {
  const t = useTexts(kitTexts)
  const last = useRef<number>(undefined)
  if (checks === undefined) return { all: null, of: () => null, has: () => undefined }
  const { checked, onCheck, nameOf, whyLocked } = checks
  const idxes = new Set(checked.map(({ idx }) => idx))
  const open = rows.filter((row) => whyLocked?.(row) === undefined)
  const count = open.filter(({ idx }) => idxes.has(idx)).length
  const isAll = count > 0 && count === open.length
  const press = (row: T, isRange: boolean) => {
    const at = rows.indexOf(row)
    const from = isRange ? (last.current ?? at) : at
    const range = rows.slice(Math.min(from, at), Math.max(from, at) + 1)
    onCheck(
      toggled(
        checked,
        range.filter((one) => open.includes(one)),
        !idxes.has(row.idx),
      ),
    )
    last.current = at
  }
  return {
    all: (
      <th className={css.check}>
        <Checkbox
          aria-label={t('selectAll')}
          checked={isAll}
          indeterminate={count > 0 && !isAll}
          disabled={open.length === 0}
          onChange={() => onCheck(toggled(checked, open, !isAll))}
        />
      </th>
    ),
    of: (row: T) => (
      <td className={css.check} title={whyLocked?.(row)}>
        <Checkbox
          aria-label={t('selectRow', { name: nameOf(row) })}
          title={whyLocked?.(row)}
          checked={idxes.has(row.idx)}
          disabled={whyLocked?.(row) !== undefined}
          onChange={({ nativeEvent }) => press(row, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
        />
      </td>
    ),
    has: (row: T) => idxes.has(row.idx) || undefined,
  }
}

export function Table<T extends KeyedRow>(props: Props<T>) {
  const { rows, onRow, look, kind, namingCells } = props
  const id = useId()
  const width = useSyncExternalStore(onResize, () => innerWidth)
  const columns = props.columns.filter(({ from = 0 }) => width >= from)
  const checkboxes = useCheckboxes(rows, props.checks)
  const cellId = (row: T, at: number) => `${id}${row.idx}-${at}`
  const { place, isCards } = useCards(width)
  const shown = isCards ? [cardOf(columns, cellId)] : columns
  const table = (
    <table
      className={css.table}
      style={{ minWidth: isCards ? undefined : props.minWidth }}
      aria-label={props.label}
      aria-busy={props.isBusy}
      onKeyDown={props.onKeyDown}
    >
      <thead>
        <tr>
          {checkboxes.all}
          {shown.map(({ key, title, head = title, align, width }) => (
            <th key={key} scope="col" data-align={align} style={{ width }}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => {
          const looks = look?.(row)
          const caption = props.captionAt?.(at)
          const act = onRow?.(row)
          return (
            <Fragment key={row.idx}>
              {caption !== undefined && (
                <tr className={css.caption}>
                  <th scope="rowgroup" colSpan={shown.length + (props.checks ? 1 : 0)}>
                    {caption}
                  </th>
                </tr>
              )}
              <tr
                {...looks}
                data-active={act && true}
                data-checked={checkboxes.has(row)}
                aria-labelledby={
                  looks?.tabIndex === undefined
                    ? undefined
                    : columns
                        .slice(0, namingCells)
                        .map((_, at) => cellId(row, at))
                        .join(' ')
                }
                onClick={({ target }) => {
                  if (target instanceof Element && !target.closest(`.${css.check}`)) act?.()
                }}
              >
                {checkboxes.of(row)}
                {shown.map((column, at) => (
                  <td
                    key={column.key}
                    id={isCards ? undefined : cellId(row, at)}
                    data-align={column.align}
                    {...column.cell?.(row)}
                  >
                    {column.render(row)}
                  </td>
                ))}
              </tr>
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
  if (kind !== 'fills')
    return (
      <div ref={place} className={css[kind]}>
        {table}
      </div>
    )
  return (
    <div ref={place} className={css.place}>
      <ScrollArea h="100%" scrollbarSize={8}>
        {table}
      </ScrollArea>
      {rows.length === 0 && <div className={css.empty}>{props.empty}</div>}
    </div>
  )
}

const titleOf = (content: ReactNode) => (typeof content === 'string' ? content : undefined)

/** Two values of a row below each other, the second one smaller; both are cut with their whole text as a tooltip. */
export function TwoLines({ above, below }: { above: ReactNode; below: ReactNode }) {
  return (
    <span className={css.lines}>
      <span title={titleOf(above)}>{above}</span>
      {below !== false && <small title={titleOf(below)}>{below}</small>}
    </span>
  )
}
