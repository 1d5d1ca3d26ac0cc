import type { SettingMenu } from '../../kit/layout/settingMenu.ts'
import { ShortcutsMenu } from './ShortcutsMenu.tsx'

export const shortcutsMenu: SettingMenu = {
  name: 'shortcut',
  title: { ko: '바로가기', en: 'Shortcuts' },
  hasSave: () => false,
  Panel: ShortcutsMenu,
}
