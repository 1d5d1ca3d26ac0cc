// Definition of the client management screen (spec S2 §2.4).
import { api } from '@acc/contract'
import { IconDeviceDesktopDown } from '@tabler/icons-react'
import { defineScreen } from '../../kit/layout/screen.ts'
import { clientVersionsTexts } from './clientVersions.ts'

export const clientVersionsScreen = defineScreen({
  name: 'clientVersions',
  title: { ko: '클라이언트', en: 'Client' },
  purpose: { ko: '클라이언트 버전을 업로드하고 배포합니다', en: 'Upload and deploy versions of the client' },
  words: '버전 배포 설치 다운로드 versions deploy install download',
  icon: IconDeviceDesktopDown,
  section: 'system',
  access: api.clientVersions.search.access,
  texts: clientVersionsTexts,
  load: () => import('./ClientVersionsScreen.tsx').then((module) => module.ClientVersionsScreen),
})
