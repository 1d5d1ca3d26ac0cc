import { use } from 'react'
import { fetchedPart } from '../../kit/browser/fetchedPart.ts'
import type { SettingMenu } from '../../kit/layout/settingMenu.ts'

// Apart, since the register step of the portal shares the upload and needs no tables.
const fetchPanel = fetchedPart(() => import('./LicensesPanel.tsx').then((module) => module.LicensesPanel))

function Panel() {
  const LicensesPanel = use(fetchPanel())
  return <LicensesPanel />
}

export const licensesMenu: SettingMenu = {
  name: 'license',
  title: { ko: '라이선스', en: 'License' },
  hasSave: () => true,
  Panel,
}
