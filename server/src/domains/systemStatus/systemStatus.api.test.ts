// The system status: what it shows, its nodes, its gauges, and who may read it.

import { jobLabel } from '@acc/contract/labels/jobs'
import { MailState } from '@acc/contract/labels/mails'
import { FAULT_NAMES } from '@acc/contract/labels/systemStatus'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { days, hours, later, minutes } from '../../clock.ts'
import type { Tx } from '../../db/open.ts'
import { MODULES } from '../../modules.ts'
import { updateSetting } from '../../settings/settings.ts'
import { SERVER_VERSION } from '../../version.ts'
import { setMailServer } from '../mails/mails.fixture.ts'
import { startNodeReport } from './systemStatus.node.ts'
import { findDatabase } from './systemStatus.queries.ts'
import { sampleStatus } from './systemStatus.samples.ts'

const { app, owner, as, admin, nodeUrl, clock } = await startTestApp()
/** In a session of its own: the clock moves further than one lasts. */
const readStatus = () => as(admin).systemStatus.find({})
const nodes = async () => (await readStatus()).nodes
const gauges = async () => (await fetch(new URL('/Metrics', nodeUrl))).text()

const addMail = (state: MailState, createDT: Date) =>
  app.db.write
    .insertInto('mails')
    .values({ receiver: 'a@b.kr', subject: 's', body: Buffer.of(0), state, createDT, nextTryDT: createDT })
    .execute()

test('a fresh installation has no faults', async () => {
  const status = await readStatus()
  expect(status).toMatchObject({
    faults: [],
    database: { version: expect.stringMatching(/^1[5-9]/), maxConnections: expect.any(Number), canAlter: 0 },
    mail: { waiting: 0, failed: 0, dueDT: null, isOutbox: 0 },
    license: { useCount: 0, maxCount: 10, isEvaluation: 1 },
    archive: null,
    outlets: [],
    nodes: [],
  })
  expect(status.database.size).toBeGreaterThan(1_000_000)
  expect(await findDatabase(owner)).toMatchObject({ canAlter: 1 })
  expect(status.files?.kind).toBe('folder')
  expect(status.files?.freeSpace).toBeGreaterThan(0)
})

test('a node reports, falls silent, is forgotten after a day, and a stopped one is gone at once', async () => {
  const begin = clock.now()
  const silent = await startNodeReport(app)
  const node = await startNodeReport(app)
  const [one, other] = await nodes()
  expect(one).toMatchObject({ version: SERVER_VERSION, isSilent: 0, startDT: clock.now().toISOString() })
  expect(one?.memory).toBeGreaterThan(1_000_000)
  expect(other).toMatchObject({ isSilent: 0 })
  clock.advance(hours(1))
  await node.report()
  expect((await nodes()).map(({ isSilent }) => isSilent).sort()).toEqual([0, 1])
  expect((await readStatus()).faults).toContain('nodeSilent')
  clock.advance(days(1))
  await node.report()
  expect(await nodes()).toHaveLength(1)
  await node.stop()
  await silent.stop()
  expect(await nodes()).toEqual([])
  clock.set(begin)
})

test('the evaluation outbox is a fault until a mail server is registered', async () => {
  await as(admin).mails.chooseOutbox({})
  expect(await readStatus()).toMatchObject({ faults: ['mailServerMissing'], mail: { isOutbox: 1 } })
  await setMailServer(app, {
    serverAddress: 'smtp.example.com',
    serverPort: 25,
    encrypt: 0,
    senderEmail: 'acc@example.com',
    id: '',
    pw: '',
  })
  expect(await readStatus()).toMatchObject({ faults: [], mail: { isOutbox: 0 } })
})

test('a new installation needs a backup within seven days, and one with backups within seven days of the last', async () => {
  const begin = clock.now()
  const { backupDueDT } = await readStatus()
  expect(Date.parse(backupDueDT) - begin.getTime()).toBeGreaterThan(days(6))
  clock.set(new Date(backupDueDT))
  expect((await readStatus()).faults).toEqual([])
  clock.advance(1)
  expect((await readStatus()).faults).toEqual(['backupOld'])
  clock.set(begin)
})

test('mail that failed or waits too long is a fault', async () => {
  const now = clock.now()
  await addMail(MailState.FAILED, later(now, -days(2)))
  await addMail(MailState.SENT, later(now, -hours(2)))
  expect((await readStatus()).faults).toEqual([])
  await addMail(MailState.FAILED, later(now, -hours(2)))
  const due = later(now, -hours(2))
  await addMail(MailState.WAITING, due)
  expect(await readStatus()).toMatchObject({
    faults: ['mailDelayed', 'mailFailed'],
    mail: { waiting: 1, failed: 1, dueDT: due.toISOString() },
  })
  const text = await gauges()
  expect(text).toContain('acc_fault{fault="mailDelayed"} 1')
  expect(text).toContain('acc_fault{fault="spaceExhausted"} 0')
  expect(text).toContain('acc_mails_waiting 1')
  for (const fault of FAULT_NAMES) expect(text).toContain(`acc_fault{fault="${fault}"}`)
  await app.db.write.deleteFrom('mails').execute()
})

