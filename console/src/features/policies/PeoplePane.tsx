// The users of the focused group, each with an own or inherited policy (spec S1 §2).
import { api } from '@acc/contract'
import type { Group as UserGroup } from '@acc/contract/groups'
import { Level } from '@acc/contract/labels/access'
import type { PolicyUser } from '@acc/contract/policies'
import type { User } from '@acc/contract/users'
import { Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CheckedPeople, dropMissing, EditModeAction, EditModeSwitch, useEditMode } from '../../kit/form/editMode.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { SearchBox } from '../../kit/table/FilterBar.tsx'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { MoveUsersDialog, useUserLock } from '../users/exports.ts'
import css from './Policies.module.css'
import { type PoliciesProps, policiesTexts } from './policies.ts'

type Props = PoliciesProps & { group: UserGroup }

/** A user of either list: the one for viewers with a level on users, and the one for viewers of policies only. */
type Person = PolicyUser

function useColumns(): Column<typeof api.policies.searchUsers>[] {
  const t = useTexts(policiesTexts)
  return [
    {
      key: 'name',
      render: (user) => (
        <>
          {user.name} <small>{user.id}</small>
        </>
      ),
    },
    {
      key: 'isMyPolicy',
      title: t('userPolicy'),
      width: 100,
      render: (user) =>
        user.isMyPolicy === 1 ? (
          <StatusDot tone="accent">{t('own')}</StatusDot>
        ) : (
          <StatusDot tone="quiet">{t('inherited')}</StatusDot>
        ),
    },
  ]
}

/** The part common to both lists. */
function useList({ view, setView }: Props, search: string) {
  const t = useTexts(policiesTexts)
  return {
    columns: useColumns(),
    label: t('users'),
    sort: { by: 'name', order: 'asc' } as const,
    focused: view.userIdx,
    onFocus: ({ idx }: Person) => setView({ userIdx: idx === view.userIdx ? undefined : idx }),
    nameOf: ({ name }: Person) => name,
    empty: search === '' ? { title: t('noUsers'), hint: t('noUsersHint') } : { title: t('noUsersMatch') },
  }
}

function Head({
  search,
  onSearch,
  children,
}: {
  search: string
  onSearch: (text: string) => void
  children?: ReactNode
}) {
  const t = useTexts(policiesTexts)
  return (
    <Group justify="space-between" gap={8} p={8} wrap="nowrap">
      <SearchBox label={t('searchUsers')} value={search} onChange={onSearch} width={178} />
      {children}
    </Group>
  )
}

/** The list for viewers with a level on users; level 2 can check and move users. */
function People(props: Props) {
  const { group, setView } = props
  const t = useTexts(policiesTexts)
  const lockOf = useUserLock()
  const [search, setSearch] = useState('')
  const mode = useEditMode<User>()
  const [isMoving, setMoving] = useState(false)
  const list = useList(props, search)
  const text = search === '' ? {} : { id: search, name: search, email: search }
  return (
    <div className={css.people}>
      <Head search={search} onSearch={setSearch}>
        {group.maxUser === Level.EDIT && (
          <EditModeSwitch mode={mode} label={t('edit')} isEmpty={group.userCount === 0} />
        )}
      </Head>
      <PagedTable<typeof api.users.search>
        route={api.users.search}
        filter={{ groupIdx: group.idx, ...text }}
        {...list}
        {...mode.selection}
        whyLocked={lockOf}
      />
      {mode.isOn && (
        <div className={css.peopleFoot}>
          <CheckedPeople mode={mode} />
          <EditModeAction variant="filled" mode={mode} label={t('move')} onClick={guarded(() => setMoving(true))} />
        </div>
      )}
      {isMoving && (
        <MoveUsersDialog
          users={mode.checked}
          onClose={() => setMoving(false)}
          onMissing={(error) => void dropMissing(mode, error, t('move'))}
          onMoved={({ idx }) => setView({ groupIdx: idx, userIdx: undefined })}
        />
      )}
    </div>
  )
}

/** The list for viewers of policies without a level on users. */
function PolicyPeople(props: Props) {
  const [search, setSearch] = useState('')
  const list = useList(props, search)
  const filter = { groupIdx: props.group.idx, ...(search === '' ? {} : { search }) }
  return (
    <div className={css.people}>
      <Head search={search} onSearch={setSearch} />
      <PagedTable route={api.policies.searchUsers} filter={filter} {...list} />
    </div>
  )
}

export function PeoplePane(props: Props) {
  const { idx, maxUser } = props.group
  return maxUser === Level.NONE ? <PolicyPeople key={idx} {...props} /> : <People key={idx} {...props} />
}
