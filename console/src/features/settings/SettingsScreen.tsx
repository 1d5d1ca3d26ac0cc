// The settings screen: menus on the left, next to them the panel of the open menu, and one Save for all of them.
import { Suspense, use } from 'react'
import { z } from 'zod'
import { useViewer } from '../../kit/api/viewer.ts'
import { SharedSave } from '../../kit/form/SaveBar.tsx'
import { Page, PageBody, PageHeader, PartHeading } from '../../kit/layout/Page.tsx'
import { Loading } from '../../kit/layout/QueryState.tsx'
import { ScreenMenu } from '../../kit/layout/ScreenMenu.tsx'
import type { SettingMenu } from '../../kit/layout/screen.ts'
import { useOpenScreen, useView } from '../../kit/layout/view.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { SETTING_MENUS, settingsTexts } from './settings.ts'

const View = z.object({ menu: z.string().default(''), tab: z.string().optional() })

function Panel({ fetch }: Pick<SettingMenu, 'fetch'>) {
  const Content = use(fetch())
  return <Content />
}

export function SettingsScreen() {
  const t = useTexts(settingsTexts)
  const language = useLanguage()
  const { configs } = useViewer()
  const [view] = useView(View)
  const openScreen = useOpenScreen()
  const menu = SETTING_MENUS.find(({ name }) => name === view.menu) ?? SETTING_MENUS[0]
  const items = SETTING_MENUS.map(({ name, title }) => ({ value: name, label: title[language] }))
  return (
    <Page>
      <PageHeader />
      <PageBody>
        <ScreenMenu
          label={t('menus')}
          groups={[{ items }]}
          value={menu.name}
          // What the former menu showed (its tab, its page) is left behind.
          onChange={(name) => openScreen('settings', { menu: name })}
        >
          <PartHeading>{menu.title[language]}</PartHeading>
          <Suspense key={menu.name} fallback={<Loading />}>
            <Panel fetch={menu.fetch} />
          </Suspense>
          {menu.hasSave(configs, view.tab) && <SharedSave />}
        </ScreenMenu>
      </PageBody>
    </Page>
  )
}
