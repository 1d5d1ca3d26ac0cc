// The license menu (spec S1 §2): the license in force, its upload, PCs per user, and the registered PCs.
import { api } from '@acc/contract'
import type { ApiError } from '@acc/contract/core/client'
import { formatDay, formatMoment } from '@acc/contract/labels/formats'
import { CountType, type LicensedDevice, type LicenseStatus, MAX_DEVICES_PER_USER } from '@acc/contract/licenses'
import { Box, NumberInput, Progress, Stack, Text } from '@mantine/core'
import { z } from 'zod'
import { useApiAction, useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { dropMissing, type EditMode, EditModeAction, EditModeSwitch, useEditMode } from '../../kit/form/editMode.tsx'
import { useSharedSave } from '../../kit/form/SaveBar.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { Hint, Section } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useView } from '../../kit/layout/view.ts'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { type ShortColumn, ShortTable } from '../../kit/table/ShortTable.tsx'
import { isSearched, SearchFilters, searchFilter, searchView } from '../../kit/table/search.tsx'
import { peopleNames } from '../../kit/texts/kit.texts.ts'
import { formatNumber, useLanguage, useTexts } from '../../kit/texts/texts.ts'
import css from './Licenses.module.css'
import { LicenseUpload } from './LicenseUpload.tsx'
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

/** The PCs that use a license: searched, exported, and removed in the edit mode. */
function DeviceTable({ useCount }: { useCount: number }) {
  const t = useTexts(licensesTexts)
  const [view, setView] = useView(View)
  const mode = useEditMode<LicensedDevice>()
  const removal = useRemoval(mode)
  return (
    <>
      <SearchFilters
        route={api.licenses.searchUses}
        value={view}
        set={(change) => setView(change, { replace: true })}
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
      />
      <PagedTable
        route={api.licenses.searchUses}
        filter={searchFilter(api.licenses.searchUses, view)}
        columns={COLUMNS}
        label={t('devices')}
        sort={{ by: 'useDT', order: 'desc' }}
        nameOf={({ userName, deviceName }) => `${userName} ${deviceName}`}
        empty={
          isSearched(view)
            ? { title: t('emptyFiltered'), onClear: () => setView({ search: '', texts: {} }, { replace: true }) }
            : { title: t('empty'), hint: t('emptyHint') }
        }
        csvName="licenses"
        {...mode.selection}
      />
    </>
  )
}

/** What an administrator should do about the license; the worst first. */
function Advice({ license }: { license: LicenseStatus }) {
  const t = useTexts(licensesTexts)
  const { isExpired, isEvaluation, useCount, maxCount } = license
  if (isExpired === 1)
    return (
      <Text className="notice" mt={10} data-tone="bad">
        {t('expiredHint')}
      </Text>
    )
  if (useCount >= maxCount)
    return (
      <Text className="notice" mt={10} data-tone="warn">
        {t('fullHint')}
      </Text>
    )
  if (isEvaluation === 1)
    return (
      <Text className="notice" mt={10}>
        {t('evaluationHint', { max: maxCount })}
      </Text>
    )
  return null
}

/** The license in force and how much of it is used. */
function LicenseOverview({ license }: { license: LicenseStatus }) {
  const t = useTexts(licensesTexts)
  const language = useLanguage()
  const { registerDT, countType, useCount, maxCount, licensee, expiry, isExpired } = license
  const share = Math.min(100, (100 * useCount) / maxCount)
  const tone = isExpired === 1 || useCount >= maxCount ? 'red' : share >= 90 ? 'yellow' : undefined
  const columns: ShortColumn<LicenseStatus>[] = [
    { key: 'registered', title: t('registered'), render: () => formatMoment(registerDT) },
    { key: 'licensee', title: t('licensee'), render: () => licensee ?? t('evaluation') },
    { key: 'expiry', title: t('expiry'), render: () => (expiry === null ? t('never') : formatDay(expiry)) },
    { key: 'countType', title: t('countType'), render: () => CountType.labels[countType][language] },
    { key: 'useCount', title: t('useCount'), align: 'right', render: () => formatNumber(useCount) },
    { key: 'maxCount', title: t('maxCount'), align: 'right', render: () => formatNumber(maxCount) },
  ]
  return (
    <>
      <ShortTable label={t('status')} rows={[license]} columns={columns} rowsPerPage={1} />
      <Progress my={10} value={share} color={tone} aria-label={t('usage', { used: useCount, max: maxCount })} />
      <Advice license={license} />
    </>
  )
}

function DevicesPerUser({ license }: { license: LicenseStatus }) {
  const t = useTexts(licensesTexts)
  const form = useApiForm(api.licenses.setDevicesPerUser, { initial: { devicesPerUser: license.devicesPerUser } })
  const id = useSharedSave(form)
  return (
    <form id={id} onSubmit={form.submit} noValidate>
      <NumberInput
        label={t('devicesPerUser')}
        description={t('devicesPerUserHint')}
        maw={280}
        min={1}
        max={MAX_DEVICES_PER_USER}
        {...form.field('devicesPerUser')}
      />
    </form>
  )
}

export function LicensesPanel() {
  const t = useTexts(licensesTexts)
  const { configs } = useViewer()
  return (
    <QueryState of={useApiQuery(api.licenses.find, {})}>
      {(license) => (
        <div className="fill scrolls">
          <div className={css.top}>
            <Section title={t('status')}>
              <LicenseOverview license={license} />
              <Stack gap={8} mt={12} align="flex-start">
                <LicenseUpload
                  variant="default"
                  extensions={configs.allowExtensionsLicense}
                  onRegistered={() => showToast(t('registeredDone'))}
                />
              </Stack>
            </Section>
            <DevicesPerUser key={license.devicesPerUser} license={license} />
          </div>
          <section className={css.devices} aria-label={t('devices')}>
            <Box p="14px 20px 0">
              <h3>{t('devices')}</h3>
              <Hint>{t('devicesHint')}</Hint>
            </Box>
            <DeviceTable useCount={license.useCount} />
          </section>
        </div>
      )}
    </QueryState>
  )
}
