// Definition of the BIM screen (spec S2 §2.2).
import { api } from '@acc/contract'
import { IconServerCog } from '@tabler/icons-react'
import { defineScreen, jumpsOf } from '../../kit/layout/screen.ts'
import { BIM_MENUS, bimTexts } from './bim.ts'

export const bimScreen = defineScreen({
  name: 'bim',
  title: { ko: 'BIM 설정', en: 'BIM settings' },
  purpose: {
    ko: 'BIM 서버와 접속을 허용할 대상을 관리하고 실시간 접속을 확인합니다',
    en: 'Manage BIM servers and who may connect, and watch live connections',
  },
  icon: IconServerCog,
  section: 'system',
  access: api.bim.searchServers.access,
  texts: bimTexts,
  jumps: jumpsOf(BIM_MENUS, (menu) => ({ menu })),
  load: () => import('./BimScreen.tsx').then((module) => module.BimScreen),
})
