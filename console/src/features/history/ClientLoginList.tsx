// Sign-ins of the desktop client and failed tries at one.
import { api } from '@acc/contract'
import type { DataOf } from '@acc/contract/core/route'
import { LogoutType, SignInType } from '@acc/contract/enums'
import { formatMoment } from '@acc/contract/labels/formats'
import { useViewer } from '../../kit/api/viewer.ts'
import { momentsOf } from '../../kit/table/dayRange.ts'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { StatusDot, type Tone } from '../../kit/table/StatusDot.tsx'
import { type Translate, useTexts } from '../../kit/texts/texts.ts'
import css from './History.module.css'
import { FilterCell, HistoryFilters, type ListProps } from './HistoryFilters.tsx'
import type ko from './history.ko.json'
import { historyTexts } from './history.texts.ts'
import { rangeOf } from './historyView.ts'

type ClientSignIn = DataOf<typeof api.history.clientLogin>['items'][number]

type Word =
  | 'signedIn'
  | 'signedInOtp'
  | 'signedInSso'
  | 'otpFailed'
  | 'pwFailed'
  | 'pwDisabled'
  | 'otpDisabled'
  | 'refused'
const TYPES: Record<SignInType, { word: Word; tone: Tone }> = {
  [SignInType.LOGIN]: { word: 'signedIn', tone: 'ok' },
  [SignInType.OTP_SUCCESS]: { word: 'signedInOtp', tone: 'ok' },
  [SignInType.SSO_LOGIN]: { word: 'signedInSso', tone: 'ok' },
  [SignInType.OTP_FAILED]: { word: 'otpFailed', tone: 'warn' },
  [SignInType.PW_FAILED]: { word: 'pwFailed', tone: 'warn' },
  [SignInType.PW_DISABLED]: { word: 'pwDisabled', tone: 'bad' },
  [SignInType.REFUSED]: { word: 'refused', tone: 'warn' },
  [SignInType.OTP_DISABLED]: { word: 'otpDisabled', tone: 'bad' },
}
// The SSO option is left out of the filter (S2 section 4).
const OFFERED = [
  SignInType.LOGIN,
  SignInType.OTP_SUCCESS,
  SignInType.OTP_FAILED,
  SignInType.OTP_DISABLED,
  SignInType.PW_FAILED,
  SignInType.PW_DISABLED,
  SignInType.REFUSED,
]
const OPENED = new Set<number>([SignInType.LOGIN, SignInType.OTP_SUCCESS, SignInType.SSO_LOGIN])

function endOf(row: ClientSignIn, t: Translate<typeof ko>): string {
  if (row.logoutType === null) return OPENED.has(row.type) ? t('open') : '-'
  return row.logoutType === LogoutType.LOGOUT ? t('loggedOut') : t('expired')
}

function useColumns(props: ListProps): Column<typeof api.history.clientLogin>[] {
  const t = useTexts(historyTexts)
  const cell = (name: 'userId' | 'userName' | 'userGroupName' | 'ip' | 'clientVersion') => (row: ClientSignIn) => (
    <FilterCell {...props} name={name} value={row[name]} />
  )
  const userName = cell('userName')
  return [
    { key: 'loginDT', title: t('loginDT'), width: 165, isSortable: true, render: (row) => formatMoment(row.loginDT) },
    {
      key: 'type',
      title: t('type'),
      width: 160,
      isSortable: true,
      render: (row) => <StatusDot tone={TYPES[row.type].tone}>{t(TYPES[row.type].word)}</StatusDot>,
    },
    { key: 'userId', title: t('userId'), width: 120, isSortable: true, render: cell('userId') },
    {
      key: 'userName',
      title: t('userName'),
      width: 110,
      isSortable: true,
      // Everybody has a name; a try at an ID that nobody has leaves none.
      render: (row) => (row.userName === '' ? <span className={css.nobody}>{t('unknownId')}</span> : userName(row)),
    },
    { key: 'userGroupName', title: t('userGroupName'), isSortable: true, render: cell('userGroupName') },
    { key: 'ip', title: t('ip'), width: 120, isSortable: true, render: cell('ip') },
    { key: 'deviceName', title: t('device'), width: 130, render: (row) => row.deviceName || '-' },
    { key: 'clientVersion', title: t('clientVersion'), width: 132, isSortable: true, render: cell('clientVersion') },
    {
      key: 'logoutDT',
      title: t('logoutDT'),
      width: 165,
      isSortable: true,
      render: (row) => formatMoment(row.logoutDT),
    },
    { key: 'logoutType', title: t('logoutType'), width: 100, render: (row) => endOf(row, t) },
  ]
}

export function ClientLoginList({ view, setView }: ListProps) {
  const t = useTexts(historyTexts)
  const { runtime } = useViewer()
  const { from, to } = momentsOf(rangeOf(view, runtime))
  const columns = useColumns({ view, setView })
  const type = OFFERED.find((value) => value === view.type)
  return (
    <>
      <HistoryFilters
        view={view}
        setView={setView}
        fields={[
          { name: 'userId', label: t('userId') },
          { name: 'userName', label: t('userName') },
          { name: 'userGroupName', label: t('userGroupName') },
          { name: 'ip', label: t('ip'), max: 15 },
          { name: 'clientVersion', label: t('clientVersion'), max: 15 },
        ]}
        select={{ label: t('type'), options: OFFERED.map((value) => ({ value, label: t(TYPES[value].word) })) }}
      />
      <div className={css.rest}>
        <PagedTable
          route={api.history.clientLogin}
          filter={{ ...view.filters, type, logSDT: from, logEDT: to }}
          columns={columns}
          label={t('listClientLogin')}
          sort={{ by: 'loginDT', order: 'desc' }}
          empty={{ title: t('empty'), hint: t('emptyHint') }}
          csvName="clientLogin"
        />
      </div>
    </>
  )
}
