// The WAL archive of a server with its embedded database: restored to a moment between two writes, and refused if it
// was altered. The server runs in the test's own process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SettingManage } from '@acc/contract/labels/history'
import { RequestState } from '@acc/contract/labels/requests'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { BackupError } from '../src/backup/errors.ts'
import { backupKeyOf } from '../src/backup/key.ts'
import { days } from '../src/clock.ts'
import type { ArchiveStatus } from '../src/core/walArchive.ts'
import { makeSecretKey } from '../src/crypto/secretKey.ts'
import { startEmbedded } from '../src/db/embedded/embedded.ts'
import { lockDataDir } from '../src/db/embedded/lock.ts'
import { findAccount } from '../src/domains/credentials/credentials.queries.ts'
import { openSession } from '../src/domains/session/session.service.ts'
import { readSystemStatus } from '../src/domains/systemStatus/systemStatus.service.ts'
import { readEnv } from '../src/env.ts'
import { openServices } from '../src/openServices.ts'
import { findBases } from '../src/walArchive/bases.ts'
import { SEGMENT_SIZE } from '../src/walArchive/pieces.ts'
import { restoreArchive } from '../src/walArchive/restoreArchive.ts'
import { verifyArchive } from '../src/walArchive/verifyArchive.ts'
import { accAdmin } from './accAdmin.ts'
import { buildGroups } from './build/groups.ts'
import { buildRequest } from './build/requests.ts'
import { buildUser } from './build/users.ts'
import { createDataDir } from './dataDir.ts'
import { COMPILE_CACHE, PROGRAMS } from './process.ts'

const root = await mkdtemp(join(tmpdir(), 'acc-archive-'))
const [archive, away] = [join(root, 'archive'), join(root, 'away')]
const SECRET = Buffer.alloc(32, 5)
const secretKey = makeSecretKey(SECRET)
const key = backupKeyOf(secretKey)
const settings = {
  ACC_DATA_DIR: join(root, 'data'),
  ACC_SECRET_KEY: SECRET.toString('base64'),
  ACC_WAL_ARCHIVE_DIR: archive,
}
const start = (others: NodeJS.ProcessEnv = {}) =>
  openServices(readEnv({ ...settings, ...others }), pino({ level: 'silent' }), async () => undefined)
createDataDir(settings.ACC_DATA_DIR)
let opened = await start()
afterAll(async () => {
  await opened.close()
  await rm(root, { recursive: true, force: true })
})

/** A busy machine multiplies everything. */
const LIMIT = { timeout: 120_000 }
vi.setConfig({ testTimeout: 300_000 })

const statusOf = (): Partial<ArchiveStatus> => opened.services.walArchive?.status() ?? {}
const author = { idx: null, id: '[acc-admin]', name: 'root', groupName: '', ip: '' }
const placeAt = (name: string) => {
  const dataDir = join(root, name)
  return { dataDir, databaseUrl: undefined, files: { folder: join(dataDir, 'files') } }
}
const restore = (from: string, to: string, until?: Date, withKey = key) =>
  restoreArchive({ root: from, until, key: withKey, place: placeAt(to), author, secretKey, keptSince: new Date(0) })

/** Kills `acc-admin restore` in the middle. Starts another one if it ended before. */
async function killRestore(to: string): Promise<void> {
  const { dataDir } = placeAt(to)
  do {
    await rm(dataDir, { recursive: true, force: true })
    await killOne(dataDir)
  } while (!existsSync(join(dataDir, '.restoring')))
}

