// Sends the history to a real receiver and into real files: everything, in order, at least once, despite failures.

import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { ADMIN_PASSWORD, startTestApp } from '../../../test/app.ts'
import { historyWriter } from '../../../test/build/historyRows.ts'
import { hours, minutes } from '../../clock.ts'
import { LOCAL_CERTIFICATE, LOCAL_KEY } from '../../mail/smtp.fixture.ts'
import { endSilentSessions } from '../session/session.service.ts'
import { renewOrigin, requireOrigin } from './history.origin.ts'
import { findOutlets, sendHistory } from './history.outlets.ts'
import { sealHistory } from './history.sealing.ts'
import { startReceiver } from './history.syslog.fixture.ts'

const folder = await mkdtemp(join(tmpdir(), 'acc-outlets-'))
const inFolder = (name: string) => join(folder, name)
await Promise.all([
  writeFile(inFolder('cert.pem'), LOCAL_CERTIFICATE),
  writeFile(inFolder('key.pem'), LOCAL_KEY, { mode: 0o600 }),
])
let receiver = await startReceiver()
const files = inFolder('history')
const { app, owner, as, admin, anonymous, clock } = await startTestApp({
  ACC_SYSLOG_URL: `syslog+tls://localhost:${receiver.port}?${new URLSearchParams({
    ca: inFolder('cert.pem'),
    cert: inFolder('cert.pem'),
    key: inFolder('key.pem'),
  })}`,
  ACC_HISTORY_DIR: files,
})
afterAll(async () => {
  await receiver.stop()
  await rm(folder, { recursive: true })
})

const { add, beginRow } = historyWriter(app.db, clock)

/** The ids of all rows, by table in order. */
async function expectedIds(): Promise<string[]> {
  const { read } = app.db
  const history = await read.selectFrom('history').select('idx').orderBy('idx').execute()
  const signIns = await read.selectFrom('signIns').select('idx').orderBy('idx').execute()
  const signOuts = await read
    .selectFrom('signIns')
    .select('idx')
    .where('logoutDT', 'is not', null)
    .orderBy('endNo')
    .execute()
  const seals = await read.selectFrom('historySeals').select('no').orderBy('no').execute()
  const origin = await requireOrigin(app)
  return [
    ...history.map(({ idx }) => `history-${origin}-${idx}`),
    ...signIns.map(({ idx }) => `signIn-${origin}-${idx}`),
    ...signOuts.map(({ idx }) => `signOut-${origin}-${idx}`),
    ...seals.map(({ no }) => `seal-${origin}-${no}`),
  ]
}
const dayFile = () => join(files, `history-${clock.now().toISOString().slice(0, 10)}.jsonl`)
async function idsInFiles(): Promise<string[]> {
  const texts = await Promise.all((await readdir(files)).sort().map((name) => readFile(join(files, name), 'utf8')))
  const lines = texts.flatMap((text) => text.split('\n').filter((line) => line !== ''))
  return lines.map((line) => (JSON.parse(line) as { id: string }).id)
}
const idsAtReceiver = () => receiver.received.map((message) => / id="([^"]+)"/.exec(message)?.[1] ?? '')
/** One session, since each is a sign-in that goes out. */
const own = as(admin)
const status = async () => (await own.systemStatus.find({})).outlets
const faults = async () => (await own.systemStatus.find({})).faults

