// Mails for the tests of this domain: enqueues them in a change, and sets the site's mail server.

import { runDueJobs } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import type { MailServer } from '../../mail/smtp.ts'
import type { MailTemplate, MailTemplates } from '../../mail/templates.ts'
import { updateSetting } from '../../settings/settings.ts'
import { mailJobs } from './mails.delivery.ts'
import { enqueueMail } from './mails.service.ts'

export const SECRET = 'aB3$-temporary'

/** Enqueues a mail and returns its idx. */
export const enqueued = <T extends MailTemplate>(
  services: Services,
  template: T,
  mail: { to: string } & MailTemplates[T],
) =>
  services.db.write.transaction().execute(async (tx) => {
    await enqueueMail(tx, services, template, mail)
    const { idx } = await tx
      .selectFrom('mails')
      .select((eb) => eb.fn.max('idx').as('idx'))
      .executeTakeFirstOrThrow()
    return idx
  })

export const temporaryPassword = {
  name: '홍길동',
  id: 'gildong',
  password: SECRET,
  validHours: 24,
  reason: 'requested',
} as const
export const passwordChanged = { name: '홍길동', when: new Date('2026-11-21T04:03:02Z'), ip: '192.0.2.7' }

export const rowOf = (services: Services, idx: number) =>
  services.db.read.selectFrom('mails').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()

export const runMailJobs = (services: Services) => runDueJobs(services, mailJobs)

/** Sets or removes the site's mail server. */
export async function setMailServer(services: Services, server?: MailServer): Promise<void> {
  await services.db.write.deleteFrom('settings').where('name', '=', 'mailServer').execute()
  if (server === undefined) return
  await services.db.write
    .transaction()
    .execute((tx) => updateSetting(tx, 'mailServer', { ...server, receiverEmail: 'admin@example.com' }, services.key))
}
