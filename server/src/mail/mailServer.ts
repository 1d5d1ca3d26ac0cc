// The site's mail server, as the settings keep it: one row of `settings`, its password sealed for that row (threat E8).

import { email } from '@acc/contract/core/fields'
import { z } from 'zod'
import { seal, unseal } from '../crypto/seal.ts'
import type { SecretKey } from '../crypto/secretKey.ts'
import type { Reader } from '../db/open.ts'
import { MailError } from './errors.ts'

/** The row's name. */
export const MAIL_SERVER = 'mailServer'
const PURPOSE = 'mailServer'
const ROW = `settings:${MAIL_SERVER}:pw`

const Stored = z.object({
  serverAddress: z.string().min(1),
  /** 0: the usual one of the encryption. */
  serverPort: z.int().min(0).max(65_535),
  /** 0 none, 1 SSL/TLS from the start, 2 STARTTLS, without which nothing is sent. */
  encrypt: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  senderEmail: email,
  /** Empty: the server asks for no sign-in. */
  id: z.string(),
  /** Sealed, as base64. */
  pw: z.string(),
})
type Stored = z.output<typeof Stored>

/** With the password in the clear: never to be logged or answered. */
export type MailServer = Stored

/** The value to store. */
export const sealMailServer = (key: SecretKey, server: MailServer): Stored => ({
  ...server,
  pw: seal(key, PURPOSE, ROW, server.pw).toString('base64'),
})

/** The mail server, or undefined where none is set. Throws MailError where what is stored cannot be read. */
export async function findMailServer(db: Reader, key: SecretKey): Promise<MailServer | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', MAIL_SERVER).executeTakeFirst()
  if (row === undefined) return undefined
  try {
    const stored = Stored.parse(row.value)
    return { ...stored, pw: unseal(key, PURPOSE, ROW, Buffer.from(stored.pw, 'base64')).toString('utf8') }
  } catch {
    // What stands there must not get into a message.
    throw new MailError("the mail server's settings cannot be read")
  }
}