async function killOne(dataDir: string): Promise<void> {
  const env = { PATH: process.env.PATH, ...COMPILE_CACHE, ...settings, ACC_DATA_DIR: dataDir }
  const child = spawn(process.execPath, [PROGRAMS.accAdmin, 'restore', '--from', archive], { env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  const begun = () => existsSync(join(dataDir, '.restoring/pg/postmaster.pid'))
  await expect.poll(() => begun() || child.exitCode !== null, { ...LIMIT, interval: 2 }).toBe(true)
  child.kill('SIGKILL')
  await ended
}

/** Runs statements on a restored database. */
async function ask(name: string, statements: readonly string[]): Promise<unknown[][]> {
  const { connection, stop } = await startEmbedded({ dataDir: join(root, name) })
  const client = new pg.Client(connection)
  await client.connect()
  const results = []
  for (const text of statements) results.push((await client.query({ text, rowMode: 'array' })).rows.flat())
  await client.end()
  await stop()
  return results
}

/** Waits for the next millisecond but one, since moments of JavaScript are cut to milliseconds. */
async function passMoment(): Promise<Date> {
  const begun = Date.now()
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(begun + 1)
  return new Date()
}

/** A moment after everything that was written, and before everything that will be. */
async function between(): Promise<Date> {
  const moment = await passMoment()
  await passMoment()
  return moment
}

/** The request of a segment that PostgreSQL waits for. */
const WAITING = expect.stringMatching(/^[0-9A-F]{24}\.request$/)

let moment: Date
/** The archived files that are deleted, and whose bytes are altered. */
let [lost, altered] = ['', '']

test('without its disk nothing is archived, and the server continues', async () => {
  await expect.poll(() => statusOf().failure, LIMIT).toBe(`${archive} cannot be used (ENOENT)`)
  expect((await readSystemStatus(opened.services.db.read, opened.services)).archive).toMatchObject({ throughDT: null })
  await mkdir(archive)
  await expect.poll(() => statusOf().baseDT ?? null, LIMIT).not.toBeNull()
  await expect.poll(statusOf, LIMIT).toMatchObject({ failure: null, throughDT: expect.any(Date) })
})

test('an archived database is restored to a moment between two writes, with its files', async () => {
  const { services } = opened
  const { db } = services
  const { before } = await buildGroups(db, 'before')
  const employee = await buildUser(db, { group: before, name: 'Plain Text', email: 'plain.text@example.com' })
  const account = await findAccount(db.read, { idx: employee.idx })
  if (account === undefined) throw new Error('there is no account')
  await db.write.transaction().execute((tx) => openSession(tx, services, account, { ip: '', userAgent: '' }))
  const files = ['kept', 'lost', 'altered'].map((name) => ({
    name: `${name}.txt`,
    bytes: Buffer.from(`bytes of ${name}`),
  }))
  const request = await buildRequest(services, employee, { files })
  const removed = await buildRequest(services, employee, { state: RequestState.REJECTED })
  const wasRemoved = db.write.updateTable('fileEximports').set({ filesRemovedDT: services.clock.now() })
  await wasRemoved.where('idx', '=', removed.idx).execute()
  await services.files.remove(removed.files[0]?.name ?? '')
  moment = await between()
  await buildGroups(db, 'after')
  await expect.poll(statusOf, LIMIT).toMatchObject({ waitingFiles: 0, failure: null })
  await opened.close()
  // A stop archives all WAL; the next start continues.
  opened = await start()
  await buildGroups(opened.services.db, 'later')
  await opened.close()
  expect(await findBases(archive)).toHaveLength(1)

  const contents = await filesIn(archive)
  expect(contents.size).toBeGreaterThan(6)
  for (const content of contents.values())
    for (const text of ['plain.text', 'Plain Text', 'bytes of']) expect(content.includes(text)).toBe(false)
  const pathOf = (at: number) => [...contents.keys()].find((path) => path.endsWith(request.files[at]?.name ?? '')) ?? ''
  lost = pathOf(1)
  altered = pathOf(2)
  await rm(lost)
  await flip(altered, 20)

  // acc-admin is killed while its PostgreSQL recovers. The next restore begins again.
  await killRestore('restored')
  await expect(start({ ACC_DATA_DIR: join(root, 'restored') })).rejects.toThrow(
    /was interrupted: run acc-admin restore/,
  )
  const restored = await restore(archive, 'restored', moment)
  expect((await readdir(placeAt('restored').dataDir)).sort()).toEqual(['files', 'pg', 'server.lock'])
  const of = `request ${request.idx} of Plain Text`
  expect(restored).toMatchObject({ throughDT: moment, sealed: 0, secretKeyFingerprint: key.fingerprint })
  expect(restored.files).toMatchObject({
    count: 1,
    lost: [
      { of, fileName: 'lost.txt', reason: 'missing' },
      { of, fileName: 'altered.txt', reason: 'altered' },
    ],
  })
  const [groups, sessions, last] = await ask('restored', [
    `select name from groups where name in ('before', 'after', 'later')`,
    'select idx from sessions where "endDT" is null',
    'select type, subject from history order by idx desc limit 1',
  ])
  expect({ groups, sessions, last }).toEqual({
    groups: ['before'],
    sessions: [],
    last: [SettingManage.RESTORE_BACKUP, 'WAL'],
  })
  await expect(restore(archive, 'restored')).rejects.toThrow(/is not empty/)
})

async function filesIn(folder: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) found.set(path, await readFile(path))
  }
  return found
}

