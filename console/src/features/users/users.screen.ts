// Definition of the users screen (spec S1 §2).
import { page } from '@acc/contract/core/access'
import { Level } from '@acc/contract/labels/access'
import { IconUsers } from '@tabler/icons-react'
import { defineScreen, shownIf } from '../../kit/layout/screen.ts'
import { usersTexts } from './users.ts'

export const usersScreen = defineScreen({
  name: 'users',
  title: { ko: '사용자', en: 'Users' },
  purpose: ({ session }) =>
    session.pageAuth.user === Level.EDIT
      ? { ko: '사용자 계정을 생성하고 관리합니다', en: 'Create and manage user accounts' }
      : { ko: '사용자 계정을 조회합니다', en: 'View user accounts' },
  icon: IconUsers,
  section: 'main',
  access: page('user', Level.READ),
  availability: (runtime) => shownIf(runtime.show.account),
  texts: usersTexts,
  load: () => import('./UsersScreen.tsx').then((module) => module.UsersScreen),
})
