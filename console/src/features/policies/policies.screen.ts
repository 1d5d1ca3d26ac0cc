// Definition of the policy screen (spec S1 §2).
import { api } from '@acc/contract'
import { page } from '@acc/contract/core/access'
import { Level } from '@acc/contract/labels/access'
import { IconAdjustments } from '@tabler/icons-react'
import { defineScreen, shownIf } from '../../kit/layout/screen.ts'
import { policiesTexts } from './policies.ts'

export const policiesScreen = defineScreen({
  name: 'policies',
  title: { ko: '정책', en: 'Policies' },
  purpose: ({ session }) =>
    session.pageAuth.policy === Level.EDIT
      ? { ko: '그룹과 사용자의 정책을 관리합니다', en: 'Manage groups and the policies of groups and users' }
      : { ko: '그룹과 사용자의 정책을 조회합니다', en: 'View the policies of groups and users' },
  words: '그룹 부서 조직 groups departments organization',
  icon: IconAdjustments,
  section: 'main',
  access: page('policy', Level.READ),
  availability: (runtime) => shownIf(runtime.show.policy),
  texts: policiesTexts,
  jumps: [
    {
      title: { ko: '정책 지도', en: 'Policy map' },
      words: '그룹 비교 compare groups matrix',
      view: { isMap: true },
    },
    {
      title: { ko: '예외 점검', en: 'Exceptions to review' },
      words: '종료일 만료 미사용 퇴사자 정지 개별 정책 end unused left own policies',
      view: { isReport: true },
    },
    {
      title: { ko: '그룹 생성', en: 'Create group' },
      words: '추가 부서 조직 팀 add new department team',
      view: { isCreating: true },
      access: api.groups.create.access,
      isCommand: true,
    },
  ],
  load: () => import('./PoliciesScreen.tsx').then((module) => module.PoliciesScreen),
})
