// The mail server against real SMTP peers: tested before it is saved, its password kept, its failures all alike.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { SettingManage } from '@acc/contract/labels/history'
import { DEFAULT_PORT } from '@acc/contract/mailServer'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { historyOf } from '../../../test/history.ts'
import { minutes } from '../../clock.ts'
import { startSmtpServer } from '../../mail/smtp.fixture.ts'
import { openMailTransport } from '../../mail/transport.ts'
import { findSetting } from '../../settings/settings.ts'

const PASSWORD = 'smtp-secret-1'
const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line) => lines.push(line) })
const { app, as, admin, clock } = await startTestApp({}, log)
/** Every failed test takes this long, in milliseconds. */
const TEST_TIME = 200
const none = { db: app.db, key: app.key, outboxDir: '/nowhere', service: undefined }
const patient = app.mail.test
const impatient = openMailTransport({ ...none, testTime: TEST_TIME }).test
const { mailServer, configs } = as(admin)
const smtp = await startSmtpServer({
  authOptional: true,
  allowInsecureAuth: true,
  onAuth: ({ username, password }, _session, done) =>
    password === PASSWORD ? done(null, { user: username ?? '' }) : done(new Error('refused')),
})
afterAll(() => smtp.stop())

const INPUT = {
  serverAddress: 'localhost',
  serverPort: smtp.settings.serverPort,
  encrypt: 0,
  senderEmail: 'acc@example.com',
  id: '',
  receiverEmail: 'it@example.com',
} as const
const stored = () => findSetting(app.db.read, 'mailServer', app.key)
const rows = () => historyOf(app.db, 'settingManage')
beforeEach(async () => {
  app.mail.test = patient
  smtp.received.length = 0
  await app.db.write.deleteFrom('settings').where('name', '=', 'mailServer').execute()
  await app.db.write.deleteFrom('mailTests').execute()
})

test('a tested mail server is saved, read without its password, and recorded', async () => {
  const input = { ...INPUT, id: 'acc', pw: PASSWORD }
  expect(await mailServer.find({})).toEqual({ server: null })
  await mailServer.test(input)
  expect(smtp.received).toMatchObject([{ from: 'acc@example.com', to: ['it@example.com'] }])
  expect(smtp.received[0]?.source).toContain('Subject:')
  await mailServer.set(input)
  const { server } = await mailServer.find({})
  expect(server).toEqual({ ...INPUT, id: 'acc', hasPw: 1 })
  expect(await stored()).toEqual(input)
  expect(await configs.find({})).toMatchObject({ hasMailServer: 1, usesOutbox: 0 })
  expect((await rows()).at(-1)).toMatchObject({ type: SettingManage.SET_MAIL_SERVER })
  expect((await rows()).at(-1)?.detail).toEqual({
    targetName: null,
    targetValue: `localhost : ${INPUT.serverPort} (None), acc@example.com, it@example.com, acc`,
    targetOldValue: null,
  })
  const dump = await app.db.read.selectFrom('mailTests').selectAll().execute()
  expect(JSON.stringify([await rows(), dump])).not.toContain(PASSWORD)
})

test('values that differ from the tested ones in any field cannot be saved', async () => {
  await expect(mailServer.set(INPUT)).rejects.toMatchObject({ code: 995 })
  await mailServer.test(INPUT)
  const changes = [
    { serverAddress: '127.0.0.1' },
    { serverPort: 2525 },
    { encrypt: 2 },
    { senderEmail: 'other@example.com' },
    { receiverEmail: 'other@example.com' },
    { id: 'other' },
    { id: 'other', pw: 'other' },
  ] as const
  for (const change of changes)
    await expect(mailServer.set({ ...INPUT, ...change })).rejects.toMatchObject({ code: 995 })
  expect(await stored()).toBeUndefined()
  await mailServer.set(INPUT)
  expect(await stored()).toMatchObject({ serverAddress: 'localhost' })
})

test('an empty password with an empty ID, as the specification sends both, is none', async () => {
  await mailServer.test({ ...INPUT, pw: '' })
  await mailServer.set({ ...INPUT, pw: '' })
  expect((await mailServer.find({})).server).toEqual({ ...INPUT, hasPw: 0 })
})

test('a test counts for its session and for ten minutes', async () => {
  await mailServer.test(INPUT)
  await expect(as(admin).mailServer.set(INPUT)).rejects.toMatchObject({ code: 995 })
  clock.advance(minutes(10) + 1)
  await expect(mailServer.set(INPUT)).rejects.toMatchObject({ code: 995 })
  await mailServer.test(INPUT)
  clock.advance(minutes(10))
  await mailServer.set(INPUT)
  expect(await stored()).toBeDefined()
})

test('a password that is left out stays for the same server only', async () => {
  const withPassword = { ...INPUT, id: 'acc', pw: PASSWORD }
  await mailServer.test(withPassword)
  await mailServer.set(withPassword)
  const { pw: _, ...without } = { ...withPassword, senderEmail: 'new@example.com' }
  await mailServer.test(without)
  await mailServer.set(without)
  expect(await stored()).toMatchObject({ senderEmail: 'new@example.com', pw: PASSWORD })
  for (const elsewhere of [
    { serverAddress: '127.0.0.1' },
    { serverPort: 2525 },
    { serverPort: DEFAULT_PORT },
  ] as const) {
    const failed = mailServer.test({ ...without, ...elsewhere })
    await expect(failed).rejects.toMatchObject({ code: 983, data: { fields: ['pw'] } })
  }
})