async function flip(file: string, at: number): Promise<void> {
  const content = await readFile(file)
  content[at % content.length] = (content[at % content.length] ?? 0) ^ 1
  await writeFile(file, content)
}

type Parts = { id: string; base: string; manifest: string; wal: [string, string] }
async function partsOf(folder: string): Promise<Parts> {
  const names = [...(await filesIn(folder)).keys()].sort()
  const [first = '', second = ''] = names.filter((name) => name.includes('/wal/'))
  const find = (end: string) => names.find((name) => name.endsWith(end)) ?? ''
  return { id: find('archive.id'), base: find('/content'), manifest: find('base.json'), wal: [first, second] }
}

/** Ways to damage an archive, with the line that names the fault. */
const FAULTS: Record<string, [(parts: Parts) => Promise<unknown>, RegExp]> = {
  'a byte of the WAL': [({ wal }) => flip(wal[1], 100), /wal\/.*altered/],
  'WAL that is missing': [({ wal }) => rm(wal[1]), /WAL is missing from .*can be restored up to/],
  'the first WAL missing': [({ wal }) => rm(wal[0]), /WAL is missing from .*base backup .* cannot be used/],
  'a byte of the base backup': [({ base }) => flip(base, 3_000_000), /bases\/.*altered/],
  'a base backup cut short': [({ base }) => truncate(base, 10), /bases\/.*cut/],
  'a base backup without its content': [({ base }) => rm(base), /bases\/.*cannot be used \(ENOENT\)/],
  'a byte of its manifest': [({ manifest }) => flip(manifest, 200), /base.json: the manifest was altered/],
  'the id of another archive': [({ id }) => flip(id, 5), /base.json belongs to another/],
}

test.each(Object.entries(FAULTS))('%s is refused, and nothing is changed', async (name, [spoil, line]) => {
  const folder = join(root, name)
  await cp(archive, folder, { recursive: true })
  await spoil(await partsOf(folder))
  const restoring = restore(folder, 'untouched')
  await expect(restoring).rejects.toThrow(BackupError)
  await expect(restoring).rejects.toThrow(line)
  expect(await readdir(placeAt('untouched').dataDir)).toEqual(['files', 'server.lock'])
  expect(await readdir(placeAt('untouched').files.folder)).toEqual([])
})

test('another key, and moments that the archive does not have, are refused', async () => {
  const other = backupKeyOf(makeSecretKey(Buffer.alloc(32, 8)))
  await expect(restore(archive, 'untouched', undefined, other)).rejects.toThrow(/another key .* opens this backup/)
  await expect(restore(archive, 'untouched', new Date(0))).rejects.toThrow(/begins at .*cannot be restored to 1970/)
  await expect(restore(archive, 'untouched', new Date('2999-01-01'))).rejects.toThrow(
    /ends at .*cannot be restored to 2999/,
  )
})

