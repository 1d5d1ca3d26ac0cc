// Delivery of mail: one try at a time, pauses, giving up, recovery after a node's death, and secrets.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { MailState } from '@acc/contract/labels/mails'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { announced } from '../../../test/announced.ts'
import { startTestApp } from '../../../test/app.ts'
import { days, hours, later, minutes } from '../../clock.ts'
import type { Services } from '../../core/services.ts'
import { makeSecretKey } from '../../crypto/secretKey.ts'
import { startSmtpServer } from '../../mail/smtp.fixture.ts'
import { deliverDueMails, deliverMail, dropOldMails } from './mails.delivery.ts'
import {
  enqueued,
  passwordChanged,
  rowOf,
  runMailJobs,
  SECRET,
  setMailServer,
  temporaryPassword,
} from './mails.fixture.ts'

const { app: testApp, owner, clock } = await startTestApp()
const logged: string[] = []
const app: Services = { ...testApp, log: pino({ level: 'trace' }, { write: (line) => void logged.push(line) }) }
const outbox = join(app.env.dataDir, 'outbox')
const to = 'gildong@example.com'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await setMailServer(app)
  await app.db.write.deleteFrom('mails').execute()
})

/** A site whose mail server replies to every recipient with this code and text. */
async function startRefusing(responseCode: number, sentence: string) {
  const server = await startSmtpServer({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error(sentence), { responseCode })),
  })
  stops.push(server.stop)
  await setMailServer(app, server.settings)
}
/** Runs the minute's job and the jobs that it enqueues. */
const minute = async () => {
  await deliverDueMails(app)
  await runMailJobs(app)
}

test('a server that puts mail off is tried ten times over a day, then the mail is given up', async () => {
  await startRefusing(451, 'come back later')
  const start = clock.now().getTime()
  const idx = await enqueued(app, 'passwordChanged', { to, ...passwordChanged })
  await runMailJobs(app)
  for (let tries = 1; tries < 10; tries++) {
    const row = await rowOf(app, idx)
    expect(row).toMatchObject({ state: MailState.WAITING, tries, lastError: expect.stringContaining('451 come back') })
    const pause = (row.nextTryDT?.getTime() ?? 0) - clock.now().getTime()
    expect(pause).toBeGreaterThan(0)
    clock.advance(pause - 1)
    await minute()
    expect((await rowOf(app, idx)).tries).toBe(tries)
    clock.advance(1)
    await minute()
  }
  expect(await rowOf(app, idx)).toMatchObject({ state: MailState.FAILED, tries: 10, nextTryDT: null })
  expect(clock.now().getTime() - start).toBeGreaterThan(hours(20))
  expect(clock.now().getTime() - start).toBeLessThan(hours(24))
  clock.advance(days(1))
  await minute()
  expect((await rowOf(app, idx)).tries).toBe(10)
})

test('a mail server that is mended in time gets the mail, once', async () => {
  await startRefusing(421, 'not now')
  const idx = await enqueued(app, 'passwordChanged', { to, ...passwordChanged })
  await runMailJobs(app)
  const reachable = await startSmtpServer()
  stops.push(reachable.stop)
  await setMailServer(app, reachable.settings)
  clock.advance(minutes(1))
  await minute()
  await minute()
  expect(reachable.received).toHaveLength(1)
  expect(await rowOf(app, idx)).toMatchObject({ state: MailState.SENT, tries: 2, lastError: null, body: null })
})

test('a temporary password is not sent after it ran out, and then no longer kept', async () => {
  await startRefusing(451, 'come back later')
  const idx = await enqueued(app, 'temporaryPassword', { to, ...temporaryPassword })
  await runMailJobs(app)
  await setMailServer(app)
  const before = await readdir(outbox).catch(() => [])
  clock.advance(hours(24))
  await minute()
  expect(await rowOf(app, idx)).toMatchObject({
    state: MailState.FAILED,
    lastError: 'the mail was no longer valid',
    body: null,
  })
  expect(await readdir(outbox).catch(() => [])).toEqual(before)
})

test('of several nodes at once one sends', async () => {
  const server = await startSmtpServer()
  stops.push(server.stop)
  await setMailServer(app, server.settings)
  const idx = await enqueued(app, 'passwordChanged', { to, ...passwordChanged })
  await Promise.all([1, 2, 3, 4].map(() => deliverMail(app, { idx })))
  expect(server.received).toHaveLength(1)
  expect(await rowOf(app, idx)).toMatchObject({ state: MailState.SENT, tries: 1 })
})

test('a try holds the mail for five minutes; what comes of it later than that counts no more', async () => {
  const refusal = Promise.withResolvers<(error: Error) => void>()
  const stalling = await startSmtpServer({ onRcptTo: (_address, _session, done) => refusal.resolve(done) })
  stops.push(stalling.stop)
  await setMailServer(app, stalling.settings)
  const idx = await enqueued(app, 'passwordChanged', { to, ...passwordChanged })
  const lateTry = deliverMail(app, { idx })
  const refuse = await refusal.promise
  const claimed = { state: MailState.WAITING, tries: 1, nextTryDT: later(clock.now(), minutes(5)) }
  expect(await rowOf(app, idx)).toMatchObject(claimed)
  await startRefusing(451, 'come back later')
  clock.advance(minutes(5) - 1)
  await minute()
  expect(await rowOf(app, idx)).toMatchObject(claimed)
  clock.advance(1)
  await minute()
  const second = { state: MailState.WAITING, tries: 2, lastError: expect.stringContaining('451') }
  expect(await rowOf(app, idx)).toMatchObject(second)
  refuse(Object.assign(new Error('no mailbox'), { responseCode: 550 }))
  await lateTry
  expect(await rowOf(app, idx)).toMatchObject(second)
})

