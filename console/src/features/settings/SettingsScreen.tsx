// The settings screen: menus on the left, next to them the panel of the open menu, and one Save for all of them.
import { Suspense } from 'react'
import { z } from 'zod'
import { useViewer } from '../../kit/api/viewer.ts'
import { SharedSave } from '../../kit/form/SaveBar.tsx'
import { Page, PageBody, PageHeader, PartHeading } from '../../kit/layout/Page.tsx'
import { Loading } from '../../kit/layout/QueryState.tsx'
import { ScreenMenu } from '../../kit/layout/ScreenMenu.tsx'
import type { SettingMenu } from '../../kit/layout/screen.ts'
import { useOpenScreen, useView } from '../../kit/layout/view.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { clientPolicyMenu, siteConfigMenu } from '../configTexts/exports.ts'
import { infosMenu } from '../infos/exports.ts'
import { licensesMenu } from '../licenses/exports.ts'
import { mailServerMenu } from '../mailServer/exports.ts'
import { shortcutsMenu } from '../shortcuts/exports.ts'
import { userSyncMenu } from '../userSync/exports.ts'
import { settingsTexts } from './settings.ts'

/** The menus of the settings screen, in their order (spec S1 §2). */
const MENUS: readonly [SettingMenu, ...SettingMenu[]] = [
  infosMenu,
  shortcutsMenu,
  mailServerMenu,
  userSyncMenu,
  licensesMenu,
  siteConfigMenu,
  clientPolicyMenu,
]

const View = z.object({ menu: z.string().default(''), tab: z.string().optional() })

export function SettingsScreen() {
  const t = useTexts(settingsTexts)
  const language = useLanguage()
  const { configs } = useViewer()
  const [view] = useView(View)
  const openScreen = useOpenScreen()
  const { name, title, Panel, hasSave } = MENUS.find((menu) => menu.name === view.menu) ?? MENUS[0]
  const items = MENUS.map((menu) => ({ value: menu.name, label: menu.title[language] }))
  return (
    <Page>
      <PageHeader />
      <PageBody>
        <ScreenMenu
          label={t('menus')}
          groups={[{ items }]}
          value={name}
          // What the former menu showed (its tab, its page) is left behind.
          onChange={(menu) => openScreen('settings', { menu })}
        >
          <PartHeading>{title[language]}</PartHeading>
          <Suspense key={name} fallback={<Loading />}>
            <Panel />
          </Suspense>
          {hasSave(configs, view.tab) && <SharedSave />}
        </ScreenMenu>
      </PageBody>
    </Page>
  )
}
