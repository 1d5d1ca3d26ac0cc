// Definition of the information menu of the settings (spec S1 §2).
import { defineMenu } from '../../kit/layout/screen.ts'

export const infosMenu = defineMenu({
  name: 'infos',
  title: { ko: '정보', en: 'Information' },
  words: '로고 버전 호스트 보관 기간 logo version host address retention about',
  hasSave: () => true,
  load: () => import('./InfosPanel.tsx').then((module) => module.InfosPanel),
})
