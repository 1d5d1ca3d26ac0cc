// The BIM settings in four menus (spec S2 §2.2). Leaving one with unsaved changes asks first.
import { Page, PageBody, PageHeader, PartHeading } from '../../kit/layout/Page.tsx'
import { PaneTabs } from '../../kit/layout/PaneTabs.tsx'
import { tabsOf } from '../../kit/layout/screen.ts'
import { useView } from '../../kit/layout/view.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
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
  const language = useLanguage()
  const [view, setView] = useView(BimView)
  const Content = PANES[view.menu]
  return (
    <Page>
      <PageHeader />
      <PageBody>
        <PaneTabs
          label={t('menu')}
          tabs={tabsOf(BIM_MENUS, language)}
          value={view.menu}
          onChange={(menu) => setView({ menu, mode: undefined, idx: undefined, search: undefined })}
        >
          <PartHeading>{BIM_MENUS[view.menu].title[language]}</PartHeading>
          <Content view={view} setView={setView} />
        </PaneTabs>
      </PageBody>
    </Page>
  )
}
