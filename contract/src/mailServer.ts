// The mail server that the product sends through, and its test (spec S1 §2 to §5, §7, §9).
import { z } from 'zod'
import { Empty, email, flag, host, line, secret } from './core/fields.ts'
import { MAX_PORT } from './core/limits.ts'
import { defineRoutes, get, post } from './core/route.ts'
import { Encryption } from './labels/mails.ts'

/** The default port of the chosen encryption, like port 0. */
export const DEFAULT_PORT = '*'

export const MailServerInput = z.object({
  serverAddress: host(100),
  serverPort: z.union([z.int().min(0).max(MAX_PORT), z.literal(DEFAULT_PORT)]),
  encrypt: z.literal(Encryption.values),
  senderEmail: email,
  /** Empty: the server asks for no sign-in. */
  id: line(30),
  /** Left out: the stored one, while address and port are unchanged; none, or empty, without an id. Never returned. */
  pw: secret(
    z
      .string()
      .max(63)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u),
  ).optional(),
  /** Receives the test mail. */
  receiverEmail: email,
})
export type MailServerInput = z.output<typeof MailServerInput>

export const MailServerState = z.object({
  /** Null where none is set. Port 0 means the default port. */
  server: MailServerInput.omit({ pw: true, serverPort: true }).extend({ serverPort: z.int(), hasPw: flag }).nullable(),
})

const spec = { access: 'admin', inExternalMode: 'mail', audit: 'settingManage' } as const

export const mailServer = defineRoutes({
  /** Returns the mail server, without its password; null if none is registered. */
  find: get('/MailServer', {
    input: Empty,
    data: MailServerState,
    access: 'admin',
    inExternalMode: 'mail',
    errors: [],
    shows: ['settings'],
  }),
  /** Fails with 995 unless the same session has tested the same values within 10 minutes. */
  set: post('/MailServer', {
    ...spec,
    input: MailServerInput,
    data: Empty,
    errors: ['MAIL_SERVER_FAILED'],
    changes: ['settings'],
  }),
  /** Sends a test mail. Every failure is 997 after the same time. */
  test: post('/MailServer/Test', {
    ...spec,
    input: MailServerInput,
    data: Empty,
    errors: ['TEST_MAIL_FAILED'],
    changes: [],
    audit: { none: 'a test changes nothing; the operation log names who made it' },
  }),
})
