// Definition of the history viewer (spec S2 §2.6).
import { page } from '@acc/contract/core/access'
import { HISTORY_MENUS, LOGS } from '@acc/contract/history/kinds'
import { Level } from '@acc/contract/labels/access'
import { IconHistory } from '@tabler/icons-react'
import { defineScreen, type Jump, shownIf } from '../../kit/layout/screen.ts'
import { historyTexts } from './history.ts'

/** Each kind of history that the viewer may read. */
const jumps = Object.entries(HISTORY_MENUS).map(
  ([menu, { title, log }]): Jump => ({ title, words: '이력 history log', view: { menu }, access: LOGS[log].access }),
)

export const historyScreen = defineScreen({
  name: 'history',
  title: { ko: '이력', en: 'History' },
  purpose: { ko: '접속, 반출입, 변경 이력을 조회합니다', en: 'Browse sign-ins, file transfers, and changes' },
  words: '로그 감사 logs audit trail',
  icon: IconHistory,
  section: 'main',
  access: page('log', Level.READ),
  availability: (runtime) => shownIf(runtime.show.log),
  texts: historyTexts,
  jumps,
  load: () => import('./HistoryScreen.tsx').then((module) => module.HistoryScreen),
})
