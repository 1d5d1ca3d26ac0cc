// A mail as it is sent (RFC 5322): one receiver, one sender, plain text and the same as HTML.
import { email } from '@acc/contract/core/fields'
import type { SendMailOptions } from 'nodemailer'
import { MailError } from './errors.ts'

export type OutgoingMail = {
  /** The mail's idx and moment, which form its file name and its Message-ID, so that duplicates are recognized. */
  idx: number
  createDT: Date
  /** Display name of the sender. */
  senderName: string
  to: string
  subject: string
  text: string
  html: string
}

/**
 * Returns the input of nodemailer. Throws a permanent MailError unless the receiver is exactly one address; nodemailer
 * removes line breaks from headers.
 */
export function messageOf(mail: OutgoingMail, senderEmail: string): SendMailOptions {
  if (email.safeParse(mail.to).data !== mail.to) throw new MailError('the receiver is not an email address', true)
  const domain = senderEmail.slice(senderEmail.lastIndexOf('@') + 1)
  return {
    envelope: { from: senderEmail, to: [mail.to] },
    from: { name: mail.senderName, address: senderEmail },
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.createDT,
    messageId: `<acc.${mail.idx}.${mail.createDT.getTime()}@${domain}>`,
    // RFC 3834: prevents out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
