// The menu userSync: no synchronization with a directory is set up in this version (spec S1 §2).
import { Empty } from '../../kit/layout/QueryState.tsx'
import type { SettingMenu } from '../../kit/layout/settingMenu.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { settingsTexts } from './settings.texts.ts'

function UserSyncPanel() {
  const t = useTexts(settingsTexts)
  return <Empty title={t('noSync')} hint={t('noSyncHint')} />
}

export const userSyncMenu: SettingMenu = {
  name: 'userSync',
  title: { ko: '사용자 동기화', en: 'User synchronization' },
  hasSave: () => true,
  Panel: UserSyncPanel,
}
