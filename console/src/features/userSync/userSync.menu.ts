// Definition of the menu of the synchronization of users in the settings.
import { defineMenu, type Parts } from '../../kit/layout/screen.ts'

export const SYNC_TABS = {
  settings: { title: { ko: '설정', en: 'Settings' } },
  runs: { title: { ko: '실행 내역', en: 'Runs' }, words: '동기화 이력 결과 history results' },
} satisfies Parts

export const userSyncMenu = defineMenu({
  name: 'userSync',
  title: { ko: '사용자 동기화', en: 'User synchronization' },
  words: '디렉터리 인사 연동 ldap active directory ad sync csv folder',
  tabs: SYNC_TABS,
  hasSave: (_, tab) => tab !== 'runs',
  load: () => import('./UserSyncPanel.tsx').then((module) => module.UserSyncPanel),
})
