// The dashboard: group selector and period on top, charts on the left, states on the right (spec S2 §2.5).
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
import { FilterBar } from '../../kit/table/FilterBar.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupSelector } from '../groups/exports.ts'
import { LoginsPanel, MonthsPanel } from './ChartPanels.tsx'
import css from './Dashboard.module.css'
import { DashboardView, dashboardTexts, RANGES } from './dashboard.ts'
import { firstStepsTexts } from './firstSteps.ts'
import { LicensePanel, RequestsPanel, UsersPanel } from './StatusPanels.tsx'

/** Only system administrators fetch it. */
const FirstSteps = fetchedComponent(() =>
  import('./FirstStepsPanel.tsx').then((module) => [module.FirstStepsPanel, firstStepsTexts]),
)

/** Milliseconds between two looks at the clock. */
const LOOK = 15_000

/** The current local day, also of a screen that stays open over midnight. */
function useToday(): Date {
  const [day, setDay] = useState(() => localDayOf(new Date()))
  useInterval(() => setDay(localDayOf(new Date())), LOOK, { autoInvoke: true })
  return useMemo(() => new Date(`${day}T00:00`), [day])
}

export function DashboardScreen() {
  const t = useTexts(dashboardTexts)
  const { can, isAdmin } = useViewer()
  const [view, setView] = useView(DashboardView)
  const props = { view, today: useToday() }
  return (
    <Page>
      <PageHeader />
      <FilterBar>
        <GroupSelector value={view.groups} onChange={(groups) => setView({ groups })} hint={t('chooseGroupsHint')} />
        <SegmentedControl
          aria-label={t('period')}
          data={RANGES.map((range) => ({ value: range, label: t(range) }))}
          value={view.range}
          onChange={(range) => setView({ range }, { replace: true })}
        />
      </FilterBar>
      <PageBody>
        <div className={css.panels}>
          <Suspense fallback={null}>{isAdmin && <FirstSteps />}</Suspense>
          <div className={css.column}>
            <LoginsPanel {...props} />
            <MonthsPanel {...props} setView={setView} />
          </div>
          <div className={css.column}>
            <LicensePanel />
            <RequestsPanel {...props} type={Transfer.IMPORT} />
            <RequestsPanel {...props} type={Transfer.EXPORT} />
            {can(api.dashboard.findUserStates.access) && <UsersPanel {...props} />}
          </div>
        </div>
      </PageBody>
    </Page>
  )
}
