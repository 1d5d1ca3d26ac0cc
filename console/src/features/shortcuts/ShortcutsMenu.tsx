// The menu *shortcut* of the settings (spec S1 §2, §4, §9): web and program shortcuts, searched together. A click on a
// row opens its dialog. In the edit mode it edits the row in place, and checked rows are deleted. Changed cells are
// marked until they are saved together.
import { api } from '@acc/contract'
import { MAX_TARGET, shortcutName } from '@acc/contract/shortcuts'
import { Box, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiAction } from '../../kit/api/query.ts'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { useEditMode } from '../../kit/form/editMode.tsx'
import { maxLengthOf } from '../../kit/form/formInput.ts'
import { SaveBar } from '../../kit/form/SaveBar.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { EditableList } from '../../kit/table/EditableList.tsx'
import { FilterBar, SearchBox } from '../../kit/table/FilterBar.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { ShortcutDialog } from './ShortcutDialog.tsx'
import { ShortcutIcon } from './ShortcutIcon.tsx'
import css from './Shortcuts.module.css'
import {
  rowOfProgram,
  rowOfWeb,
  type ShortcutKind,
  type ShortcutRow,
  type ShortcutValues,
  shortcutsTexts,
  useShortcutHeadings,
  useShortcutPrograms,
  useShortcutWebs,
} from './shortcuts.ts'
import { useShortcutEdits } from './useShortcutEdits.ts'

/** Rows of a page (spec S1 §9). */
const ROWS = 10

type Props = { kind: ShortcutKind; rows: readonly ShortcutRow[]; isFiltered: boolean }

function useRemove(kind: ShortcutKind, onRemoved: (idxes: readonly number[]) => void) {
  const t = useTexts(shortcutsTexts)
  const kit = useTexts(kitTexts)
  const action = useApiAction(kind === 'web' ? api.shortcuts.removeWebs : api.shortcuts.removePrograms)
  return async (rows: readonly ShortcutRow[]): Promise<boolean> => {
    const [first] = rows
    const question =
      rows.length === 1 && first ? t('removeOne', { name: first.name }) : t('removeBody', { count: rows.length })
    const uses = rows.reduce((sum, { policyCount }) => sum + (policyCount ?? 0), 0)
    const body = uses === 0 ? question : `${question}\n${t('removeUsed', { count: uses })}`
    const title = t('removeTitle', { count: rows.length })
    if (!(await confirm({ title, body, action: kit('remove'), isDanger: true }))) return false
    const idxes = rows.map(({ idx }) => idx)
    if ((await action.run({ idxes })) === undefined) return false
    onRemoved(idxes)
    showToast(t('removeDone', { count: rows.length }))
    return true
  }
}

type CellProps = {
  row: ShortcutRow
  field: keyof ShortcutValues
  label: string
  edits: ReturnType<typeof useShortcutEdits>
  isFirst?: boolean
}

/** A cell of the row that is edited. */
function CellInput({ row, field, label, edits, isFirst = false }: CellProps) {
  const value = edits.valuesOf(row)[field]
  return (
    <TextInput
      size="xs"
      aria-label={`${row.name} ${label}`}
      value={value}
      error={edits.errorOf(row, field)}
      maxLength={field === 'name' ? maxLengthOf(shortcutName) : MAX_TARGET}
      autoFocus={isFirst}
      spellCheck={false}
      onChange={(event) => edits.set(row, { [field]: event.currentTarget.value })}
      onBlur={() => value !== value.trim() && edits.set(row, { [field]: value.trim() })}
    />
  )
}

/** The row of the dialog as it was opened; undefined: a new one. */
type Open = { shortcut: ShortcutRow | undefined }

function ShortcutTable({ kind, rows, isFiltered }: Props) {
  const t = useTexts(shortcutsTexts)
  const mode = useEditMode(rows)
  const edits = useShortcutEdits(kind, rows, isFiltered)
  const remove = useRemove(kind, edits.drop)
  const [editing, setEditing] = useState<number>()
  const [open, setOpen] = useState<Open>()
  const latest = rows.find(({ idx }) => idx === open?.shortcut?.idx)
  const isEdited = (row: ShortcutRow) => edits.isWrong(row) || (mode.isOn && row.idx === editing)
  const openDialog = guarded((shortcut?: ShortcutRow) => setOpen({ shortcut }))
  const cell = (field: keyof ShortcutValues, label: string) => (row: ShortcutRow) =>
    isEdited(row) ? (
      <CellInput row={row} field={field} label={label} edits={edits} isFirst={field === 'name'} />
    ) : (
      <span>{edits.valuesOf(row)[field]}</span>
    )
  const headings = useShortcutHeadings(kind)
  const name = cell('name', headings.name)
  return (
    <form onSubmit={edits.submit} noValidate>
      <EditableList
        title={t(`${kind}.title`)}
        items={rows}
        mode={mode}
        editLabel={t('edit')}
        nameOf={(row) => row.name}
        columns={[
          {
            title: headings.name,
            width: 260,
            render: (row) => (
              <div className={css.name}>
                <ShortcutIcon shortcut={{ ...row, ...edits.valuesOf(row) }} />
                {name(row)}
              </div>
            ),
            isChanged: (row) => edits.isChanged(row, 'name'),
          },
          {
            title: headings.target,
            render: cell('target', headings.target),
            isChanged: (row) => edits.isChanged(row, 'target'),
          },
          { title: t('policies'), width: 110, render: ({ policyCount }) => policyCount },
        ]}
        empty={t(isFiltered ? `${kind}.notFound` : `${kind}.empty`)}
        rowsPerPage={ROWS}
        onAdd={() => openDialog()}
        addLabel={t(`${kind}.add`)}
        onEdit={(row) => (mode.isOn ? setEditing(row.idx) : openDialog(row))}
        onRemove={remove}
      />
      {mode.isOn && (
        <Text className="quiet" m="-8px 0 12px">
          {t('editHint')}
        </Text>
      )}
      {edits.bar.isDirty && (
        // As wide as the pane, so that its buttons end where the table does.
        <Box mx={-20}>
          <SaveBar form={edits.bar} />
        </Box>
      )}
      {open && <ShortcutDialog kind={kind} shortcut={latest ?? open.shortcut} onClose={() => setOpen(undefined)} />}
    </form>
  )
}

export function ShortcutsMenu() {
  const t = useTexts(shortcutsTexts)
  const [keyword, setKeyword] = useState('')
  const webs = useShortcutWebs(keyword)
  const programs = useShortcutPrograms(keyword)
  const isFiltered = keyword !== ''
  return (
    <>
      <Box pt={16}>
        <FilterBar>
          <SearchBox label={t('search')} value={keyword} onChange={setKeyword} />
        </FilterBar>
      </Box>
      <div className={css.menu}>
        <QueryState of={webs} failed={t('web.failed')}>
          {({ items }) => <ShortcutTable kind="web" rows={items.map(rowOfWeb)} isFiltered={isFiltered} />}
        </QueryState>
        <QueryState of={programs} failed={t('program.failed')}>
          {({ items }) => <ShortcutTable kind="program" rows={items.map(rowOfProgram)} isFiltered={isFiltered} />}
        </QueryState>
      </div>
    </>
  )
}
