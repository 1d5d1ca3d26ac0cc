// The BIM settings in four menus (spec S2 §2.2). Leaving one with unsaved changes asks first.
import { Page, PageBody, PageHeader, PartHeading } from '../../kit/layout/Page.tsx'
import { PaneTabs } from '../../kit/layout/PaneTabs.tsx'
import { useView } from '../../kit/layout/view.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { BimConnections } from './BimConnections.tsx'
import { BimExceptions } from './BimExceptions.tsx'
import { BimServers } from './BimServers.tsx'
import { BimTargets } from './BimTargets.tsx'
import { BIM_MENUS, BimView, bimTexts } from './bim.ts'

const PANES = {
  bimServers: BimServers,
  bimExceptions: BimExceptions,
  bimTargets: BimTargets,
  bimConnections: BimConnections,
}

export function BimScreen() {
  const t = useTexts(bimTexts)
  const [view, setView] = useView(BimView)
  const Content = PANES[view.menu]
  return (
    <Page>
      <PageHeader />
      <PageBody>
        <PaneTabs
          label={t('menu')}
          tabs={BIM_MENUS.map((value) => ({ value, label: t(value) }))}
          value={view.menu}
          onChange={(menu) => setView({ menu, mode: undefined, idx: undefined, search: undefined })}
        >
          <PartHeading>{t(view.menu)}</PartHeading>
          <Content view={view} setView={setView} />
        </PaneTabs>
      </PageBody>
    </Page>
  )
}
