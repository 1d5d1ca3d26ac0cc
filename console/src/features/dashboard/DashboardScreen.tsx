// The dashboard: group selector and period on top, charts on the left, states on the right (spec S2 §2.5).
import { api } from '@acc/contract'
import { Transfer } from '@acc/contract/labels/requests'
import { SegmentedControl } from '@mantine/core'
import { useViewer } from '../../kit/api/viewer.ts'
import { Page, PageBody } from '../../kit/layout/Page.tsx'
import { PageHeader } from '../../kit/layout/PageHeader.tsx'
import { useView } from '../../kit/layout/view.ts'
import { FilterBar } from '../../kit/table/FilterBar.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupSelector } from '../groups/exports.ts'
import css from './Dashboard.module.css'
import { dashboardTexts } from './dashboard.texts.ts'
import { DashboardView, RANGES, type SetDashboardView } from './dashboardView.ts'
import { LicensePanel } from './LicensePanel.tsx'
import { LoginsPanel } from './LoginsPanel.tsx'
import { MonthsPanel } from './MonthsPanel.tsx'
import { RequestsPanel, UsersPanel } from './StatusPanels.tsx'
import { useToday } from './useToday.ts'

type FiltersProps = { view: DashboardView; setView: SetDashboardView }

function Filters({ view, setView }: FiltersProps) {
  const t = useTexts(dashboardTexts)
  return (
    <FilterBar>
      <GroupSelector value={view.groups} onChange={(groups) => setView({ groups })} hint={t('chooseGroupsHint')} />
      <SegmentedControl
        aria-label={t('period')}
        data={RANGES.map((range) => ({ value: range, label: t(range) }))}
        value={view.range}
        onChange={(range) => setView({ range }, { replace: true })}
      />
    </FilterBar>
  )
}

export function DashboardScreen() {
  const { can } = useViewer()
  const [view, setView] = useView(DashboardView)
  const props = { view, today: useToday() }
  return (
    <Page>
      <PageHeader />
      <Filters view={view} setView={setView} />
      <PageBody>
        <div className={css.panels}>
          <div className={css.column}>
            <LoginsPanel {...props} />
            <MonthsPanel {...props} setView={setView} />
          </div>
          <div className={css.column}>
            <LicensePanel />
            <RequestsPanel {...props} type={Transfer.IMPORT} />
            <RequestsPanel {...props} type={Transfer.EXPORT} />
            {can(api.dashboard.userStates.access) && <UsersPanel {...props} />}
          </div>
        </div>
      </PageBody>
    </Page>
  )
}