test('everything goes out once: changes, sign-ins and seals, without passwords', async () => {
  await anonymous.session.login({ id: admin.id, pw: ADMIN_PASSWORD })
  await expect(anonymous.session.login({ id: admin.id, pw: 'Wr0ng!password' })).rejects.toMatchObject({ code: 100 })
  expect(await status()).toMatchObject([{ sendDT: null }, { sendDT: null }])
  await add(600)
  await sealHistory(app)
  await sendHistory(app)
  await sendHistory(app)
  const ids = await expectedIds()
  expect(ids.length).toBeGreaterThan(602)
  expect(idsAtReceiver().sort()).toEqual([...ids].sort())
  expect((await idsInFiles()).sort()).toEqual([...ids].sort())
  const text = receiver.received.join('\n') + (await readFile(dayFile(), 'utf8'))
  for (const secret of [ADMIN_PASSWORD, 'Wr0ng!password']) expect(text).not.toContain(secret)
  const failed = receiver.received.find((message) => message.includes('Wrong password'))
  expect(failed).toMatch(
    /^<108>1 \S+ 127\.0\.0\.1 acc - webLogin \[acc@32473 id="signIn-[0-9a-f]{8}\.0-\d+" event="Wrong password"/,
  )
  expect(receiver.received.find((message) => message.includes('"seal-'))).toMatch(/ hash="[0-9a-f]{64}"/)
  expect(await stat(dayFile())).toMatchObject({ mode: 0o100600 })
  expect(await stat(files)).toMatchObject({ mode: 0o40700 })
  expect(await status()).toEqual([
    { name: 'file', sendDT: clock.now().toISOString(), waitDT: null },
    { name: 'syslog', sendDT: clock.now().toISOString(), waitDT: null },
  ])
})

test.each(['drop', 'cut', 'away'] as const)(
  'a receiver that fails (%s) gets all of it afterwards, and files go on',
  async (behavior) => {
    const before = (await idsInFiles()).length
    if (behavior === 'away') await receiver.stop()
    else receiver.behavior = behavior
    await add(300)
    await expect(sendHistory(app)).rejects.toThrow(/^the history does not go out \(syslog: /)
    expect((await idsInFiles()).length).toBe(before + 300)
    const known = receiver.received
    if (behavior === 'away') receiver = await startReceiver(receiver.port)
    else receiver.behavior = 'take'
    await sendHistory(app)
    receiver.received.unshift(...(receiver.received === known ? [] : known))
    expect(new Set(idsAtReceiver())).toEqual(new Set(await expectedIds()))
  },
)

test('what waits for more than 15 minutes is a fault with a gauge, until it has gone out', async () => {
  await receiver.stop()
  await add(1)
  const begin = clock.now()
  await expect(sendHistory(app)).rejects.toThrow('ECONNREFUSED')
  expect(await faults()).not.toContain('historyDelayed')
  clock.advance(minutes(15) + 1)
  expect(await faults()).toContain('historyDelayed')
  expect(await status()).toMatchObject([{ waitDT: null }, { waitDT: begin.toISOString() }])
  const known = receiver.received
  receiver = await startReceiver(receiver.port)
  await sendHistory(app)
  receiver.received.unshift(...known)
  expect(await faults()).not.toContain('historyDelayed')
})

test('a file that a kill cut off anywhere is whole again, and no row is missing', async () => {
  const cursor = () => owner.deleteFrom('historyOutlets').where('outlet', '=', 'file').execute()
  for (const bytes of [0, 1, 70_000, (await stat(dayFile())).size - 1]) {
    await truncate(dayFile(), bytes)
    await cursor()
    await sendHistory(app)
    expect(new Set(await idsInFiles())).toEqual(new Set(await expectedIds()))
  }
})

test('a day begins a file of its own, and a folder that takes nothing holds up no syslog', async () => {
  clock.advance(hours(24))
  await add(1)
  await sendHistory(app)
  expect((await readdir(files)).length).toBe(2)
  await rm(files, { recursive: true })
  await writeFile(files, 'in the way')
  await add(1)
  const before = receiver.received.length
  await expect(sendHistory(app)).rejects.toThrow('file: ENOTDIR')
  expect(receiver.received.length).toBe(before + 1)
  await rm(files)
  await sendHistory(app)
  expect((await idsInFiles()).length).toBe(1)
})

test('a row that is being written is waited for, so that none is passed', async () => {
  const commit = await beginRow()
  await add(1)
  const sending = sendHistory(app)
  await commit()
  await sending
  expect(new Set(idsAtReceiver())).toEqual(new Set(await expectedIds()))
})

test('the ends of sessions go out after their sign-ins: sign-outs and expiries, each once', async () => {
  const leaving = as(admin)
  await leaving.session.find({})
  await sendHistory(app)
  const before = receiver.received.length
  await leaving.session.logout({})
  clock.advance(hours(25))
  await endSilentSessions(app)
  await sendHistory(app)
  await sendHistory(app)
  const ends = receiver.received.slice(before).filter((message) => message.includes('"signOut-'))
  expect(ends[0]).toMatch(
    /^<110>1 \S+ 127\.0\.0\.1 acc - webLogin \[acc@32473 id="signOut-(\S+)" event="Sign-out" userId="admin".+"signInId":"signIn-\1"/,
  )
  expect(ends[1]).toContain('event="Expiry"')
  expect(new Set(idsAtReceiver())).toEqual(new Set(await expectedIds()))
  expect((await findOutlets(app.db.read, app.env)).map(({ waitDT }) => waitDT)).toEqual([null, null])
})

test('of two nodes one sends', async () => {
  await add(1)
  const before = receiver.received.length
  await Promise.all([sendHistory(app), sendHistory(app)])
  expect(receiver.received.length).toBe(before + 1)
})

test('after a restore, rows whose numbers were given out before have other ids: a receiver drops none of them', async () => {
  await sendHistory(app)
  const known = new Set(idsAtReceiver())
  // As a restore does: the numbers go back to those of the backup, and the origin is renewed.
  const last = await app.db.read.selectFrom('history').select('idx').orderBy('idx', 'desc').executeTakeFirstOrThrow()
  await owner.transaction().execute(async (tx) => {
    await sql`alter table history disable trigger user`.execute(tx)
    await tx.deleteFrom('history').where('idx', '=', last.idx).execute()
    await sql`alter table history enable trigger user`.execute(tx)
    await sql`select setval('history_idx_seq', ${last.idx - 1})`.execute(tx)
    await tx
      .updateTable('historyOutlets')
      .set({ toIdx: last.idx - 1 })
      .where('source', '=', 'history')
      .execute()
    await renewOrigin(tx)
  })
  await add(1)
  const before = receiver.received.length
  await sendHistory(app)
  const ids = idsAtReceiver().slice(before)
  expect(ids).toEqual([expect.stringMatching(new RegExp(`^history-[0-9a-f]{8}\\.1\\.[0-9a-f]{8}-${last.idx}$`))])
  expect(ids.filter((id) => known.has(id))).toEqual([])
})
