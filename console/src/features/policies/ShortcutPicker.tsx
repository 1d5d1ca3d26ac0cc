// Dialogs that pick shortcuts for a policy from those of the administrators (spec S1 §7, §9). The choice is kept across
// pages and searches.
import { api } from '@acc/contract'
import { MAX_POLICY_SHORTCUTS } from '@acc/contract/policyShortcuts'
import type { ShortcutProgram, ShortcutWeb } from '@acc/contract/shortcuts'
import { type ReactNode, useState } from 'react'
import { TablePicker } from '../../kit/form/Picker.tsx'
import { SearchBox } from '../../kit/table/FilterBar.tsx'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { ShortcutIcon } from '../shortcuts/exports.ts'
import { policiesTexts } from './policies.ts'
import { ofProgram, ofWeb, type Shortcut } from './policyLists.ts'

/** Rows of one page. */
const ROWS = 10

/** The name of a shortcut behind its icon. */
export function ShortcutName({ shortcut }: { shortcut: Parameters<typeof ShortcutIcon>[0]['shortcut'] }) {
  return (
    <span className="line">
      <ShortcutIcon shortcut={shortcut} />
      <span className="cut" title={shortcut.name}>
        {shortcut.name}
      </span>
    </span>
  )
}

type Props = {
  title: string
  /** Shortcuts that the policy has. */
  has: ReadonlySet<number>
  onPick: (shortcuts: Shortcut[]) => void
  onClose: () => void
}

/** The props that the tables of both kinds share. */
function useTable({ has }: Pick<Props, 'has'>) {
  const t = useTexts(policiesTexts)
  const [keyword, setKeyword] = useState('')
  const [isLoading, setLoading] = useState(true)
  const table = {
    filter: keyword === '' ? {} : { keyword },
    sort: { by: 'name', order: 'asc' } as const,
    rowsPerPage: ROWS,
    onLoading: setLoading,
    nameOf: ({ name }: { name: string }) => name,
    whyLocked: ({ idx }: { idx: number }) => (has.has(idx) ? t('shortcut.added') : undefined),
    empty: {
      title: keyword === '' ? t('shortcut.noneThere') : t('shortcut.noneFound'),
      hint: keyword === '' ? t('shortcut.noneThereHint') : undefined,
    },
  }
  const name = {
    key: 'name',
    width: 160,
    render: (shortcut: { name: string }) => <ShortcutName shortcut={shortcut} />,
  } as const
  return {
    table,
    name,
    isLoading,
    search: <SearchBox label={t('shortcut.search')} value={keyword} onChange={setKeyword} />,
  }
}

type WindowProps = Props & { isLoading: boolean; search: ReactNode; checked: Shortcut[]; children: ReactNode }

function PickerWindow({ title, has, isLoading, search, checked, onPick, onClose, children }: WindowProps) {
  const t = useTexts(policiesTexts)
  const kit = useTexts(kitTexts)
  const isTooMany = has.size + checked.length > MAX_POLICY_SHORTCUTS
  const whyDisabled = () => {
    if (isLoading) return kit('loading')
    if (checked.length === 0) return kit('list.noneSelected')
    return isTooMany ? t('shortcut.tooMany', { max: MAX_POLICY_SHORTCUTS }) : undefined
  }
  return (
    <TablePicker
      title={title}
      width={640}
      search={search}
      height={480}
      chosen={[t('shortcut.checked', { count: checked.length }), ...checked.map(({ name }) => name)].join(' · ')}
      action={kit('add')}
      whyDisabled={whyDisabled()}
      onClose={onClose}
      onAction={() => onPick(checked)}
    >
      {children}
    </TablePicker>
  )
}

export function WebPicker(props: Props) {
  const { table, name, isLoading, search } = useTable(props)
  const [checked, setChecked] = useState<ShortcutWeb[]>([])
  return (
    <PickerWindow {...props} isLoading={isLoading} search={search} checked={checked.map(ofWeb)}>
      <PagedTable
        {...table}
        route={api.shortcuts.searchWebs}
        label={props.title}
        columns={[name, { key: 'url' }]}
        checked={checked}
        onCheck={setChecked}
      />
    </PickerWindow>
  )
}

export function ProgramPicker(props: Props) {
  const { table, name, isLoading, search } = useTable(props)
  const [checked, setChecked] = useState<ShortcutProgram[]>([])
  return (
    <PickerWindow {...props} isLoading={isLoading} search={search} checked={checked.map(ofProgram)}>
      <PagedTable
        {...table}
        route={api.shortcuts.searchPrograms}
        label={props.title}
        columns={[name, { key: 'path' }]}
        checked={checked}
        onCheck={setChecked}
      />
    </PickerWindow>
  )
}
