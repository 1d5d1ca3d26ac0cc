// Dialog that picks users by a search (spec S1 §9, S2 §2.1, §7): one text for ID, name and group, or one for each. The
// choice is kept across pages and searches.
import { api } from '@acc/contract'
import { FilterType } from '@acc/contract/core/paging'
import type { User } from '@acc/contract/users'
import { useState } from 'react'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { PickerFoot } from '../../kit/form/PickerFoot.tsx'
import { FilterBar, SearchBox, TextFilter } from '../../kit/table/FilterBar.tsx'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Users.module.css'
import { usePickColumns } from './userColumns.tsx'
import { usersTexts } from './users.ts'

type Props = {
  title: string
  /** Label of the primary button, such as "Add". */
  action: string
  /** Returns why a user cannot be chosen; undefined if they can. */
  whyLocked?: (user: User) => string | undefined
  isRunning?: boolean
  rowsPerPage?: number
  onClose: () => void
  onPick: (users: User[]) => void
}

const FIELDS = ['id', 'name', 'groupName'] as const
const NO_TEXTS = { id: '', name: '', groupName: '' }

/** State of the search form and the list input that follows from it. */
function useSearch() {
  const [isMulti, setMulti] = useState(false)
  const [search, setSearch] = useState('')
  const [texts, setTexts] = useState(NO_TEXTS)
  const asked = FIELDS.map((field) => [field, (isMulti ? texts[field] : search) || undefined])
  const filter = { filterType: isMulti ? FilterType.MULTI : FilterType.SINGLE, ...Object.fromEntries(asked) }
  return { isMulti, setMulti, search, setSearch, texts, setTexts, filter }
}

function Search({ isMulti, setMulti, search, setSearch, texts, setTexts }: ReturnType<typeof useSearch>) {
  const t = useTexts(usersTexts)
  const fields = FIELDS.map((field) => (
    <TextFilter
      key={field}
      label={t(field)}
      value={texts[field]}
      width={136}
      onChange={(text) => setTexts({ ...texts, [field]: text })}
    />
  ))
  return (
    <FilterBar isMulti={isMulti} onMulti={setMulti} multi={fields}>
      <SearchBox label={t('pick.searchUsers')} value={search} onChange={setSearch} />
    </FilterBar>
  )
}

/** Render it while it is open; the caller closes it after applying the choice. */
export function UserPickerDialog({
  title,
  action,
  whyLocked,
  isRunning = false,
  rowsPerPage = 5,
  onClose,
  onPick,
}: Props) {
  const t = useTexts(usersTexts)
  const kit = useTexts(kitTexts)
  const search = useSearch()
  const [users, setUsers] = useState<User[]>([])
  const [isLoading, setLoading] = useState(true)
  const whyDisabled = users.length === 0 ? t('pick.noneChosen') : undefined
  return (
    <DialogWindow onClose={() => !isRunning && onClose()} title={title} size={600}>
      <div className={css.pickSearch}>
        <Search {...search} />
      </div>
      <div className={css.pickTable} style={{ height: 88 + rowsPerPage * 46 }}>
        <PagedTable
          route={api.users.search}
          filter={search.filter}
          columns={usePickColumns()}
          label={t('pick.users')}
          checked={users}
          onCheck={setUsers}
          onLoading={setLoading}
          nameOf={(user) => user.name}
          empty={{ title: t('pick.noUsers') }}
          rowsPerPage={rowsPerPage}
          unit="people"
          whyLocked={whyLocked}
        />
      </div>
      <PickerFoot
        chosen={[t('pick.chosenUsers', { count: users.length }), ...users.map(({ name }) => name)].join(' · ')}
        action={action}
        whyDisabled={isLoading ? kit('loading') : whyDisabled}
        isRunning={isRunning}
        onClose={onClose}
        onAction={() => onPick(users)}
      />
    </DialogWindow>
  )
}
