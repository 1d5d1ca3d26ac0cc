// Definitions of the two menus of client texts in the settings (spec S1 §2).
import { defineMenu } from '../../kit/layout/screen.ts'

export const siteConfigMenu = defineMenu({
  name: 'siteConfig',
  title: { ko: '사이트 설정', en: 'Site configuration' },
  words: '클라이언트 구성 설정 파일 client config ini',
  hasSave: () => true,
  load: () => import('./ConfigPanels.tsx').then((module) => module.SiteConfigPanel),
})

export const clientPolicyMenu = defineMenu({
  name: 'clientPolicy',
  title: { ko: '클라이언트 정책', en: 'Client policy' },
  words: '구성 설정 파일 config ini',
  hasSave: () => true,
  load: () => import('./ConfigPanels.tsx').then((module) => module.ClientPolicyPanel),
})
