// The parts of this feature that other features may import.
import type { SettingMenu } from '../../kit/layout/screen.ts'
import { UserSyncPanel } from './UserSyncPanel.tsx'

export const userSyncMenu: SettingMenu = {
  name: 'userSync',
  title: { ko: '사용자 동기화', en: 'User synchronization' },
  hasSave: (_, tab) => tab !== 'runs',
  Panel: UserSyncPanel,
}
