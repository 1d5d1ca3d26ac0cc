// The parts of this feature that other features may import.
import type { SettingMenu } from '../../kit/layout/screen.ts'
import { ShortcutsMenu } from './ShortcutsMenu.tsx'

export { ShortcutIcon } from './ShortcutIcon.tsx'

export const shortcutsMenu: SettingMenu = {
  name: 'shortcut',
  title: { ko: '바로가기', en: 'Shortcuts' },
  hasSave: () => false,
  Panel: ShortcutsMenu,
}
