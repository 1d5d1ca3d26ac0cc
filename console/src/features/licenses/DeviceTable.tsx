// The PCs that use a license: searched, exported, and removed in the edit mode.
import { api } from '@acc/contract'
import type { ApiError } from '@acc/contract/core/client'
import type { LicensedDevice } from '@acc/contract/licenses'
import { z } from 'zod'
import { useApiAction } from '../../kit/api/query.ts'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { dropMissing, type EditMode, EditModeAction, EditModeSwitch, useEditMode } from '../../kit/form/editMode.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { useView } from '../../kit/layout/view.ts'
import { FilterBar, SearchBox } from '../../kit/table/FilterBar.tsx'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { isSearched, type Search, searchFilter, searchView, TextFilters } from '../../kit/table/search.tsx'
import { peopleNames } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { licensesTexts } from './licenses.ts'

const View = z.object(searchView)

const COLUMNS: Column<typeof api.licenses.searchUses>[] = [
  { key: 'userName', width: 150, below: { key: 'userId' } },
  { key: 'groupName' },
  { key: 'userEmail', from: 1280 },
  { key: 'deviceName', below: { key: 'deviceIp' } },
  { key: 'clientVersion', width: 130 },
  { key: 'useDT', width: 158 },
]

function useRemoval(mode: EditMode<LicensedDevice>) {
  const t = useTexts(licensesTexts)
  const { length: count } = mode.checked
  const noticeMissing = (error: ApiError) => void dropMissing(mode, error, t('removeTitle', { count }))
  const done = t('removed', { count })
  const action = useApiAction(api.licenses.removeUses, { done, handles: { NOT_ALLOWED: noticeMissing } })
  const remove = async () => {
    const idxes = mode.checked.map(({ idx }) => idx)
    const names = peopleNames(mode.checked.map(({ userId, userName }) => ({ id: userId, name: userName })))
    const body = t('removeBody', { count, names })
    if (!(await confirm({ title: t('removeTitle', { count }), body, action: t('remove'), isDanger: true }))) return
    if (await action.run({ idxes })) mode.check([])
  }
  return { remove: () => void remove(), isBusy: action.isRunning }
}

export function DeviceTable({ useCount }: { useCount: number }) {
  const t = useTexts(licensesTexts)
  const [view, setView] = useView(View)
  const set = (change: Partial<Search>) => setView(change, { replace: true })
  const mode = useEditMode<LicensedDevice>()
  const removal = useRemoval(mode)
  return (
    <>
      <FilterBar
        isMulti={view.isMulti}
        onMulti={(isMulti) => set({ isMulti })}
        multi={<TextFilters route={api.licenses.searchUses} texts={view.texts} onChange={(texts) => set({ texts })} />}
        aside={
          <>
            {mode.isOn && <span>{t('selected', { count: mode.checked.length })}</span>}
            <EditModeAction
              mode={mode}
              label={t('remove')}
              isDanger
              isBusy={removal.isBusy}
              onClick={guarded(removal.remove)}
            />
            <EditModeSwitch mode={mode} isEmpty={useCount === 0} />
          </>
        }
      >
        <SearchBox label={t('search')} value={view.search} onChange={(search) => set({ search })} />
      </FilterBar>
      <PagedTable
        route={api.licenses.searchUses}
        filter={searchFilter(api.licenses.searchUses, view)}
        columns={COLUMNS}
        label={t('devices')}
        sort={{ by: 'useDT', order: 'desc' }}
        nameOf={({ userName, deviceName }) => `${userName} ${deviceName}`}
        empty={isSearched(view) ? { title: t('emptyFiltered') } : { title: t('empty'), hint: t('emptyHint') }}
        csvName="licenses"
        {...mode.selection}
      />
    </>
  )
}
