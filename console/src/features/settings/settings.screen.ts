// Definition of the settings screen, for system administrators (spec S1 §2).
import { IconSettings } from '@tabler/icons-react'
import { defineScreen, jumpsOfMenu, shownIf } from '../../kit/layout/screen.ts'
import { SETTING_MENUS, settingsTexts } from './settings.ts'

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
