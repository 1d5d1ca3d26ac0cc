// ACC_MAIL_URL: a mail service of the operator's, in place of the mail server of the settings.
import { email } from '@acc/contract/core/fields'
import { Encryption } from '@acc/contract/labels/mails'
import { z } from 'zod'

export type MailService = {
  serverAddress: string
  serverPort: number
  encrypt: Encryption
  senderEmail: string
  id: string
  pw: string
}

const MAIL_FORM =
  'smtps://ID:PASSWORD@HOST:PORT?from=SENDER, or smtp:// for STARTTLS (smtp://...&encrypt=none for no encryption)'

const ENCRYPTIONS: Record<string, Encryption> = { 'smtps:': Encryption.TLS, 'smtp:': Encryption.STARTTLS }

/** Reads the address of a mail service. Returns undefined for other text. */
function read(text: string): MailService | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const usual = url && ENCRYPTIONS[url.protocol]
  if (url === undefined || usual === undefined || url.hostname === '') return undefined
  const sender = email.safeParse(url.searchParams.get('from'))
  if (!sender.success) return undefined
  const encrypt = url.protocol === 'smtp:' && url.searchParams.get('encrypt') === 'none' ? Encryption.NONE : usual
  return {
    serverAddress: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    serverPort: Number(url.port),
    encrypt,
    senderEmail: sender.data,
    id: decodeURIComponent(url.username),
    pw: decodeURIComponent(url.password),
  }
}

export const mailService = z.string().transform((text, ctx): MailService => {
  const service = read(text)
  if (service !== undefined) return service
  ctx.addIssue(MAIL_FORM)
  return z.NEVER
})
