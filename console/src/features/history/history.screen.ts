// Definition of the history viewer (spec S2 §2.6).
import { page } from '@acc/contract/core/access'
import { Level } from '@acc/contract/labels/access'
import { IconHistory } from '@tabler/icons-react'
import { defineScreen, shownIf } from '../../kit/layout/screen.ts'
import { historyTexts } from './history.ts'

export const historyScreen = defineScreen({
  name: 'history',
  title: { ko: '이력', en: 'History' },
  purpose: { ko: '접속, 반출입, 변경 이력을 조회합니다', en: 'Browse sign-ins, file transfers, and changes' },
  icon: IconHistory,
  section: 'main',
  access: page('log', Level.READ),
  availability: (runtime) => shownIf(runtime.show.log),
  texts: historyTexts,
  load: () => import('./HistoryScreen.tsx').then((module) => module.HistoryScreen),
})
