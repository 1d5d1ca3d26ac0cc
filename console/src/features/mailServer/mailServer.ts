// Texts of the mail server menu.
import type { Parts } from '../../kit/layout/screen.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const mailServerTexts = defineTexts(
  () => import('./mailServer.ko.json'),
  () => import('./mailServer.en.json'),
)

export const MAIL_TABS = {
  server: { title: { ko: '메일 서버', en: 'Mail server' } },
  sent: { title: { ko: '보낸 메일', en: 'Sent mail' }, words: '이메일 보관함 발송 email outbox failed' },
  notices: { title: { ko: '승인 알림', en: 'Approval notifications' }, words: '지연 알림 시간 overdue reminder' },
} satisfies Parts
