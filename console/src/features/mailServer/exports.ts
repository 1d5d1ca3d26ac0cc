// The parts of this feature that other features may import.
import type { SettingMenu } from '../../kit/layout/screen.ts'
import { MailServerPanel } from './MailServerPanel.tsx'

export { MailServerForm } from './MailServerForm.tsx'

export const mailServerMenu: SettingMenu = {
  name: 'mailServer',
  title: { ko: '메일 서버', en: 'Mail server' },
  hasSave: (configs, tab) => tab === 'notices' || (configs.useKnoxMailServer === 0 && tab !== 'sent'),
  Panel: MailServerPanel,
}