test('a start continues its archive, begins none if its disk is not mounted, and shares it with no other server', async () => {
  const before = (await readdir(archive)).sort()
  const { manifest } = await partsOf(archive)
  await flip(manifest, 200)
  const release = lockDataDir(archive, 'archive')
  await rename(archive, away)
  await mkdir(archive)
  opened = await start()
  await expect.poll(() => statusOf().failure, LIMIT).toMatch(/does not hold the archive .* mount its disk/)
  expect(await readdir(archive)).toEqual([])
  await buildGroups(opened.services.db, 'meanwhile')
  // PostgreSQL ends a segment, and waits for the archive.
  await sql`select pg_logical_emit_message(false, '', repeat('x', ${SEGMENT_SIZE}))`.execute(opened.services.db.write)
  await expect.poll(() => readdir(join(settings.ACC_DATA_DIR, 'pg/acc_wal')), LIMIT).toContainEqual(WAITING)
  await rm(archive, { recursive: true })
  await rename(away, archive)
  const busy = `Another server archives into ${archive}: give each server a directory of its own.`
  await expect.poll(() => statusOf().failure, LIMIT).toBe(busy)
  release()
  await expect.poll(statusOf, LIMIT).toMatchObject({ failure: null, throughDT: expect.any(Date) })
  await expect.poll(() => existsSync(lost), { ...LIMIT, message: 'copied once more' }).toBe(true)
  expect((await readdir(archive)).sort()).toEqual([...before, 'archive.pid'].sort())
  expect(await findBases(archive), 'beside the one that was altered').toHaveLength(2)
  await opened.close()

  const verify = () => verifyArchive({ root: archive, key, folder: root, secretKey, keptSince: new Date(0) })
  await expect(verify()).rejects.toThrow(/base.json: the manifest was altered/)
  await flip(manifest, 200)
  const failed = await accAdmin(['verify', '--from', archive, '--in', root], settings)
  const finding = /^acc-admin: altered.txt of request \d+ of Plain Text was altered in the archive\.\n$/
  expect(failed).toMatchObject({ status: 1, errors: expect.stringMatching(finding) })
  await rm(altered)
  const report = await verify()
  expect(report).toMatchObject({ bases: 2, others: 0, isCompared: true, sealed: 0, tables: expect.any(Number) })
  expect(report.files).toMatchObject({ count: 2, lost: [{ fileName: 'altered.txt', reason: 'missing' }] })
  expect((await readdir(root)).filter((name) => name.startsWith('acc-verify'))).toEqual([])
})

test('with another key a new base backup begins, which that key alone opens', async () => {
  const keyFile = join(root, 'archive.key')
  await expect(start({ ACC_WAL_ARCHIVE_KEY: keyFile })).rejects.toThrow(/ACC_WAL_ARCHIVE_KEY: .* no such file/)
  await writeFile(keyFile, Buffer.alloc(32, 9).toString('base64'), { mode: 0o600 })
  const begun = new Date()
  opened = await start({ ACC_WAL_ARCHIVE_KEY: keyFile })
  // The verification that failed is a fault until one succeeds.
  const { db } = opened.services
  expect(await readSystemStatus(db.read, opened.services)).toMatchObject({
    faults: expect.arrayContaining(['archiveInvalid']),
    archive: { checkDT: expect.any(String), finding: expect.stringContaining('altered.txt of request') },
  })
  await expect.poll(async () => (await findBases(archive)).length, LIMIT).toBe(3)
  await expect.poll(() => existsSync(altered), { ...LIMIT, message: 'copied once more' }).toBe(true)
  await opened.close()
  await expect(restore(archive, 'untouched')).rejects.toThrow(/another key .* opens this backup/)
  await expect(restore(archive, 'untouched', new Date(Number(begun) + days(1)))).rejects.toThrow(/another key/)
  // Moments of before are opened by the former key, as far as its WAL leads.
  await expect(restore(archive, 'untouched', begun)).rejects.toThrow(/ends at .* cannot be restored to/)
  const own = backupKeyOf(makeSecretKey(Buffer.alloc(32, 9)))
  expect(await restore(archive, 'latest', undefined, own)).toMatchObject({ files: { count: 3, lost: [] } })
  const [groups] = await ask('latest', [`select name from groups where name in ('before', 'after', 'meanwhile')`])
  expect(groups).toEqual(['before', 'after', 'meanwhile'])
})
