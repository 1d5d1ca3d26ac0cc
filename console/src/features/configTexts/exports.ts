// The parts of this feature that other features may import.
import type { SettingMenu } from '../../kit/layout/screen.ts'
import { ClientPolicyPanel, SiteConfigPanel } from './ConfigPanels.tsx'

export const siteConfigMenu: SettingMenu = {
  name: 'siteConfig',
  title: { ko: '사이트 설정', en: 'Site configuration' },
  hasSave: () => true,
  Panel: SiteConfigPanel,
}
export const clientPolicyMenu: SettingMenu = {
  name: 'clientPolicy',
  title: { ko: '클라이언트 정책', en: 'Client policy' },
  hasSave: () => true,
  Panel: ClientPolicyPanel,
}