test('a mail whose tries all ended their process is given up', async () => {
  const idx = await enqueued(app, 'passwordChanged', { to, ...passwordChanged })
  await app.db.write.updateTable('mails').set({ tries: 10 }).where('idx', '=', idx).execute()
  await minute()
  expect(await rowOf(app, idx)).toMatchObject({ state: MailState.FAILED, lastError: 'the mail could not be sent' })
})

test('a text from another row, or sealed with another key, is not sent', async () => {
  const [first, second] = [
    await enqueued(app, 'temporaryPassword', { to: 'first@example.com', ...temporaryPassword }),
    await enqueued(app, 'passwordChanged', { to: 'second@example.com', ...passwordChanged }),
  ]
  const { body } = await rowOf(app, first)
  await app.db.write.updateTable('mails').set({ body }).where('idx', '=', second).execute()
  await deliverMail(app, { idx: second })
  await deliverMail({ ...app, key: makeSecretKey(Buffer.alloc(32, 9)) }, { idx: first })
  for (const idx of [first, second]) {
    expect(await rowOf(app, idx)).toMatchObject({
      state: MailState.FAILED,
      lastError: "the mail's text cannot be opened with this secret key",
    })
  }
})

test('a mail-server setting that cannot be read holds mail back: it does not go elsewhere', async () => {
  const server = await startSmtpServer()
  stops.push(server.stop)
  await setMailServer({ ...app, key: makeSecretKey(Buffer.alloc(32, 9)) }, { ...server.settings, pw: 'secret' })
  const before = await readdir(outbox).catch(() => [])
  const idx = await enqueued(app, 'temporaryPassword', { to, ...temporaryPassword })
  await runMailJobs(app)
  expect(await rowOf(app, idx)).toMatchObject({
    state: MailState.WAITING,
    lastError: "the mail server's settings cannot be read",
  })
  expect(await readdir(outbox).catch(() => [])).toEqual(before)
})

test('the password of the mail server is sealed for its row, and the mail’s is never logged', async () => {
  const server = await startSmtpServer({
    allowInsecureAuth: true,
    authOptional: false,
    onAuth: ({ password }, _session, done) => done(new Error(`not ${password}`)),
  })
  stops.push(server.stop)
  await setMailServer(app, { ...server.settings, id: 'acc', pw: 'smtp-secret' })
  const stored = await app.db.read.selectFrom('settings').select('value').where('name', '=', 'mailServer').execute()
  expect(JSON.stringify(stored)).not.toContain('smtp-secret')
  logged.splice(0)
  const idx = await enqueued(app, 'temporaryPassword', { to, ...temporaryPassword })
  await runMailJobs(app)
  const { lastError } = await rowOf(app, idx)
  expect(lastError).toBe('the mail server refused the sign-in: 535')
  expect(logged.join()).toContain('a mail was not sent')
  for (const secret of [SECRET, 'smtp-secret']) expect(logged.join() + lastError).not.toContain(secret)
})

test('mail of thirty days ago goes, with its file; what waits stays', async () => {
  const old = await enqueued(app, 'passwordChanged', { to, ...passwordChanged })
  await minute()
  clock.advance(days(20))
  const younger = await enqueued(app, 'passwordChanged', { to, ...passwordChanged })
  await minute()
  clock.advance(days(10) + 1000)
  expect(await announced(app, () => dropOldMails(app))).toContainEqual({ topic: 'mails' })
  const rows = await app.db.read.selectFrom('mails').select('idx').execute()
  expect(rows).toEqual([{ idx: younger }])
  const files = await readdir(outbox)
  expect(files.some((name) => name.endsWith(`-${old}.eml`))).toBe(false)
  expect(files.some((name) => name.endsWith(`-${younger}.eml`))).toBe(true)
})

test('a database that goes away behind the sending has the outcome once it is back, so that the mail is sent once', async () => {
  const keep = new pg.Client(app.db.connection)
  await keep.connect()
  const limit = async (connections: number) => {
    const { rows } = await keep.query<{ name: string }>('select quote_ident(current_database()) as name')
    await sql.raw(`alter database ${rows[0]?.name} connection limit ${connections}`).execute(owner)
  }
  let leave = () => {}
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  const server = await startSmtpServer({
    onRcptTo: async (_address, _session, done) => {
      await limit(0)
      await keep.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = current_user and pid <> pg_backend_pid() and application_name = '' and query <> 'listen acc'`)
      leave()
      done()
    },
  })
  stops.push(server.stop)
  await setMailServer(app, server.settings)
  const idx = await enqueued(app, 'passwordChanged', { to, ...passwordChanged })
  const delivered = deliverMail(app, { idx })
  await left
  const refusal = () => sql`select 1`.execute(app.db.write).catch(({ code }: { code: string }) => code)
  await expect.poll(refusal).toBe('53300')
  await limit(-1)
  await keep.end()
  await delivered
  expect(server.received).toHaveLength(1)
  expect(await rowOf(app, idx)).toMatchObject({ state: MailState.SENT, tries: 1 })
})
