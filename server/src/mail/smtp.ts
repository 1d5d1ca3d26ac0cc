// Sends a mail to the site's mail server by SMTP (RFC 5321), one connection a mail. If the server refuses, stalls
// or disconnects, it ends within the limits with a MailError of one line.

import { isIP } from 'node:net'
import { DEFAULT_PORTS, Encryption } from '@acc/contract/labels/mails'
import type { NodemailerError } from 'nodemailer'
import type { Setting } from '../settings/settings.ts'
import { MailError } from './errors.ts'
import { messageOf, type OutgoingMail } from './message.ts'

/** Milliseconds until the greeting, of silence, and in all. */
export type SmtpLimits = { greeting: number; silence: number; all: number }
export const SMTP_LIMITS: SmtpLimits = { greeting: 30_000, silence: 60_000, all: 120_000 }

/** Contains the password in clear text: never logged, never returned. */
export type MailServer = Omit<Setting<'mailServer'>, 'receiverEmail'>

/** Returns the port of a server; 0 means the default port of its encryption. */
export const portOf = ({ serverPort, encrypt }: Pick<MailServer, 'serverPort' | 'encrypt'>): number =>
  serverPort === 0 ? DEFAULT_PORTS[encrypt] : serverPort

type Options = {
  limits?: SmtpLimits
  /** The address of the server's name, so that no other one is connected to. */
  address?: string
}

/** Sends a mail. Certificates are checked against those that Node trusts (NODE_EXTRA_CA_CERTS). */
export async function sendBySmtp(server: MailServer, mail: OutgoingMail, options: Options = {}): Promise<void> {
  const { limits = SMTP_LIMITS, address = server.serverAddress } = options
  const message = messageOf(mail, server.senderEmail)
  const { default: nodemailer } = await import('nodemailer')
  const transport = nodemailer.createTransport({
    host: address,
    port: portOf(server),
    secure: server.encrypt === Encryption.TLS,
    requireTLS: server.encrypt === Encryption.STARTTLS,
    ignoreTLS: server.encrypt === Encryption.NONE,
    tls: { ...(isIP(server.serverAddress) === 0 && { servername: server.serverAddress }) },
    ...(server.id !== '' && { auth: { user: server.id, pass: server.pw } }),
    dnsTimeout: limits.greeting,
    connectionTimeout: limits.greeting,
    greetingTimeout: limits.greeting,
    socketTimeout: limits.silence,
    maxRecipients: 1,
  })
  try {
    await transport.sendMail({ ...message, signal: AbortSignal.timeout(limits.all) })
  } catch (error) {
    throw error instanceof MailError ? error : explain(error as NodemailerError)
  } finally {
    transport.close()
  }
}

const SENTENCES: Record<string, string> = {
  ETIMEDOUT: 'the mail server did not answer in time',
  EABORT: 'the mail server took too long',
  EDNS: "the mail server's address was not found",
  ECONNECTION: 'the mail server closed the connection',
  ESOCKET: 'the mail server could not be reached',
  ETLS: 'no encrypted connection to the mail server',
  EPROTOCOL: 'the mail server answered what SMTP does not know',
  EAUTH: 'the mail server refused the sign-in',
}
const REFUSED: Record<string, string> = {
  'MAIL FROM': 'the mail server refused the sender',
  'RCPT TO': 'the mail server refused the receiver',
  DATA: 'the mail server refused the mail',
}

function explain(error: NodemailerError): MailError {
  const command = error.command ?? ''
  const sentence = SENTENCES[error.code ?? ''] ?? REFUSED[command] ?? 'the mail could not be sent'
  const detail = error.response === undefined ? error.originalCode : answerOf(error.response, command)
  // The administrator has to correct a refused sign-in or sender: the mail waits.
  const isPermanent = error.permanent === true && (command === 'RCPT TO' || command === 'DATA')
  return new MailError(detail === undefined ? sentence : `${sentence}: ${detail}`, isPermanent)
}

/** Characters of a response that are shown. */
const ANSWER_LENGTH = 200
// The reply code with its enhanced status code (RFC 3463).
const CODES = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/

/** Returns a server's response. After it has received the password or the text, returns the codes only. */
function answerOf(response: string, command: string): string | undefined {
  if (command === 'DATA' || command.startsWith('AUTH')) return CODES.exec(response)?.[0]
  return response
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, ANSWER_LENGTH)
}
