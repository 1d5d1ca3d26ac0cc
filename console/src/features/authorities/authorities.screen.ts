// Definition of the authorities screen (spec S2 §2.1).
import { api } from '@acc/contract'
import { IconUserShield } from '@tabler/icons-react'
import { defineScreen } from '../../kit/layout/screen.ts'
import { authoritiesTexts } from './authorities.ts'

export const authoritiesScreen = defineScreen({
  name: 'authorities',
  title: { ko: '관리 권한', en: 'Authorities' },
  purpose: { ko: '그룹 관리자의 권한을 만들고 배정합니다', en: 'Create authorities and assign them to admins' },
  words: '관리자 승인자 역할 administrators approvers roles permissions',
  icon: IconUserShield,
  section: 'system',
  access: api.authorities.search.access,
  texts: authoritiesTexts,
  jumps: [
    {
      title: { ko: '권한 생성', en: 'Create authority' },
      words: '추가 관리자 역할 add new role',
      view: { tab: 'create' },
      isCommand: true,
    },
  ],
  load: () => import('./AuthoritiesScreen.tsx').then((module) => module.AuthoritiesScreen),
})
