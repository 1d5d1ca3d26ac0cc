// The parts of this feature that other features may import.
import { createElement, use } from 'react'
import { fetchedPart } from '../../kit/browser/fetchedPart.ts'
import type { SettingMenu } from '../../kit/layout/screen.ts'

export { LicenseUpload } from './LicenseUpload.tsx'

// Apart, since the register step of the portal shares the upload and needs no tables.
const fetchPanel = fetchedPart(() => import('./LicensesPanel.tsx').then((module) => module.LicensesPanel))

export const licensesMenu: SettingMenu = {
  name: 'license',
  title: { ko: '라이선스', en: 'License' },
  hasSave: () => true,
  Panel: () => createElement(use(fetchPanel())),
}
