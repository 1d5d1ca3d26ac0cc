// The parts of this feature that other features may import.
import type { SettingMenu } from '../../kit/layout/screen.ts'
import { InfosPanel } from './InfosPanel.tsx'

export const infosMenu: SettingMenu = {
  name: 'infos',
  title: { ko: '정보', en: 'Information' },
  hasSave: () => true,
  Panel: InfosPanel,
}