/** A server that does with each connection what the test says. */
async function startRaw(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => serve(socket.on('error', () => undefined))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => server.close())
  return (server.address() as AddressInfo).port
}

/** The link, cloud metadata and no host at all, also in other spellings: 0xa9fea9fe is 169.254.169.254. */
const NO_ADDRESSES = ['169.254.169.254', '0xa9fea9fe', '::ffff:169.254.169.254', 'fe80::1', '0.0.0.0', '::']

test('every failure is the same after the same time, and saves nothing', async () => {
  app.mail.test = impatient
  const gone = await startSmtpServer()
  await gone.stop()
  const ports = {
    mute: await startRaw(() => undefined),
    hangingUp: await startRaw((socket) => socket.destroy()),
    noSmtp: await startRaw((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    refusing: await startRaw((socket) => void socket.end('554 no service\r\n')),
    closed: gone.settings.serverPort,
  }
  const inputs = [
    ...Object.values(ports).map((serverPort) => ({ ...INPUT, serverPort })),
    { ...INPUT, serverPort: 22 },
    ...NO_ADDRESSES.map((serverAddress) => ({ ...INPUT, serverAddress })),
    { ...INPUT, serverAddress: 'nowhere.invalid' },
    { ...INPUT, id: 'acc', pw: 'wrong' },
  ]
  for (const input of inputs) {
    const start = performance.now()
    const failure = await mailServer.test(input).catch((error: unknown) => error)
    const took = performance.now() - start
    expect(failure, JSON.stringify(input)).toMatchObject({ code: 997, message: 'TEST_MAIL_FAILED', data: undefined })
    expect(took, JSON.stringify(input)).toBeGreaterThan(TEST_TIME - 20)
    expect(took, JSON.stringify(input)).toBeLessThan(TEST_TIME + 700)
    await expect(mailServer.set(input)).rejects.toMatchObject({ code: 995 })
  }
  expect(await stored()).toBeUndefined()
  // Refused by what they are, not only by the silence there.
  const checked = lines.filter((line) => line.includes('not an address of mail'))
  expect(checked).toHaveLength(NO_ADDRESSES.length)
})

test('nothing is sent to a server that does not greet as one of mail', async () => {
  app.mail.test = impatient
  let received = ''
  const port = await startRaw((socket) => socket.on('data', (data) => (received += String(data))))
  await expect(mailServer.test({ ...INPUT, serverPort: port })).rejects.toMatchObject({ code: 997 })
  expect(received).toBe('')
})

test('one person makes one test at a time', async () => {
  app.mail.test = impatient
  const port = await startRaw(() => undefined)
  const first = mailServer.test({ ...INPUT, serverPort: port }).catch((error: unknown) => error)
  const second = await mailServer.test({ ...INPUT, serverPort: port }).catch((error: unknown) => error)
  const codes = [await first, second].map((error) => (error as { code: number }).code).sort()
  expect(codes).toEqual([113, 997])
})

test.each([
  [{ serverAddress: 'a b' }, 'serverAddress'],
  [{ serverAddress: 'smtp://x' }, 'serverAddress'],
  [{ serverAddress: '' }, 'serverAddress'],
  [{ serverAddress: '2852039166' }, 'serverAddress'],
  [{ serverAddress: `${'a.'.repeat(50)}x` }, 'serverAddress'],
  [{ serverPort: 65_536 }, 'serverPort'],
  [{ serverPort: -1 }, 'serverPort'],
  [{ senderEmail: 'a@x.kr\r\nBcc: b@x.kr' }, 'senderEmail'],
  [{ receiverEmail: 'a@x.kr,b@x.kr' }, 'receiverEmail'],
  [{ receiverEmail: '' }, 'receiverEmail'],
  [{ id: 'x'.repeat(31) }, 'id'],
  [{ id: 'acc', pw: '' }, 'pw'],
  [{ pw: 'x'.repeat(64) }, 'pw'],
  [{ pw: 'a\r\nQUIT' }, 'pw'],
])('%o is refused', async (change, field) => {
  const input = { ...INPUT, ...change }
  await expect(mailServer.test(input)).rejects.toMatchObject({ code: 983, data: { fields: [field] } })
  expect(smtp.received).toEqual([])
})

test('with a mail service of the operator the settings have no mail server', async () => {
  const service = { ...smtp.settings, id: '', pw: '' }
  Object.assign(app.env, { mailService: service })
  expect(await configs.find({})).toMatchObject({ hasMailServer: 1, usesOutbox: 0, useKnoxMailServer: 1 })
  await expect(mailServer.test(INPUT)).rejects.toMatchObject({ code: 980 })
  await expect(mailServer.set(INPUT)).rejects.toMatchObject({ code: 980 })
  Object.assign(app.env, { mailService: undefined })
  const transport = openMailTransport({ ...none, service })
  const mail = { idx: 1, createDT: clock.now(), senderName: 'ACC', subject: 'x', text: 'x', html: 'x' }
  expect(await transport.send({ ...mail, to: 'it@example.com' })).toEqual({ isInOutbox: false })
  expect(smtp.received).toHaveLength(1)
})
