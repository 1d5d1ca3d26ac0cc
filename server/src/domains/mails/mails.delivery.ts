// The delivery of mail: each attempt is claimed first, so that no two nodes send one mail, and settled afterwards. A
// failed try is repeated with growing pauses, ten times over a day. Mail that a server refuses for good, or that is no
// longer valid, is given up at once. The claim of a node that dies expires.
import { flagOf } from '@acc/contract/labels/flags'
import { MailState } from '@acc/contract/labels/mails'
import type { Updateable } from 'kysely'
import { z } from 'zod'
import { days, later, minutes } from '../../clock.ts'
import { notify } from '../../core/change.ts'
import { type Job, repeatWhileLost } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import type { Mails } from '../../db/schema.gen.ts'
import { MailError } from '../../mail/errors.ts'
import { type ClaimedMail, claimMail, deleteOldMails, findDueMails, settleMail } from './mails.queries.ts'
import { DELIVER_MAIL, type Delivery, enqueueDeliveries } from './mails.service.ts'
import { isOutOfDate, openText } from './mails.text.ts'

/** Minutes between one try and the next: ten tries within 23 hours, for as long as a temporary password is valid. */
const PAUSES = [1, 5, 15, 30, 60, 120, 240, 360, 540]
/** How long a claim lasts: longer than any try (SMTP_LIMITS). */
const CLAIM = minutes(5)
/** How many due mails are handed to the queue at once; the others follow a minute later. */
const BATCH = 500
/** How long mail that was sent or given up is kept. */
const KEPT = days(30)

/** Makes one try at a mail, if it is due. */
export async function deliverMail(services: Services, { idx }: Delivery): Promise<void> {
  const now = services.clock.now()
  const mail = await services.db.write.transaction().execute((tx) => claimMail(tx, idx, now, later(now, CLAIM)))
  if (mail === undefined) return
  const outcome = await tryToSend(services, mail)
  const settle = () =>
    services.db.write.transaction().execute(async (tx) => {
      await settleMail(tx, mail, outcome)
      await notify(tx, { topic: 'mails', idx })
    })
  // Until the claim is nearly over: an unrecorded mail would be sent twice.
  await repeatWhileLost(settle, CLAIM / 2)
}

const failed = (lastError: string): Updateable<Mails> => ({ state: MailState.FAILED, nextTryDT: null, lastError })

async function tryToSend(services: Services, mail: ClaimedMail): Promise<Updateable<Mails>> {
  const text = openText(services.key, mail)
  if (text === undefined) return failed("the mail's text cannot be opened with this secret key")
  if (isOutOfDate(text, services.clock.now())) return { ...failed('the mail was no longer valid'), body: null }
  // Attempts that ended their process count too, so that they stop at the limit.
  if (mail.tries > PAUSES.length + 1) return failed('the mail could not be sent')
  const { idx, createDT, receiver: to, subject } = mail
  const senderName = services.env.runtime.product.serverName
  try {
    const { isInOutbox } = await services.mail.send({
      idx,
      createDT,
      senderName,
      to,
      subject,
      text: text.text,
      html: text.html,
    })
    return {
      state: MailState.SENT,
      sentDT: isInOutbox ? null : services.clock.now(),
      nextTryDT: null,
      lastError: null,
      isInOutbox: flagOf(isInOutbox),
      // A mail server has the text now; of the outbox's the console shows it.
      ...(!isInOutbox && { body: null }),
    }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    services.log.warn({ mail: idx, tries: mail.tries, reason: error.message }, 'a mail was not sent')
    const pause = PAUSES[mail.tries - 1]
    if (error.isPermanent || pause === undefined) return failed(error.message)
    return { nextTryDT: later(services.clock.now(), minutes(pause)), lastError: error.message }
  }
}

/** Has every mail delivered that is due. */
export async function deliverDueMails(services: Services): Promise<void> {
  const idxes = await findDueMails(services.db.read, services.clock.now(), BATCH)
  if (idxes.length > 0) await services.db.write.transaction().execute((tx) => enqueueDeliveries(tx, services, idxes))
}

/** Drops mail that was sent or given up long ago, and this node's outbox files of that age. */
export async function dropOldMails(services: Services): Promise<void> {
  const bound = later(services.clock.now(), -KEPT)
  await services.db.write.transaction().execute(async (tx) => {
    if ((await deleteOldMails(tx, bound)) > 0) await notify(tx, { topic: 'mails' })
  })
  await services.mail.clearOutbox(bound)
}

const DeliveryData = z.object({ idx: z.int() })

export const mailJobs: readonly Job[] = [
  // A mail server that stalls holds one mail up, not all of them. Tries to come are the mail's own, not the queue's.
  { name: DELIVER_MAIL, run: (services, data) => deliverMail(services, DeliveryData.parse(data)), concurrency: 4 },
  { name: 'deliverDueMails', cron: '* * * * *', run: deliverDueMails },
  { name: 'dropOldMails', cron: '43 3 * * *', run: dropOldMails },
]
