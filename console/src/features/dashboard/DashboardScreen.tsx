// The dashboard: group selector and period on top, charts on the left, states on the right (spec S2 §2.5), and at the
// end what the viewer may not see.
import { api } from '@acc/contract'
import { localDayOf } from '@acc/contract/labels/formats'
import { Transfer } from '@acc/contract/labels/requests'
import { SegmentedControl } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { Suspense, useMemo, useState } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import { fetchedComponent } from '../../kit/layout/fetchedComponent.ts'
import { Page, PageBody, PageHeader } from '../../kit/layout/Page.tsx'
import { useView } from '../../kit/layout/view.ts'
import { DateRangeFilter } from '../../kit/table/DateRangeFilter.tsx'
import { FilterBar } from '../../kit/table/FilterBar.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupSelector } from '../groups/exports.ts'
import { DecisionsPanel, LoginsPanel, MonthsPanel } from './ChartPanels.tsx'
import css from './Dashboard.module.css'
import {
  type DashboardProps,
  DashboardView,
  dashboardTexts,
  daysOf,
  earliestDay,
  RANGES,
  type Range,
} from './dashboard.ts'
import { firstStepsTexts } from './firstSteps.ts'
import { TopGroupsPanel, VersionsPanel } from './ListPanels.tsx'
import { Refusal } from './Panel.tsx'
import { LicensePanel, RequestsPanel, UsersPanel } from './StatusPanels.tsx'

/** Only system administrators fetch it. */
const FirstSteps = fetchedComponent(() =>
  import('./FirstStepsPanel.tsx').then((module) => [module.FirstStepsPanel, firstStepsTexts]),
)

/** Milliseconds between two looks at the clock. */
const LOOK = 15_000
const QUARTER = 900_000

const endOfQuarter = () => Math.ceil(Date.now() / QUARTER) * QUARTER

/** The present day and quarter of an hour, also of a screen that stays open over midnight. */
function useClock(): { today: Date; now: Date } {
  const [end, setEnd] = useState(endOfQuarter)
  useInterval(() => setEnd(endOfQuarter()), LOOK, { autoInvoke: true })
  return useMemo(() => ({ today: new Date(`${localDayOf(new Date(end - 1))}T00:00`), now: new Date(end) }), [end])
}

function Period({ view, setView, today }: DashboardProps & { today: Date }) {
  const t = useTexts(dashboardTexts)
  return (
    <>
      <SegmentedControl<Range | ''>
        aria-label={t('period')}
        data={RANGES.map((range) => ({ value: range, label: t(range) }))}
        value={view.days ? '' : view.range}
        onChange={(range) => range !== '' && setView({ range, days: undefined }, { replace: true })}
      />
      <DateRangeFilter
        value={view.days ?? daysOf(view, today)}
        earliest={earliestDay(today)}
        onChange={(days) => setView({ days: days.from === null ? undefined : days }, { replace: true })}
      />
    </>
  )
}

export function DashboardScreen() {
  const t = useTexts(dashboardTexts)
  const { can, isAdmin } = useViewer()
  const [view, setView] = useView(DashboardView)
  const props = { view, ...useClock() }
  const { findHourlyUserLogins, findFileImportStates, findFileExportStates, findUserStates } = api.dashboard
  const hasLog = can(findHourlyUserLogins.access)
  const [hasImports, hasExports] = [can(findFileImportStates.access), can(findFileExportStates.access)]
  const refusals = [
    !hasLog && (['logins', 'noLog'] as const),
    !hasLog && (['requests', 'noLog'] as const),
    !isAdmin && (['license', 'noPermission'] as const),
    !hasImports && (['imports', 'noImport'] as const),
    !hasExports && (['exports', 'noExport'] as const),
  ].filter((each) => each !== false)
  return (
    <Page>
      <PageHeader />
      <FilterBar>
        <GroupSelector value={view.groups} onChange={(groups) => setView({ groups })} hint={t('chooseGroupsHint')} />
        <Period view={view} setView={setView} today={props.today} />
      </FilterBar>
      <PageBody>
        <div className={css.panels}>
          <Suspense fallback={null}>{isAdmin && <FirstSteps />}</Suspense>
          {hasLog && (
            <div className={css.charts}>
              <LoginsPanel {...props} />
              <MonthsPanel {...props} setView={setView} />
              <DecisionsPanel {...props} />
            </div>
          )}
          <div className={css.states}>
            {isAdmin && <LicensePanel />}
            {hasImports && <RequestsPanel {...props} type={Transfer.IMPORT} />}
            {hasExports && <RequestsPanel {...props} type={Transfer.EXPORT} />}
            {can(findUserStates.access) && <UsersPanel {...props} />}
            {hasLog && <TopGroupsPanel {...props} setView={setView} />}
            {hasLog && <VersionsPanel {...props} />}
          </div>
          {refusals.length > 0 && (
            <div className={css.refusals}>
              {refusals.map(([title, reason]) => (
                <Refusal key={title} title={t(title)}>
                  {t(reason)}
                </Refusal>
              ))}
            </div>
          )}
        </div>
      </PageBody>
    </Page>
  )
}
