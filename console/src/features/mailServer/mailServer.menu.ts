// Definition of the mail server menu of the settings (spec S1 §2).
import { defineMenu, type Parts } from '../../kit/layout/screen.ts'

export const MAIL_TABS = {
  server: { title: { ko: '메일 서버', en: 'Mail server' } },
  sent: { title: { ko: '보낸 메일', en: 'Sent mail' }, words: '이메일 보관함 발송 email outbox failed' },
  notices: { title: { ko: '승인 알림', en: 'Approval notifications' }, words: '지연 알림 시간 overdue reminder' },
} satisfies Parts

export const mailServerMenu = defineMenu({
  name: 'mailServer',
  title: { ko: '메일 서버', en: 'Mail server' },
  words: '이메일 smtp email outgoing',
  tabs: MAIL_TABS,
  hasSave: (configs, tab) => tab === 'notices' || (configs.useKnoxMailServer === 0 && tab !== 'sent'),
  load: () => import('./MailServerPanel.tsx').then((module) => module.MailServerPanel),
})
