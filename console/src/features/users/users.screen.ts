// Definition of the users screen (spec S1 §2).
import { api } from '@acc/contract'
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
  words: '사람 계정 직원 people accounts members',
  icon: IconUsers,
  section: 'main',
  access: page('user', Level.READ),
  availability: (runtime) => shownIf(runtime.show.account),
  texts: usersTexts,
  jumps: [
    {
      title: { ko: '사용자 생성', en: 'Create user' },
      words: '추가 계정 add new account person',
      view: { isCreating: true },
      access: api.users.create.access,
      isCommand: true,
    },
    {
      title: { ko: '사용자 가져오기', en: 'Import users' },
      words: '일괄 등록 엑셀 csv excel bulk upload',
      view: { part: 'imports' },
      access: api.userImports.upload.access,
      isCommand: true,
    },
  ],
  load: () => import('./UsersScreen.tsx').then((module) => module.UsersScreen),
})
