// Definition of the mail screen, for system administrators: waiting, sent and failed mail, and the evaluation outbox.
import { api } from '@acc/contract'
import { IconMail } from '@tabler/icons-react'
import { defineScreen } from '../../kit/layout/screen.ts'
import { useFailedMails } from './mails.queries.ts'
import { mailsTexts } from './mails.texts.ts'

export const mailsScreen = defineScreen({
  name: 'mails',
  title: { ko: '메일', en: 'Mail' },
  purpose: { ko: '발송한 메일과 평가용 보관함을 확인합니다', en: 'Mail that was sent, and the evaluation outbox' },
  icon: IconMail,
  section: 'system',
  access: api.mails.search.access,
  texts: mailsTexts,
  load: () => import('./MailsScreen.tsx').then((module) => module.MailsScreen),
  useBadge: useFailedMails,
})
