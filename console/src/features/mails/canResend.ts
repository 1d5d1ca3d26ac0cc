// Mails that can be resent: failed ones, and sent ones unless they are in the outbox, which has no mail server.
import { MailState } from '@acc/contract/labels/mails'
import type { Mail } from '@acc/contract/mails'

export const canResend = ({ state, isInOutbox }: Pick<Mail, 'state' | 'isInOutbox'>): boolean =>
  state === MailState.FAILED || (state === MailState.SENT && isInOutbox === 0)
