// The people of the focused group, each with own or inherited policy. The edit mode checks people and moves them (S1 section
// 2); that takes user level 2.
import { api } from '@acc/contract'
import type { Group } from '@acc/contract/groups'
import type { User } from '@acc/contract/users'
import { Button, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import { guarded } from '../../kit/form/unsaved.ts'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { SearchBox } from '../../kit/table/FilterBar.tsx'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { MoveUsersDialog, useUserLock } from '../users/exports.ts'
import css from './Policies.module.css'
import { policiesTexts } from './policies.texts.ts'
import type { PoliciesProps } from './policiesView.ts'

type Props = PoliciesProps & { group: Group }

function useColumns(): Column<typeof api.users.search>[] {
  const t = useTexts(policiesTexts)
  return [
    {
      key: 'name',
      title: t('userName'),
      isSortable: true,
      render: (user) => (
        <>
          {user.name} <small className={css.id}>{user.id}</small>
        </>
      ),
    },
    {
      key: 'isMyPolicy',
      title: t('userPolicy'),
      width: 100,
      render: (user) =>
        user.isMyPolicy === 1 ? (
          <StatusDot tone="warn">{t('own')}</StatusDot>
        ) : (
          <StatusDot tone="quiet">{t('inherited')}</StatusDot>
        ),
    },
  ]
}

function People({ group, view, setView }: Props) {
  const t = useTexts(policiesTexts)
  const lockOf = useUserLock()
  const columns = useColumns()
  const [search, setSearch] = useState('')
  const [checked, setChecked] = useState<User[]>()
  const [isMoving, setMoving] = useState(false)
  const text = search === '' ? {} : { id: search, name: search, email: search }
  const canEdit = group.maxUser === 2
  const isEmpty = group.userCount === 0
  return (
    <div className={css.people}>
      <div className={css.peopleHead}>
        <SearchBox label={t('searchUsers')} value={search} onChange={setSearch} width={178} />
        {checked && (
          <Button variant="default" onClick={() => setChecked(undefined)}>
            {t('done')}
          </Button>
        )}
        {canEdit && !checked && (
          <Tooltip label={t('nothingToEdit')} disabled={!isEmpty}>
            <Button
              variant="default"
              data-disabled={isEmpty || undefined}
              aria-disabled={isEmpty}
              onClick={() => !isEmpty && setChecked([])}
            >
              {t('edit')}
            </Button>
          </Tooltip>
        )}
      </div>
      <PagedTable
        route={api.users.search}
        filter={{ groupIdx: group.idx, ...text }}
        columns={columns}
        label={t('users')}
        sort={{ by: 'name', order: 'asc' }}
        focused={view.userIdx}
        onFocus={({ idx }) => setView({ userIdx: idx === view.userIdx ? undefined : idx })}
        {...(checked ? { checked, onCheck: setChecked, whyLocked: lockOf } : {})}
        nameOf={(user) => user.name}
        empty={search === '' ? { title: t('noUsers'), hint: t('noUsersHint') } : { title: t('noUsersMatch') }}
      />
      {checked && (
        <div className={css.peopleFoot}>
          <span>{t('selected', { count: checked.length })}</span>
          <Tooltip label={t('noneSelected')} disabled={checked.length > 0}>
            <Button
              data-disabled={checked.length === 0 || undefined}
              aria-disabled={checked.length === 0}
              onClick={guarded(() => checked.length > 0 && setMoving(true))}
            >
              {t('move')}
            </Button>
          </Tooltip>
        </div>
      )}
      {isMoving && checked && (
        <MoveUsersDialog
          users={checked}
          onClose={() => setMoving(false)}
          onMoved={({ idx }) => setView({ groupIdx: idx, userIdx: undefined })}
        />
      )}
    </div>
  )
}

export function PeoplePane(props: Props) {
  const t = useTexts(policiesTexts)
  const { can } = useViewer()
  if (props.group.maxUser === 0 || !can(api.users.search.access))
    return <Empty title={t('noUserRight')} hint={t('noUserRightHint')} />
  return <People key={props.group.idx} {...props} />
}
