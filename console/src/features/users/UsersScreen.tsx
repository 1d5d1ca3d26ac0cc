// The users screen: the list with its filters, and next to it the selected user or the form for a new one (spec S1 §2).
import { api } from '@acc/contract'
import { StateFilter } from '@acc/contract/labels/users'
import type { User } from '@acc/contract/users'
import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import { useEditMode } from '../../kit/form/editMode.tsx'
import { Page, PageBody, PageHeader } from '../../kit/layout/Page.tsx'
import { PaneTabs } from '../../kit/layout/PaneTabs.tsx'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { useView } from '../../kit/layout/view.ts'
import { SelectFilter } from '../../kit/table/FilterBar.tsx'
import { PagedTable } from '../../kit/table/PagedTable.tsx'
import { SearchFilters } from '../../kit/table/search.tsx'
import { useHeadings, useOptions } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupSelector, useGroupIndex } from '../groups/exports.ts'
import { ImportsPart, OpenRunNotice } from '../userImports/exports.ts'
import { CreateButton, CreateUserDialog, CreateUserPane } from './CreateUser.tsx'
import { GroupFilter } from './GroupFilter.tsx'
import { UserPane } from './UserPane.tsx'
import { UsersEditMode } from './UsersEditMode.tsx'
import { useUserColumns } from './userColumns.tsx'
import { filterOf, isFiltered, isWithin, type UsersProps, UsersView, usersTexts, WITHOUT_TEXTS } from './users.ts'
import { useUserLock } from './useUserLock.ts'

type PanelProps = UsersProps & { create: Parameters<typeof CreateUserPane>[0] }

function Chosen({ view, setView }: UsersProps) {
  const t = useTexts(usersTexts)
  const { can } = useViewer()
  if (view.idx === undefined)
    return (
      <Empty title={t('choose')} hint={t('chooseHint')}>
        {can(api.userImports.upload.access) && (
          <Button
            variant="default"
            leftSection={<IconFileImport size={14} />}
            onClick={() => setView({ part: 'imports' })}
          >
            {t('import')}
          </Button>
        )}
      </Empty>
    )
  return <UserPane key={view.idx} idx={view.idx} setView={setView} />
}

/** The selected user in the tab update, a new one in the tab create. */
function UserPanel({ view, setView, create }: PanelProps) {
  const t = useTexts(usersTexts)
  const { can } = useViewer()
  if (!can(api.users.create.access)) return <Chosen view={view} setView={setView} />
  return (
    <PaneTabs
      label={t('tabs')}
      tabs={[
        { value: 'update', label: t('update') },
        { value: 'create', label: t('create') },
      ]}
      value={view.tab}
      onChange={(tab) => setView({ tab })}
    >
      {view.tab === 'create' ? <CreateUserPane {...create} /> : <Chosen view={view} setView={setView} />}
    </PaneTabs>
  )
}

function Filters({ view, setView }: UsersProps) {
  const t = useTexts(usersTexts)
  const heading = useHeadings(api.users.search)
  const set = (change: Parameters<typeof setView>[0]) => setView(change, { replace: true })
  return (
    <SearchFilters route={api.users.search} value={view} set={set}>
      <SelectFilter
        label={heading('state')}
        value={view.state}
        width={176}
        options={useOptions(StateFilter)}
        onChange={(state) => set({ state })}
      />
      {view.groups.length > 0 ? (
        <GroupSelector value={view.groups} onChange={(groups) => set({ groups })} hint={t('chooseGroupsHint')} />
      ) : (
        <GroupFilter value={view.groupIdx} onChange={(groupIdx) => set({ groupIdx })} />
      )}
    </SearchFilters>
  )
}

/** Selects a new user and lists the newest first, without filters that would exclude the new one (spec S1 §4). */
function useCreated({ view, setView }: UsersProps) {
  const { find } = useGroupIndex()
  const [created, setCreated] = useState<number>()
  const show = (idx: number, groupIdx: number) => {
    const fits = view.groupIdx !== undefined && isWithin(groupIdx, view.groupIdx, find)
    setView({
      ...WITHOUT_TEXTS,
      isCreating: undefined,
      groups: [],
      groupIdx: fits ? view.groupIdx : undefined,
      idx,
      tab: 'update',
    })
    setCreated(idx)
  }
  return { created, show }
}

export function UsersScreen() {
  const [{ part, importIdx }] = useView(UsersView)
  const { can } = useViewer()
  const isImporting = part !== undefined || importIdx !== undefined
  return isImporting && can(api.userImports.search.access) ? <ImportsPart /> : <UserList />
}

function UserList() {
  const t = useTexts(usersTexts)
  const { can } = useViewer()
  const [view, setView] = useView(UsersView)
  const lockOf = useUserLock()
  const setCreating = (isCreating: boolean) => setView({ isCreating: isCreating || undefined }, { replace: true })
  const mode = useEditMode<User>()
  const columns = useUserColumns(mode.isOn)
  const canEdit = can(api.users.create.access)
  const select = (idx: number | undefined) => setView({ idx, tab: 'update' })
  const empty = {
    title: isFiltered(view) ? t('emptyFiltered') : t('empty'),
    onClear: isFiltered(view)
      ? () => setView({ ...WITHOUT_TEXTS, groups: [], groupIdx: undefined }, { replace: true })
      : undefined,
    hint: canEdit && !isFiltered(view) ? t('emptyHint') : '',
  }
  const { created, show } = useCreated({ view, setView })
  const create = { groupIdx: view.groupIdx, onCreated: show }
  return (
    <Page>
      <PageHeader>
        {canEdit && (
          <UsersEditMode mode={mode} view={view} setView={setView}>
            <CreateButton onCreate={() => setCreating(true)} onImport={() => setView({ part: 'imports' })} />
          </UsersEditMode>
        )}
      </PageHeader>
      {canEdit && <OpenRunNotice onOpen={(importIdx) => setView({ part: 'imports', importIdx })} />}
      <Filters view={view} setView={setView} />
      <PageBody>
        <SplitPane
          name="users.detail"
          label={t('chosen')}
          at="end"
          width={400}
          min={360}
          steps={{
            opened: view.tab === 'create' ? 'create' : view.idx,
            close: () => setView({ idx: undefined, tab: 'update' }),
          }}
          side={<UserPanel view={view} setView={setView} create={create} />}
        >
          <PagedTable
            key={created}
            route={api.users.search}
            filter={filterOf(view)}
            columns={columns}
            label={t('list')}
            focused={view.idx}
            onFocus={({ idx }) => select(idx)}
            {...mode.selection}
            whyLocked={lockOf}
            nameOf={(user) => user.name}
            empty={empty}
            csvName="users"
          />
        </SplitPane>
      </PageBody>
      {view.isCreating && canEdit && (
        <CreateUserDialog groupIdx={view.groupIdx} onClose={() => setCreating(false)} onCreated={show} />
      )}
    </Page>
  )
}
