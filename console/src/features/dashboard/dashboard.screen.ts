// Definition of the dashboard (spec S2 §2.5).
import { anyPage } from '@acc/contract/core/access'
import { Level } from '@acc/contract/labels/access'
import { IconChartHistogram } from '@tabler/icons-react'
import { defineScreen, shownIf } from '../../kit/layout/screen.ts'
import { dashboardTexts } from './dashboard.ts'

export const dashboardScreen = defineScreen({
  name: 'dashboard',
  title: { ko: '대시보드', en: 'Dashboard' },
  purpose: { ko: '로그인, 승인 요청, 라이선스 현황입니다', en: 'Sign-ins, approval requests, and license use' },
  words: '홈 현황 통계 home overview statistics',
  icon: IconChartHistogram,
  section: 'main',
  access: anyPage(['log', 'fileImportApprove', 'fileExportApprove', 'user'], Level.READ),
  availability: (runtime) => shownIf(runtime.show.dashboard),
  texts: dashboardTexts,
  load: () => import('./DashboardScreen.tsx').then((module) => module.DashboardScreen),
})
