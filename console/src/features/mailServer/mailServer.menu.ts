// Definition of the mail server menu of the settings (spec S1 §2).
import { defineMenu } from '../../kit/layout/screen.ts'
import { MAIL_TABS } from './mailServer.ts'

export const mailServerMenu = defineMenu({
  name: 'mailServer',
  title: { ko: '메일 서버', en: 'Mail server' },
  words: '이메일 smtp email outgoing',
  tabs: MAIL_TABS,
  hasSave: (configs, tab) => tab === 'notices' || (configs.useKnoxMailServer === 0 && tab !== 'sent'),
  load: () => import('./MailServerPanel.tsx').then((module) => module.MailServerPanel),
})
