// Mail that the product sends: stored in the transaction of the change that it reports, so that neither goes without
// the other, and delivered by a job afterwards. The administrator sees what waits, went out or failed.
import type { Empty } from '@acc/contract/core/fields'
import type { HistoryEvent } from '@acc/contract/history/kinds'
import { SettingManage } from '@acc/contract/labels/history'
import { MailState } from '@acc/contract/labels/mails'
import { days, later } from '../../clock.ts'
import { notify } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import type { HandlerServices } from '../../core/services.ts'
import { settingLog } from '../../core/settingLog.ts'
import type { Tx } from '../../db/open.ts'
import { type MailTemplate, type MailTemplates, renderMail } from '../../mail/templates.ts'
import { insertSetting } from '../../settings/settings.ts'
import { findProtection } from '../credentials/formerPasswords.ts'
import { updateCountsUp } from '../credentials/throttles.ts'
import {
  findMail,
  insertMail,
  type ListedMail,
  lockMail,
  type MailRow,
  nextMailIdx,
  updateMail,
} from './mails.queries.ts'
import { isOutOfDate, openText, sealText } from './mails.text.ts'

/** The job that delivers one mail, and its data. */
export const DELIVER_MAIL = 'deliverMail'
export type Delivery = { idx: number }

const enqueueDelivery = (tx: Tx, { jobs }: Pick<HandlerServices, 'jobs'>, idx: number): Promise<void> =>
  jobs.enqueue(tx, DELIVER_MAIL, { idx } satisfies Delivery, { key: String(idx) })

/** Stores a mail to one receiver and has it delivered once the transaction commits. */
export async function enqueueMail<T extends MailTemplate>(
  tx: Tx,
  services: Pick<HandlerServices, 'key' | 'clock' | 'jobs' | 'env'>,
  template: T,
  mail: { to: string } & MailTemplates[T],
): Promise<void> {
  const { publicUrl, runtime } = services.env
  const site = { product: runtime.product.serverName, url: `${publicUrl}${runtime.frontRoute}` }
  const { subject, validity, ...text } = renderMail(template, mail, site)
  const now = services.clock.now()
  const until = validity === undefined ? null : later(now, validity).toISOString()
  const idx = await nextMailIdx(tx)
  const body = sealText(services.key, idx, { ...text, until })
  await insertMail(tx, { idx, receiver: mail.to, subject, body, createDT: now, nextTryDT: now })
  await enqueueDelivery(tx, services, idx)
  await notify(tx, { topic: 'mails', idx })
}

/** Mails people a change of their account, unless an administrator has turned such mails off. */
export async function enqueueChangeMail<T extends 'passwordChanged' | 'secondFactorChanged' | 'emailChanged'>(
  ...[tx, services, template, mail]: Parameters<typeof enqueueMail<T>>
): Promise<void> {
  if ((await findProtection(tx)).changeMails === 1) await enqueueMail(tx, services, template, mail)
}

/** Has due mails delivered: the first try's job was lost, or it is time for another try. */
export async function enqueueDeliveries(
  tx: Tx,
  services: Pick<HandlerServices, 'jobs'>,
  idxes: readonly number[],
): Promise<void> {
  for (const idx of idxes) await enqueueDelivery(tx, services, idx)
}

/** The row of an act on a mail, without its text. */
const mailLog = (type: HistoryEvent<'settingManage'>, { idx, receiver, subject }: MailRow) => ({
  ...settingLog(type, receiver, { targetName: receiver, targetValue: subject }),
  subjectIdx: idx,
})

/** Records that a person reads the text of a mail; screens that fetch it once more leave no other row. */
function recordReading({ services, actor, change }: Change<'settingManage'>, mail: MailRow): Promise<void> {
  const reading = { key: `mailRead:${actor.sessionIdx}:${mail.idx}`, max: 1, window: days(1) }
  return change(async (tx) => {
    const [readings] = await updateCountsUp(tx, [reading], services.clock.now())
    return { result: undefined, log: readings === 1 ? [mailLog(SettingManage.READ_MAIL, mail)] : 'unchanged' }
  })
}

/** Returns a mail, with its text if it is in the evaluation outbox. */
export async function readMail(
  ctx: Change<'settingManage'>,
  idx: number,
): Promise<ListedMail & { text: string | null }> {
  const mail = await findMail(ctx.read, idx)
  if (mail === undefined) fail('NOT_ALLOWED')
  const text = mail.isInOutbox === 1 ? (openText(ctx.services.key, mail)?.text ?? null) : null
  if (text !== null) await recordReading(ctx, mail)
  return { ...mail, text }
}

/** Being sent at this moment: claimed, and not yet settled. */
const isUnderWay = (mail: MailRow, now: Date) =>
  mail.state === MailState.WAITING && mail.tries > 0 && mail.lastError === null && (mail.nextTryDT ?? now) > now

/** Sends a mail again, from its first try on. What is no longer kept or no longer valid cannot be: MAIL_FAILED. */
export async function resendMail(ctx: Change<'settingManage'>, idx: number): Promise<Empty> {
  const { services } = ctx
  return ctx.change(async (tx) => {
    const now = services.clock.now()
    const mail = await lockMail(tx, idx)
    if (mail === undefined) fail('NOT_ALLOWED')
    if (isUnderWay(mail, now)) return { result: {}, log: 'unchanged' }
    const text = openText(services.key, mail)
    if (text === undefined || isOutOfDate(text, now)) fail('MAIL_FAILED')
    const again = {
      state: MailState.WAITING,
      tries: 0,
      nextTryDT: now,
      sentDT: null,
      lastError: null,
      isInOutbox: 0,
    } as const
    await updateMail(tx, idx, again)
    await enqueueDelivery(tx, services, idx)
    await notify(tx, { topic: 'mails', idx })
    return { result: {}, log: [mailLog(SettingManage.RESEND_MAIL, mail)] }
  })
}

/** Settles for the evaluation outbox; choosing it again changes nothing. */
export function chooseOutbox(ctx: Change<'settingManage'>): Promise<Empty> {
  return ctx.change(async (tx) => {
    if (!(await insertSetting(tx, 'evaluationOutbox', true))) return { result: {}, log: 'unchanged' }
    await notify(tx, { topic: 'settings' })
    return { result: {}, log: [settingLog(SettingManage.CHOOSE_OUTBOX, 'evaluationOutbox')] }
  })
}
