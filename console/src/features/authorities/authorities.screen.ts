// The authorities screen (S2 section 2.1): named sets of levels over groups, and who holds them.
import { api } from '@acc/contract'
import { IconUserShield } from '@tabler/icons-react'
import { defineScreen } from '../../kit/layout/screen.ts'
import { authoritiesTexts } from './authorities.texts.ts'

export const authoritiesScreen = defineScreen({
  name: 'authorities',
  title: { ko: '관리 권한', en: 'Authorities' },
  purpose: { ko: '관리자 권한을 관리합니다', en: 'Manage admin authorities' },
  icon: IconUserShield,
  section: 'system',
  access: api.authorities.list.access,
  texts: authoritiesTexts,
  load: () => import('./AuthoritiesScreen.tsx').then((module) => module.AuthoritiesScreen),
})
