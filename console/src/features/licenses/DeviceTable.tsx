// The PCs that use a license: searched, exported, and removed in the edit mode.
import { api } from '@acc/contract'
import type { ApiError } from '@acc/contract/core/client'
import { FilterType } from '@acc/contract/core/paging'
import { formatMoment } from '@acc/contract/labels/formats'
import type { LicensedDevice } from '@acc/contract/licenses'
import { z } from 'zod'
import { useApiAction } from '../../kit/api/query.ts'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { dropMissing, type EditMode, EditModeAction, EditModeSwitch, useEditMode } from '../../kit/form/editMode.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { useView } from '../../kit/layout/view.ts'
import { FilterBar, SearchBox, TextFilter } from '../../kit/table/FilterBar.tsx'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { peopleNames } from '../../kit/texts/kit.texts.ts'
import { useHeadings } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { licensesTexts } from './licenses.ts'

const text = z.string().default('')
const View = z.object({
  isMulti: z.boolean().default(false),
  search: text,
  userId: text,
  userName: text,
  groupName: text,
  clientVersion: text,
})
type View = z.output<typeof View>

/** The fields of the detailed search, in the order of the columns, and the most characters of each. */
const FIELDS = { userName: 30, userId: 30, groupName: 30, clientVersion: 15 } as const
type Field = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as Field[]
/** One text is looked for in these. */
const SINGLE: readonly Field[] = ['userId', 'userName']

/** Returns the input of the list: one text for ID or name, or one for each field. */
function filterOf(view: View) {
  const asked = (view.isMulti ? NAMES : SINGLE).map((name) => [
    name,
    (view.isMulti ? view[name] : view.search) || undefined,
  ])
  return { filterType: view.isMulti ? FilterType.MULTI : FilterType.SINGLE, ...Object.fromEntries(asked) }
}
const isFiltered = (view: View) => (view.isMulti ? NAMES.some((name) => view[name] !== '') : view.search !== '')

const COLUMNS: Column<typeof api.licenses.searchUses>[] = [
  {
    key: 'userName',
    isSortable: true,
    width: 150,
    below: { key: 'userId', isSortable: true },
  },
  { key: 'groupName', isSortable: true },
  { key: 'userEmail', isSortable: true, from: 1280 },
  {
    key: 'deviceName',
    isSortable: true,
    below: { key: 'deviceIp', isSortable: true },
  },
  { key: 'clientVersion', isSortable: true, width: 130 },
  { key: 'useDT', isSortable: true, width: 158, render: ({ useDT }) => formatMoment(useDT) },
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
  const heading = useHeadings(api.licenses.searchUses)
  const mode = useEditMode<LicensedDevice>()
  const removal = useRemoval(mode)
  return (
    <>
      <FilterBar
        isMulti={view.isMulti}
        onMulti={(isMulti) => setView({ isMulti }, { replace: true })}
        multi={NAMES.map((name) => (
          <TextFilter
            key={name}
            label={heading(name)}
            value={view[name]}
            max={FIELDS[name]}
            onChange={(value) => setView({ [name]: value }, { replace: true })}
          />
        ))}
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
        <SearchBox
          label={t('search')}
          value={view.search}
          onChange={(text) => setView({ search: text }, { replace: true })}
        />
      </FilterBar>
      <PagedTable
        route={api.licenses.searchUses}
        filter={filterOf(view)}
        columns={COLUMNS}
        label={t('devices')}
        sort={{ by: 'useDT', order: 'desc' }}
        nameOf={({ userName, deviceName }) => `${userName} ${deviceName}`}
        empty={isFiltered(view) ? { title: t('emptyFiltered') } : { title: t('empty'), hint: t('emptyHint') }}
        csvName="licenses"
        {...mode.selection}
      />
    </>
  )
}
