// Choosing users by a search, five rows a page (S1 section 9, S2 section 2.1). The choice is kept across pages and searches.
import { api } from '@acc/contract'
import type { User } from '@acc/contract/users'
import { useState } from 'react'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { PickerFoot } from '../../kit/form/PickerFoot.tsx'
import { SearchBox } from '../../kit/table/FilterBar.tsx'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Users.module.css'
import { usersTexts } from './users.texts.ts'

type Props = {
  title: string
  /** What the primary button does: "Add". */
  action: string
  /** Why a user cannot be chosen; undefined where they can. */
  whyLocked?: (user: User) => string | undefined
  isRunning?: boolean
  onClose: () => void
  onPick: (users: User[]) => void
}

/** Rendered while it is open; whoever opens it closes it when the choice has been taken over. */
export function UserPickerDialog({ title, action, whyLocked, isRunning = false, onClose, onPick }: Props) {
  const t = useTexts(usersTexts)
  const [search, setSearch] = useState('')
  const [users, setUsers] = useState<User[]>([])
  const text = search === '' ? undefined : search
  const columns: Column<typeof api.users.search>[] = [
    { key: 'id', title: t('id'), width: 130, isSortable: true },
    { key: 'name', title: t('name'), width: 110, isSortable: true },
    { key: 'email', title: t('email'), isSortable: true },
    { key: 'groupName', title: t('group'), width: 120, isSortable: true },
  ]
  return (
    <DialogWindow onClose={() => !isRunning && onClose()} title={title} size={600}>
      <SearchBox label={t('pick.searchUsers')} value={search} onChange={setSearch} />
      <div className={css.pickTable}>
        <PagedTable
          route={api.users.search}
          filter={{ filterType: 0, id: text, name: text, email: text }}
          columns={columns}
          label={t('pick.users')}
          checked={users}
          onCheck={setUsers}
          nameOf={(user) => user.name}
          empty={{ title: t('pick.noUsers') }}
          rowsPerPage={5}
          {...(whyLocked ? { whyLocked } : {})}
        />
      </div>
      <PickerFoot
        chosen={[t('pick.chosenUsers', { count: users.length }), ...users.map(({ name }) => name)].join(' · ')}
        action={action}
        whyDisabled={users.length === 0 ? t('pick.noneChosen') : undefined}
        isRunning={isRunning}
        onClose={onClose}
        onAction={() => onPick(users)}
      />
    </DialogWindow>
  )
}
