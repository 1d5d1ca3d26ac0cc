// Definition of the settings screen, for system administrators (spec S1 §2).
import { IconSettings } from '@tabler/icons-react'
import { defineScreen, jumpsOfMenu, type SettingMenu, shownIf } from '../../kit/layout/screen.ts'
import { clientPolicyMenu, siteConfigMenu } from '../configTexts/configTexts.menu.ts'
import { infosMenu } from '../infos/infos.menu.ts'
import { licensesMenu } from '../licenses/licenses.menu.ts'
import { mailServerMenu } from '../mailServer/mailServer.menu.ts'
import { shortcutsMenu } from '../shortcuts/shortcuts.menu.ts'
import { userSyncMenu } from '../userSync/userSync.menu.ts'
import { settingsTexts } from './settings.ts'

/** The menus in their order (spec S1 §2). */
export const SETTING_MENUS: readonly [SettingMenu, ...SettingMenu[]] = [
  infosMenu,
  shortcutsMenu,
  mailServerMenu,
  userSyncMenu,
  licensesMenu,
  siteConfigMenu,
  clientPolicyMenu,
]

export const settingsScreen = defineScreen({
  name: 'settings',
  title: { ko: '설정', en: 'Settings' },
  words: '환경 설정 preferences options configuration',
  purpose: {
    ko: '서버 정보, 로고, 메일 서버와 클라이언트 구성을 관리합니다',
    en: 'Server information, logos, mail, and desktop client configuration',
  },
  icon: IconSettings,
  section: 'system',
  access: 'admin',
  availability: (runtime) => shownIf(runtime.show.setting),
  texts: settingsTexts,
  jumps: SETTING_MENUS.flatMap(jumpsOfMenu),
  load: () => import('./SettingsScreen.tsx').then((module) => module.SettingsScreen),
})
