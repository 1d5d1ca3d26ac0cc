import { z } from 'zod'
import type { Job } from '../../core/job.ts'
import { deliverDueMails, deliverMail, dropOldMails } from './mails.delivery.ts'
import { DELIVER_MAIL } from './mails.service.ts'

const Delivery = z.object({ idx: z.int() })

export const mailJobs: readonly Job[] = [
  // A mail server that stalls holds one mail up, not all of them. Tries to come are the mail's own, not the queue's.
  { name: DELIVER_MAIL, run: (services, data) => deliverMail(services, Delivery.parse(data)), concurrency: 4 },
  { name: 'deliverDueMails', cron: '* * * * *', run: deliverDueMails },
  { name: 'dropOldMails', cron: '43 3 * * *', run: dropOldMails },
]
