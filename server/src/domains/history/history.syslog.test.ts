// Messages of syslog are well-formed for every content of a row. Failed connections differ from those that took all.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SyslogReceiver } from '../../env.history.ts'
import { LOCAL_CERTIFICATE, LOCAL_KEY } from '../../mail/smtp.fixture.ts'
import type { Outgoing } from './history.outgoing.ts'
import { startReceiver } from './history.syslog.fixture.ts'
import { sendSyslog, syslogMessage } from './history.syslog.ts'

const row = (more: Record<string, unknown> = {}, isWarning = false): Outgoing => ({
  idx: 7,
  at: new Date('2026-11-22T09:00:00.123Z'),
  isWarning,
  document: { id: 'history-7', kind: 'userManage', event: 'Created', actorId: 'admin', ip: '10.0.0.1', ...more },
})

/** Header, structured data and message of RFC 5424, section 6. */
const FORM =
  /^<(\d{1,3})>1 (\S+) ([!-~]{1,255}) acc - ([!-~]{1,32}) \[acc@32473((?: [a-zA-Z]{1,32}="(?:[^"\\\]]|\\["\\\]])*")+)\] ([ -~]*)$/u

function parse(message: string) {
  const [, priority, at, host, id, data = '', text = ''] = FORM.exec(message) ?? []
  expect({ message, isMessage: priority !== undefined }).toEqual({ message, isMessage: true })
  return { priority, at, host, id, data, document: JSON.parse(text) as Record<string, unknown> }
}

test('a row becomes one message', () => {
  expect(syslogMessage(row({ actorName: '홍길동', detail: { targetName: '김' } }), 'acc.example.com')).toBe(
    '<110>1 2026-11-22T09:00:00.123Z acc.example.com acc - userManage ' +
      '[acc@32473 id="history-7" event="Created" actorId="admin" actorName="홍길동" ip="10.0.0.1"] ' +
      '{"id":"history-7","kind":"userManage","event":"Created","actorId":"admin","ip":"10.0.0.1",' +
      '"actorName":"\\ud64d\\uae38\\ub3d9","detail":{"targetName":"\\uae40"}}',
  )
  expect(parse(syslogMessage(row({}, true), 'h')).priority).toBe('108')
})

const WORST = [
  'a"b\\c]d',
  'a\nb\r\n<34>1 - - - - - - b\0\u0085\u2028\u007f',
  `e${'\u0301'.repeat(120_000)}`,
  '\ud83d\ude00'.repeat(5_000),
  '\ud800',
  ']"\\'.repeat(3_000),
  // A hundred of these are just too long.
  'x'.repeat(80),
]

test.each(WORST)('hostile text stays inside its message: %#', (text) => {
  const list = Array.from({ length: 100 }, () => ({ name: text }))
  const hostile = row({ actorName: text, subject: text, detail: { targetName: text, list } })
  const message = syslogMessage(hostile, 'h')
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(8_192)
  const { document } = parse(message)
  expect(document.id).toBe('history-7')
  if (document.isShortened === undefined) expect(document.actorName).toBe(text)
})

test('of a long row the texts and lists are shortened first, then its detail is left out', () => {
  const list = Array.from({ length: 9_000 }, (_, at) => at)
  const { document } = parse(syslogMessage(row({ detail: { groups: list, name: 'x'.repeat(999) } }), 'h'))
  expect(document).toMatchObject({
    isShortened: true,
    detail: { groups: { count: 9_000 }, name: `${'x'.repeat(200)}...` },
  })
  const wide = Object.fromEntries(list.map((at) => [`field${at}`, at]))
  const shortest = parse(syslogMessage(row({ detail: wide }), 'h')).document
  expect(shortest).toMatchObject({ id: 'history-7', isShortened: true })
  expect(shortest).not.toHaveProperty('detail')
})

test('any text gives a message of the form', () => {
  const text = fc.string({ unit: 'binary', maxLength: 3_000 })
  fc.assert(
    fc.property(text, text, (one, other) => {
      const message = syslogMessage(row({ actorName: one, subject: other, detail: { one, other } }), 'h')
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(8_192)
      parse(message)
    }),
    { numRuns: 50 },
  )
})

let folder: string
let receiver: Awaited<ReturnType<typeof startReceiver>>
const address = (more: Partial<SyslogReceiver> = {}): SyslogReceiver => {
  const file = (name: string) => join(folder, name)
  return {
    host: 'localhost',
    port: receiver.port,
    caFile: file('ca'),
    certFile: file('cert'),
    keyFile: file('key'),
    ...more,
  }
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acc-syslog-'))
  await writeFile(join(folder, 'ca'), LOCAL_CERTIFICATE)
  await writeFile(join(folder, 'cert'), LOCAL_CERTIFICATE)
  await writeFile(join(folder, 'key'), LOCAL_KEY)
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.stop()
  await rm(folder, { recursive: true })
})

test('what the receiver took and closed in order has arrived', async () => {
  const messages = Array.from({ length: 250 }, (_, at) => `<110>1 - - - - - - ${at} ${'가'.repeat(2_000)}`)
  await sendSyslog(address(), messages)
  expect(receiver.received).toEqual(messages)
})

test.each(['drop', 'cut', 'hang'] as const)('a receiver that does %s has not got it', async (behavior) => {
  receiver.behavior = behavior
  const messages = Array.from({ length: 250 }, () => 'x'.repeat(8_000))
  await expect(sendSyslog(address(), messages, 300)).rejects.toThrow()
  receiver.behavior = 'take'
})

test('a receiver of another authority, another name, or one that refuses our certificate gets nothing', async () => {
  receiver.received.length = 0
  await expect(sendSyslog(address({ caFile: undefined }), ['x'])).rejects.toThrow()
  await expect(sendSyslog(address({ host: '127.0.0.2' }), ['x'])).rejects.toThrow()
  await expect(sendSyslog(address({ certFile: undefined, keyFile: undefined }), ['x'])).rejects.toThrow()
  expect(receiver.received).toEqual([])
})
