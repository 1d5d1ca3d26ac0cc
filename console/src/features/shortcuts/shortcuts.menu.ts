// Definition of the shortcuts menu of the settings (spec S1 §2).
import { defineMenu } from '../../kit/layout/screen.ts'

export const shortcutsMenu = defineMenu({
  name: 'shortcut',
  title: { ko: '바로가기', en: 'Shortcuts' },
  words: '프로그램 앱 아이콘 program app icon link',
  hasSave: () => false,
  load: () => import('./ShortcutsMenu.tsx').then((module) => module.ShortcutsMenu),
})
