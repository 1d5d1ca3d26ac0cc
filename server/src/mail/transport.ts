// Sends mail through the site's mail server, or into the evaluation outbox if none is set. The setting is read for
// every mail, so that a change applies at once on every node.
import type { SecretKey } from '../crypto/secretKey.ts'
import type { Database } from '../db/open.ts'
import { findSetting, SettingError } from '../settings/settings.ts'
import { MailError } from './errors.ts'
import { TEST_TIME, testMailServer } from './mailTest.ts'
import type { OutgoingMail } from './message.ts'
import { clearOutbox, writeToOutbox } from './outbox.ts'
import { type MailServer, SMTP_LIMITS, type SmtpLimits, sendBySmtp } from './smtp.ts'

export type MailTransport = {
  /** Delivers one mail: to the mail server, or to the outbox of this node. Throws MailError. */
  send(mail: OutgoingMail): Promise<{ isInOutbox: boolean }>
  /** Sends a mail through a server that is not set yet. Every failure is a MailError after the same time. */
  test(server: MailServer, mail: OutgoingMail): Promise<void>
  /** Removes outbox files of mails older than `bound` from this node. */
  clearOutbox(bound: Date): Promise<void>
}

type Options = {
  db: Pick<Database, 'read'>
  key: SecretKey
  outboxDir: string
  /** The operator's mail service, which is used in place of the settings. */
  service: MailServer | undefined
  limits?: SmtpLimits
  testTime?: number
}

export function openMailTransport(options: Options): MailTransport {
  const { db, key, outboxDir, service, limits = SMTP_LIMITS, testTime = TEST_TIME } = options
  const findMailServer = async (): Promise<MailServer | undefined> =>
    service ??
    findSetting(db.read, 'mailServer', key).catch((error: unknown) => {
      throw error instanceof SettingError ? new MailError("the mail server's settings cannot be read") : error
    })
  return {
    send: async (mail) => {
      const server = await findMailServer()
      if (server === undefined) await writeToOutbox(outboxDir, mail)
      else await sendBySmtp(server, mail, { limits })
      return { isInOutbox: server === undefined }
    },
    test: (server, mail) => testMailServer(server, mail, testTime),
    clearOutbox: (bound) => clearOutbox(outboxDir, bound),
  }
}
