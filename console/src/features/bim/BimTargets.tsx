// The menu bimTargets: allowed groups and allowed users next to each other (spec S2 §2.2, §7).
import { api } from '@acc/contract'
import type { BimGroup, BimUser } from '@acc/contract/bim'
import { useState } from 'react'
import { refresh, useApiAction, useApiQuery } from '../../kit/api/query.ts'
import { confirm, showMessage } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { Hint } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { EditableList } from '../../kit/table/EditableList.tsx'
import { SearchBox } from '../../kit/table/FilterBar.tsx'
import { TwoLines } from '../../kit/table/Table.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupsPickerDialog } from '../groups/exports.ts'
import { UserPickerDialog } from '../users/exports.ts'
import css from './Bim.module.css'
import { type BimProps, bimTexts, found } from './bim.ts'

/** Rows of the dialog that adds users (spec S2 §9), and of a page of the lists. */
const ROWS = 10

/** Asks before targets are removed, and confirms it afterwards. */
function useRemoval() {
  const t = useTexts(bimTexts)
  return async (kind: 'groups' | 'users', count: number, remove: () => Promise<unknown>): Promise<boolean> => {
    const body = t(`target.${kind}RemoveBody`, { count })
    const question = { title: t(`target.${kind}Remove`, { count }), body, action: t('target.remove'), isDanger: true }
    if (!(await confirm(question))) return false
    if ((await remove()) === undefined) return false
    showToast(t(`target.${kind}Removed`, { count }))
    return true
  }
}

function Groups({ groups, search }: { groups: readonly BimGroup[]; search: string }) {
  const t = useTexts(bimTexts)
  const kit = useTexts(kitTexts)
  const [isAdding, setAdding] = useState(false)
  const removal = useRemoval()
  // Another administrator was faster.
  const showKnown = () => {
    void refresh(api.bim.addGroups.changes)
    void showMessage({ title: t('target.addGroups'), body: t('target.groupAdded') })
  }
  const add = useApiAction(api.bim.addGroups, { handles: { ALREADY_ADDED: showKnown } })
  const remove = useApiAction(api.bim.removeGroups)
  const known = new Set(groups.map(({ groupIdx }) => groupIdx))
  const shown = found(groups, search, ({ path }) => [path]).map((group) => ({ ...group, idx: group.groupIdx }))
  const pick = async (groupIdxes: number[]) => {
    if ((await add.run({ groupIdxes })) === undefined) return
    showToast(t('target.groupsAdded', { count: groupIdxes.length }))
    setAdding(false)
  }
  return (
    <section className={css.targets}>
      <EditableList
        title={t('target.groups')}
        items={shown}
        nameOf={({ name }) => name}
        columns={[
          {
            title: t('target.group'),
            sortBy: ({ path }) => path,
            render: ({ name, path }) => <TwoLines above={name} below={path} />,
          },
        ]}
        empty={t(search === '' ? 'target.noGroups' : 'noMatch')}
        rowsPerPage={ROWS}
        onAdd={() => setAdding(true)}
        addLabel={t('target.addGroups')}
        removeLabel={t('target.remove')}
        onRemove={(rows) =>
          removal('groups', rows.length, () => remove.run({ groupIdxes: rows.map(({ groupIdx }) => groupIdx) }))
        }
      />
      <Hint>{t('target.groupsHint')}</Hint>
      {isAdding && (
        <GroupsPickerDialog
          title={t('target.addGroups')}
          action={kit('add')}
          initial={[]}
          taken={[...known]}
          whyDisabled={({ idx }) => (known.has(idx) ? t('target.groupAdded') : undefined)}
          isRunning={add.isRunning}
          onClose={() => setAdding(false)}
          onPick={(idxes) => void pick(idxes)}
        />
      )}
    </section>
  )
}

function Users({ users, search }: { users: readonly BimUser[]; search: string }) {
  const t = useTexts(bimTexts)
  const kit = useTexts(kitTexts)
  const [isAdding, setAdding] = useState(false)
  const removal = useRemoval()
  const add = useApiAction(api.bim.addUsers)
  const remove = useApiAction(api.bim.removeUsers)
  const known = new Set(users.map(({ idx }) => idx))
  const pick = async (picked: readonly { idx: number }[]) => {
    if ((await add.run({ userIdxes: picked.map(({ idx }) => idx) })) === undefined) return
    showToast(t('target.usersAdded', { count: picked.length }))
    setAdding(false)
  }
  return (
    <section className={css.targets}>
      <EditableList
        title={t('target.users')}
        unit="people"
        items={found(users, search, ({ id, name, email, groupName }) => [id, name, email, groupName])}
        nameOf={({ name }) => name}
        columns={[
          {
            title: t('target.user'),
            width: 160,
            sortBy: ({ name }) => name,
            render: ({ name, id }) => <TwoLines above={name} below={id} />,
          },
          {
            title: t('target.groupAndEmail'),
            sortBy: ({ groupName }) => groupName,
            render: ({ groupName, email }) => <TwoLines above={groupName} below={email} />,
          },
        ]}
        empty={t(search === '' ? 'target.noUsers' : 'noMatch')}
        rowsPerPage={ROWS}
        onAdd={() => setAdding(true)}
        addLabel={t('target.addUsers')}
        removeLabel={t('target.remove')}
        onRemove={(rows) => removal('users', rows.length, () => remove.run({ userIdxes: rows.map(({ idx }) => idx) }))}
      />
      {isAdding && (
        <UserPickerDialog
          title={t('target.addUsers')}
          action={kit('add')}
          rowsPerPage={ROWS}
          whyLocked={({ idx }) => (known.has(idx) ? t('target.userAdded') : undefined)}
          isRunning={add.isRunning}
          onClose={() => setAdding(false)}
          onPick={(picked) => void pick(picked)}
        />
      )}
    </section>
  )
}

export function BimTargets({ view: { search }, setView }: BimProps) {
  const t = useTexts(bimTexts)
  const groups = useApiQuery(api.bim.searchGroups, {})
  const users = useApiQuery(api.bim.searchUsers, {})
  return (
    <div className="fill">
      <div className={css.search}>
        <SearchBox
          label={t('target.search')}
          value={search}
          onChange={(text) => setView({ search: text }, { replace: true })}
        />
      </div>
      <div className={css.pair}>
        <QueryState of={groups}>{(data) => <Groups {...data} search={search} />}</QueryState>
        <QueryState of={users}>{(data) => <Users {...data} search={search} />}</QueryState>
      </div>
    </div>
  )
}
