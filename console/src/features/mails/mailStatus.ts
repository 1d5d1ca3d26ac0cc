// How far a mail has come, in one word.
import { type Mail, MailState } from '@acc/contract/mails'
import type { Tone } from '../../kit/table/StatusDot.tsx'

type Word = 'waiting' | 'retrying' | 'sent' | 'inOutbox' | 'failed'
type Progress = Pick<Mail, 'state' | 'tries' | 'isInOutbox'>

export function mailStatus({ state, tries, isInOutbox }: Progress): { word: Word; tone: Tone } {
  if (state === MailState.FAILED) return { word: 'failed', tone: 'bad' }
  if (state === MailState.SENT)
    return isInOutbox === 1 ? { word: 'inOutbox', tone: 'quiet' } : { word: 'sent', tone: 'ok' }
  return tries > 0 ? { word: 'retrying', tone: 'warn' } : { word: 'waiting', tone: 'accent' }
}

/** A mail that waits goes out by itself; one in the outbox has nowhere to go. */
export const canResend = ({ state, isInOutbox }: Progress): boolean =>
  state === MailState.FAILED || (state === MailState.SENT && isInOutbox === 0)
