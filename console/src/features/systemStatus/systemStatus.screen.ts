// Definition of the system status screen, for system administrators: an addition to the specification.
import { api } from '@acc/contract'
import { IconHeartRateMonitor } from '@tabler/icons-react'
import { defineScreen, shownIf } from '../../kit/layout/screen.ts'
import { systemStatusTexts, useFaultBadge } from './systemStatus.ts'

export const systemStatusScreen = defineScreen({
  name: 'systemStatus',
  title: { ko: '운영 상태', en: 'System status' },
  purpose: {
    ko: '서버의 문제와 여유, 예약 작업을 확인합니다',
    en: 'Check the server’s faults, capacity, and scheduled jobs',
  },
  words: '상태 장애 서버 백업 노드 작업 디스크 health faults server backup nodes jobs disk',
  icon: IconHeartRateMonitor,
  section: 'system',
  access: api.systemStatus.find.access,
  availability: (runtime) => shownIf(runtime.show.setting),
  texts: systemStatusTexts,
  useBadge: useFaultBadge,
  load: () => import('./SystemStatusScreen.tsx').then((module) => module.SystemStatusScreen),
})
