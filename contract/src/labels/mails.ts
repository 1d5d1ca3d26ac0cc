// Progress of mail that the product sends.
import { enumOf, type ToneLabel, type ValueOf } from './enumOf.ts'

/** waiting: to be sent, or retried at nextTryDT; sent: taken by the mail server or the outbox; failed: given up. */
const STATES = {
  WAITING: { value: 0, ko: '대기', en: 'Waiting', tone: 'accent' },
  SENT: { value: 1, ko: '발송', en: 'Sent', tone: 'ok' },
  FAILED: { value: 2, ko: '실패', en: 'Failed', tone: 'bad' },
} as const
export const MailState = enumOf(STATES)
export type MailState = ValueOf<typeof MailState>

const RETRYING: ToneLabel = { ko: '재시도 대기', en: 'Retrying', tone: 'warn' }

/** What a mail is shown as, one of these: sent without a mail server is in the outbox. */
export const ShownMailState = enumOf({
  ...STATES,
  IN_OUTBOX: { value: 3, ko: '보관함', en: 'In outbox', tone: 'quiet' },
})
export type ShownMailState = ValueOf<typeof ShownMailState>

/** The label of a mail: waiting after a failed attempt is retrying, sent without a mail server is in the outbox. */
export function mailStateLabel(mail: { state: MailState; tries: number; isInOutbox: 0 | 1 }): ToneLabel {
  if (mail.state === MailState.SENT && mail.isInOutbox === 1) return ShownMailState.labels[ShownMailState.IN_OUTBOX]
  if (mail.state === MailState.WAITING && mail.tries > 0) return RETRYING
  return MailState.labels[mail.state]
}

/** Encryption of the connection to the mail server (spec S1 §3). */
export const Encryption = enumOf({
  NONE: { value: 0, ko: '없음', en: 'None' },
  TLS: { value: 1, ko: 'SSL/TLS', en: 'SSL/TLS' },
  STARTTLS: { value: 2, ko: 'STARTTLS', en: 'STARTTLS' },
})
export type Encryption = ValueOf<typeof Encryption>

/** Default ports (RFC 5321, RFC 8314, RFC 6409). */
export const DEFAULT_PORTS = { [Encryption.NONE]: 25, [Encryption.TLS]: 465, [Encryption.STARTTLS]: 587 } as const
