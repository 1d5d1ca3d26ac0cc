import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { listMails } from './mails.queries.ts'
import { chooseOutbox, readMail, resendMail } from './mails.service.ts'

export default routes(api.mails, {
  search: ({ read }, filter) => listMails(read, filter),
  find: (ctx, { idx }) => readMail(ctx, idx),
  resend: (ctx, { idx }) => resendMail(ctx, idx),
  chooseOutbox: (ctx) => chooseOutbox(ctx),
})
