// List and form of BIM servers and of always-allowed addresses (spec S2 §2.2, §4): the list on the left with search and
// edit mode, on the right the form of a new row or of the chosen one.
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { EditableList, type ListColumn } from '../../kit/table/EditableList.tsx'
import { SearchBox } from '../../kit/table/FilterBar.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Bim.module.css'
import { type BimProps, bimTexts, found } from './bim.ts'

/** Characters of a search (spec S2 §5). */
const MAX_SEARCH = 100
/** Rows of a page of the list. */
const ROWS = 12

type Row = { idx: number }
type Props<T extends Row> = BimProps & {
  rows: readonly T[]
  /** Prefix of the texts. */
  kind: 'server' | 'exception'
  columns: readonly ListColumn<T>[]
  nameOf: (row: T) => string
  textsOf: (row: T) => readonly string[]
  /** Deletes rows; returns undefined where that failed. `leave` runs before the rows are fetched again. */
  remove: (input: { idxes: number[] }, leave: () => void) => Promise<unknown>
  /** Beside the search. */
  action?: ReactNode
  createForm: ReactNode
  updateForm: (row: T) => ReactNode
}

/** Deletes rows after a question, and closes the form of one that is among them. */
function useRemove<T extends Row>({ kind, nameOf, remove, view, setView }: Props<T>) {
  const t = useTexts(bimTexts)
  const kit = useTexts(kitTexts)
  return async (rows: readonly T[]): Promise<boolean> => {
    const [first] = rows
    const { length: count } = rows
    const title = t(`${kind}.removeTitle`, { count })
    const body =
      count === 1 && first ? t(`${kind}.removeOne`, { name: nameOf(first) }) : t(`${kind}.removeMany`, { count })
    if (!(await confirm({ title, body, action: kit('remove'), isDanger: true }))) return false
    const idxes = rows.map(({ idx }) => idx)
    const close = () => {
      if (view.idx !== undefined && idxes.includes(view.idx)) setView({ idx: undefined })
    }
    if ((await remove({ idxes }, close)) === undefined) return false
    showToast(t('removed', { count }))
    return true
  }
}

function RowForm<T extends Row>({ view, setView, rows, kind, createForm, updateForm }: Props<T>) {
  const t = useTexts(bimTexts)
  if (view.mode === 'create') return createForm
  const row = rows.find(({ idx }) => idx === view.idx)
  if (row !== undefined) return updateForm(row)
  if (rows.length > 0) return <Empty title={t(`${kind}.select`)} hint={t(`${kind}.selectHint`)} />
  return (
    <Empty title={t(`${kind}.first`)} hint={t(`${kind}.firstHint`)}>
      <Button onClick={() => setView({ mode: 'create', idx: undefined })}>{t(`${kind}.add`)}</Button>
    </Empty>
  )
}

export function BimListPane<T extends Row>(props: Props<T>) {
  const { view, setView, rows, kind, columns, nameOf, textsOf, action } = props
  const t = useTexts(bimTexts)
  const shown = found(rows, view.search, textsOf)
  const list = (
    <div className="fill">
      <div className={css.search}>
        <SearchBox
          label={t(`${kind}.search`)}
          value={view.search}
          max={MAX_SEARCH}
          onChange={(search) => setView({ search }, { replace: true })}
        />
        {action}
      </div>
      <div className={css.scroll}>
        <EditableList
          title={t(`${kind}.title`)}
          items={shown}
          nameOf={nameOf}
          columns={columns}
          empty={t(rows.length === 0 ? `${kind}.none` : 'noMatch')}
          rowsPerPage={ROWS}
          chosen={view.mode === 'update' ? view.idx : undefined}
          onAdd={() => setView({ mode: 'create', idx: undefined })}
          onEdit={({ idx }) => setView({ mode: 'update', idx })}
          onRemove={useRemove(props)}
        />
      </div>
    </div>
  )
  return (
    <SplitPane
      name={`bim.${kind}`}
      label={t('chosen')}
      at="start"
      width={460}
      min={360}
      max={720}
      side={list}
      steps={{
        opened: view.mode === 'create' ? 'create' : view.idx,
        close: () => setView({ mode: undefined, idx: undefined }),
      }}
    >
      <RowForm {...props} />
    </SplitPane>
  )
}
