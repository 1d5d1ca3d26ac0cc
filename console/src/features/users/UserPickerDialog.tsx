// Dialog that picks users by a search (spec S1 §9, S2 §2.1, §7): one text for ID, name and group, or one for each. The
// choice is kept across pages and searches.
import { api } from '@acc/contract'
import type { User } from '@acc/contract/users'
import { useState } from 'react'
import { TablePicker } from '../../kit/form/Picker.tsx'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { isSearched, type Search, SearchFilters, searchFilter } from '../../kit/table/search.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { PICK_COLUMNS } from './userColumns.tsx'
import { usersTexts } from './users.ts'

type Props = {
  title: string
  /** Label of the primary button, such as "Add". */
  action: string
  /** Returns why a user cannot be chosen; undefined if they can. */
  whyLocked?: (user: User) => string | undefined
  isRunning?: boolean
  /** Only the last chosen user counts. */
  isOne?: boolean
  rowsPerPage?: number
  onClose: () => void
  onPick: (users: User[]) => void
}

const { id, name, groupName } = api.users.search.columns
const UNSEARCHED: Search = { isMulti: false, search: '', texts: {} }
const SEARCHED = { columns: { id, name, groupName } }

/** Render it while it is open; the caller closes it after applying the choice. */
export function UserPickerDialog({
  title,
  action,
  whyLocked,
  isRunning,
  isOne,
  rowsPerPage = 5,
  onClose,
  onPick,
}: Props) {
  const t = useTexts(usersTexts)
  const kit = useTexts(kitTexts)
  const [search, setSearch] = useState<Search>(UNSEARCHED)
  const [users, setUsers] = useState<User[]>([])
  const [isLoading, setLoading] = useState(true)
  const whyDisabled = users.length === 0 ? kit('list.noneSelected') : undefined
  return (
    <TablePicker
      title={title}
      width={600}
      search={<SearchFilters route={SEARCHED} value={search} set={(change) => setSearch({ ...search, ...change })} />}
      height={88 + rowsPerPage * 46}
      chosen={[t('pick.chosenUsers', { count: users.length }), ...users.map(({ name }) => name)].join(' · ')}
      action={action}
      whyDisabled={isLoading ? kit('loading') : whyDisabled}
      isRunning={isRunning}
      onClose={onClose}
      onAction={() => onPick(users)}
    >
      <PagedTable
        route={api.users.search}
        filter={searchFilter(SEARCHED, search)}
        columns={PICK_COLUMNS}
        label={t('pick.users')}
        checked={users}
        onCheck={(chosen) => setUsers(isOne ? chosen.slice(-1) : chosen)}
        onLoading={setLoading}
        nameOf={(user) => user.name}
        empty={{ title: t('pick.noUsers'), onClear: isSearched(search) ? () => setSearch(UNSEARCHED) : undefined }}
        rowsPerPage={rowsPerPage}
        unit="people"
        whyLocked={whyLocked}
      />
    </TablePicker>
  )
}
