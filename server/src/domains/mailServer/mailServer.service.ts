// The mail server of the settings (spec S1 §2 to §5, §7): can be saved only after a test mail with the same values.

import type { Empty } from '@acc/contract/core/fields'
import { flagOf } from '@acc/contract/labels/flags'
import { SettingManage } from '@acc/contract/labels/history'
import { Encryption } from '@acc/contract/labels/mails'
import type { MailServerInput } from '@acc/contract/mailServer'
import { DEFAULT_PORT } from '@acc/contract/mailServer'
import { later, minutes } from '../../clock.ts'
import { notify } from '../../core/change.ts'
import type { Actor, Change, FreeContext, Read } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { sealedRows } from '../../core/sealedRows.ts'
import { settingLog } from '../../core/settingLog.ts'
import { seal, unseal } from '../../crypto/seal.ts'
import type { SecretKey } from '../../crypto/secretKey.ts'
import type { Reader } from '../../db/open.ts'
import { MailError } from '../../mail/errors.ts'
import { portOf } from '../../mail/smtp.ts'
import { renderMail } from '../../mail/templates.ts'
import { findSetting, lockSetting, type Setting, updateSetting } from '../../settings/settings.ts'
import { deleteMailTest, findMailTest, upsertMailTest } from './mailServer.queries.ts'

type MailServer = Setting<'mailServer'>

/** How long a successful test allows saving. */
const TEST_VALID = minutes(10)

/** People whose test is under way on this node: each makes one at a time. */
const testing = new Set<number>()

/** Returns the mail server without its password. */
export async function readMailServer({ services, read }: Read) {
  const found = await findSetting(read, 'mailServer', services.key)
  if (found === undefined) return { server: null }
  const { pw, ...server } = found
  return { server: { ...server, hasPw: flagOf(pw !== '') } }
}

/** Completes the input of a form: the default port as 0, and the stored password if omitted for the same server. */
function complete({ serverPort, pw, ...input }: MailServerInput, stored: MailServer | undefined): MailServer {
  const server = { ...input, serverPort: serverPort === DEFAULT_PORT ? 0 : serverPort }
  if (server.id === '') return { ...server, pw: '' }
  if (pw === '') fail('INVALID_INPUT', { fields: ['pw'] })
  if (pw !== undefined) return { ...server, pw }
  if (stored === undefined || stored.pw === '') return { ...server, pw: '' }
  const isSame = stored.serverAddress === server.serverAddress && portOf(stored) === portOf(server)
  // The stored password must not go to another server than the one that it was typed for.
  if (!isSame) fail('INVALID_INPUT', { fields: ['pw'] })
  return { ...server, pw: stored.pw }
}

const contextOf = (sessionIdx: number) => `mailTests:${sessionIdx}:fields`
export const sealedTests = sealedRows({
  table: 'mailTests',
  key: 'sessionIdx',
  column: 'fields',
  purpose: 'mailTests',
  contextOf: ({ sessionIdx }) => contextOf(sessionIdx),
})
const textOf = (server: MailServer) => JSON.stringify(Object.entries(server).sort())

/** Whether this session has sent a test mail with exactly these values a short while ago. */
async function wasTested(db: Reader, key: SecretKey, sessionIdx: number, server: MailServer, now: Date) {
  const test = await findMailTest(db, sessionIdx)
  if (test === undefined || later(test.testDT, TEST_VALID) < now) return false
  return unseal(key, 'mailTests', contextOf(sessionIdx), test.fields).toString('utf8') === textOf(server)
}

/** With an external mail service in use, the settings have no mail server (spec S1 §2). */
function requireOwnServer({ services }: Pick<Read, 'services'>): void {
  if (services.env.mailService !== undefined) fail('NOT_ALLOWED')
}

/** Sends a test mail. Why it failed is in the operation log only. */
export async function testMailServer(ctx: FreeContext<Actor>, input: MailServerInput): Promise<Empty> {
  const { services, actor } = ctx
  requireOwnServer(ctx)
  const server = complete(input, await findSetting(ctx.read, 'mailServer', services.key))
  if (testing.has(actor.idx)) fail('TOO_MANY_REQUESTS', { retryAfter: 10 })
  testing.add(actor.idx)
  try {
    const now = services.clock.now()
    const { product } = services.env.runtime
    const site = { product: product.serverName, url: `${services.env.publicUrl}${services.env.runtime.frontRoute}` }
    const mail = renderMail('mailServerTest', { name: actor.name, when: now }, site)
    const { receiverEmail: to } = server
    await services.mail.test(server, { idx: 0, createDT: now, senderName: product.serverName, to, ...mail })
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    services.log.warn(
      { user: actor.id, server: server.serverAddress, reason: error.message },
      'a test mail was not sent',
    )
    fail('TEST_MAIL_FAILED')
  } finally {
    testing.delete(actor.idx)
  }
  return ctx.change(async (tx) => {
    const fields = seal(services.key, 'mailTests', contextOf(actor.sessionIdx), textOf(server))
    await upsertMailTest(tx, actor.sessionIdx, { fields, testDT: services.clock.now() })
    return { result: {} }
  })
}

/** What the history says of a server: everything but the password. */
function wordsOf(server: MailServer | undefined): string | null {
  if (server === undefined) return null
  const { serverAddress, encrypt, senderEmail, receiverEmail, id } = server
  const place = `${serverAddress} : ${portOf(server)} (${Encryption.labels[encrypt].en})`
  return [place, senderEmail, receiverEmail, ...(id === '' ? [] : [id])].join(', ')
}

/** Saves the mail server. Fails with MAIL_SERVER_FAILED unless these values were tested. */
export async function setMailServer(ctx: Change<'settingManage'>, input: MailServerInput): Promise<Empty> {
  const { services, actor } = ctx
  requireOwnServer(ctx)
  return ctx.change(async (tx) => {
    const old = await lockSetting(tx, 'mailServer', services.key)
    const server = complete(input, old)
    if (!(await wasTested(tx, services.key, actor.sessionIdx, server, services.clock.now()))) fail('MAIL_SERVER_FAILED')
    if (old !== undefined && textOf(old) === textOf(server)) return { result: {}, log: 'unchanged' }
    await updateSetting(tx, 'mailServer', server, services.key)
    await deleteMailTest(tx, actor.sessionIdx)
    await notify(tx, { topic: 'settings' })
    const detail = { targetValue: wordsOf(server), targetOldValue: wordsOf(old) }
    return { result: {}, log: [settingLog(SettingManage.SET_MAIL_SERVER, 'mailServer', detail)] }
  })
}
