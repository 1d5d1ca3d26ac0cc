import { lazy } from 'react'
import type { SettingMenu } from '../../kit/layout/settingMenu.ts'

export const licensesMenu: SettingMenu = {
  name: 'license',
  title: { ko: '라이선스', en: 'License' },
  hasSave: () => true,
  // Lazy, since the register step of the portal shares the upload and needs no tables.
  Panel: lazy(() => import('./LicensesPanel.tsx').then((module) => ({ default: module.LicensesPanel }))),
}
