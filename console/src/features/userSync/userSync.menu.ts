// Definition of the menu of the synchronization of users in the settings.
import { defineMenu } from '../../kit/layout/screen.ts'
import { SYNC_TABS } from './userSync.ts'

export const userSyncMenu = defineMenu({
  name: 'userSync',
  title: { ko: '사용자 동기화', en: 'User synchronization' },
  words: '디렉터리 인사 연동 ldap active directory ad sync csv folder',
  tabs: SYNC_TABS,
  hasSave: (_, tab) => tab !== 'runs',
  load: () => import('./UserSyncPanel.tsx').then((module) => module.UserSyncPanel),
})