test('a scrape without a responding database lacks the gauges of the status', async () => {
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = owner.transaction().execute(async (tx) => {
    await sql`lock table mails in access exclusive mode`.execute(tx)
    locked.resolve()
    await release.promise
  })
  await locked.promise
  clock.advance(minutes(1))
  const text = await gauges()
  expect(text).toContain('acc_calls_total')
  expect(text).not.toContain('acc_fault{')
  release.resolve()
  await holding
  clock.advance(minutes(1))
  expect(await gauges()).toContain('acc_fault{fault="mailDelayed"} 0')
})

test('every job has words in the system status', () => {
  const names = Object.values(MODULES).flatMap(({ jobs = [] }) => jobs.map(({ name }) => name))
  expect(names.filter((name) => jobLabel(name) === undefined)).toEqual([])
})

test('a job whose last run failed is a fault, until a run completes', async () => {
  const job = { name: 'statusTest', cron: '5 4 * * *' }
  await app.jobs.schedule([job])
  let fails = true
  await app.jobs.work(job, () => (fails ? Promise.reject(new Error('no')) : Promise.resolve()))
  const enqueue = () => app.db.write.transaction().execute((tx) => app.jobs.enqueue(tx, job.name, {}))
  await enqueue()
  await expect.poll(async () => (await readStatus()).faults).toEqual(['jobFailed'])
  const { jobs } = await readStatus()
  const figures = { failures: expect.any(Number), waiting: 0 }
  expect(jobs).toEqual([{ ...job, completeDT: null, failDT: expect.any(String), ...figures }])
  fails = false
  await enqueue()
  await expect.poll(async () => (await readStatus()).faults).toEqual([])
})

test('the newest backup is shown with its own verification', async () => {
  const moment = clock.now().toISOString()
  const inTransaction = (work: (tx: Tx) => Promise<void>) => app.db.write.transaction().execute(work)
  const check = (id: string) =>
    inTransaction((tx) => updateSetting(tx, 'lastBackupCheck', { id, moment, failure: 'damaged' }))
  expect((await readStatus()).backup).toBeNull()
  const backup = { id: 'b2', moment, rows: 1, files: 1, size: 7, missing: 0, isOnSameDisk: 0 as const }
  await inTransaction((tx) => updateSetting(tx, 'lastBackup', backup))
  await check('b1')
  expect(await readStatus()).toMatchObject({
    faults: [],
    backup: { moment, size: 7, checkDT: null, failure: null },
    backupDueDT: later(new Date(moment), days(7)).toISOString(),
  })
  clock.advance(minutes(2))
  await inTransaction((tx) => updateSetting(tx, 'lastBackupCheck', { id: 'b2', moment, failure: null }))
  const text = await gauges()
  expect(text).toContain('acc_backup_age_seconds 120')
  expect(text).toContain('acc_backup_check_age_seconds 120')
  await check('b2')
  clock.advance(minutes(1))
  expect(await gauges()).not.toMatch(/^acc_backup_check_age_seconds/m)
  expect(await readStatus()).toMatchObject({
    faults: ['backupInvalid'],
    backup: { checkDT: moment, failure: 'damaged' },
  })
  // Files that were lost are a fault until a backup has all of them again.
  await inTransaction((tx) => updateSetting(tx, 'lastBackup', { ...backup, id: 'b3', missing: 12 }))
  expect(await readStatus()).toMatchObject({ faults: ['backupIncomplete'], backup: { missing: 12, failure: null } })
  await inTransaction((tx) => updateSetting(tx, 'lastBackup', { ...backup, id: 'b4' }))
  expect(await readStatus()).toMatchObject({ faults: [], backup: { missing: 0 } })
})

test('samples are stored once in ten minutes, on all nodes together, and kept for 30 days', async () => {
  const begin = clock.now()
  clock.set(new Date('2027-03-01T10:05:00.000Z'))
  await Promise.all([sampleStatus(app), sampleStatus(app)])
  await addMail(MailState.WAITING, clock.now())
  clock.advance(minutes(4))
  await sampleStatus(app)
  clock.advance(minutes(3))
  await sampleStatus(app)
  const rows = await app.db.read.selectFrom('statusSamples').selectAll().orderBy('sampleDT').execute()
  expect(rows.map(({ sampleDT, mailsWaiting }) => [sampleDT.toISOString(), mailsWaiting])).toEqual([
    ['2027-03-01T10:00:00.000Z', 0],
    ['2027-03-01T10:10:00.000Z', 1],
  ])
  const { samples } = await as(admin).systemStatus.searchSamples({})
  const figures = { databaseFree: null, mailsWaiting: 1, jobsWaiting: 0, connections: expect.any(Number) }
  expect(samples).toEqual([{ sampleDT: '2027-03-01T10:00:00.000Z', filesFree: expect.any(Number), ...figures }])
  expect(samples[0]?.filesFree).toBeGreaterThan(0)
  clock.advance(days(30))
  await sampleStatus(app)
  expect((await as(admin).systemStatus.searchSamples({})).samples.map(({ sampleDT }) => sampleDT)).toEqual([
    '2027-03-31T10:00:00.000Z',
  ])
  expect(await app.db.read.selectFrom('statusSamples').select('sampleDT').execute()).toHaveLength(1)
  await app.db.write.deleteFrom('mails').execute()
  clock.set(begin)
})
