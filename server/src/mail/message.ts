// A mail as it goes out, whichever way (RFC 5322): one receiver, one sender, plain text and the same as HTML.
import { email } from '@acc/contract/core/fields'
import type { SendMailOptions } from 'nodemailer'
import { MailError } from './errors.ts'

export type OutgoingMail = {
  /** The mail's idx and moment: they make its Message-ID, so that a mail sent twice is known to be one, and its file's name. */
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
 * What nodemailer makes the message and its envelope from. The receiver is judged once more: an address that is not
 * exactly one address throws a permanent MailError; nodemailer folds line breaks out of headers.
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
    // RFC 3834: out-of-office replies and the like stay away.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
