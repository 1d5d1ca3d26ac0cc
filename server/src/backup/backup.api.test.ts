// Backups of an external database and its files: their content, the restored copy, and refusals.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SettingManage } from '@acc/contract/labels/history'
import { MailState } from '@acc/contract/labels/mails'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { buildGroups } from '../../test/build/groups.ts'
import { buildRequest } from '../../test/build/requests.ts'
import { buildUser } from '../../test/build/users.ts'
import { createTestDatabase } from '../../test/database.ts'
import { urlOf } from '../../test/postgres.ts'
import { schemaSql } from '../../test/schemaText.ts'
import { folderOf, isStored, testOnFolder } from '../../test/storedFiles.ts'
import { days, later } from '../clock.ts'
import { makeSecretKey } from '../crypto/secretKey.ts'
import { TRY_BACKUP_LOCK } from '../db/backupLock.ts'
import { buildIndexes } from '../db/indexes.ts'
import { type Database, openDatabase } from '../db/open.ts'
import { headFile } from '../domains/history/history.head.ts'
import { findOrigin } from '../domains/history/history.origin.ts'
import { sealHistory } from '../domains/history/history.sealing.ts'
import { findLastSeal } from '../domains/history/history.seals.ts'
import { sweepFiles } from '../domains/requests/requests.jobs.ts'
import { openFileStore } from '../files/fileStore.ts'
import { openMedium } from '../files/medium.ts'
import { pathOf } from '../files/names.ts'
import { BackupError } from './errors.ts'
import { dropOld, findBackups } from './folders.ts'
import { backupKeyOf } from './key.ts'
import { openBackup } from './read.ts'
import { restoreBackup } from './restore.ts'
import { openClient } from './tables.ts'
import { verifyBackup, verifySeals } from './verify.ts'
import { makeBackup } from './write.ts'

const { app, owner, as, admin, clock } = await startTestApp()
const { db, env } = app
const root = await mkdtemp(join(tmpdir(), 'acc-backup-'))
const restored = await createTestDatabase({ isEmpty: true })
const untouched = await createTestDatabase({ isEmpty: true })
afterAll(async () => {
  await rm(root, { recursive: true, force: true })
  await Promise.all([restored.drop(), untouched.drop()])
})

const key = backupKeyOf(makeSecretKey(Buffer.alloc(32, 9)))
const backups = join(root, 'backups')
const makeOne = async (to = backups) =>
  makeBackup({ connection: db.connection, store: await openMedium(env.files), root: to, key })
const author = { idx: null, id: '[acc-admin]', name: 'root', groupName: '', ip: '' }

const { sales } = await buildGroups(db, 'sales')
const employee = await buildUser(db, { group: sales, name: '탭\t줄\n"역\\슬래시' })
const bytes = randomBytes(600_000)
const request = await buildRequest(app, employee, { files: [{ name: 'plan.dwg', bytes }] })
const old = await buildRequest(app, employee, { requestDT: later(clock.now(), -days(400)) })
await as(admin).users.create({
  id: 'new.comer',
  name: '새 사람',
  email: 'new.comer@example.com',
  groupIdx: sales.idx,
  isMortal: 0,
})

/** Every row of every table, as text in one order. */
async function rowsOf({ read }: Database): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition and relname not like 'kysely%' order by 1`.execute(read)
  const all: Record<string, string[]> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ line: string }>`select t::text as line from ${sql.table(name)} t order by 1`.execute(
      read,
    )
    all[name] = rows.map(({ line }) => line)
  }
  return all
}

test('a copy in an empty outside database equals the original, and opens no session, token or temporary password', async () => {
  const before = await rowsOf(db)
  const { folder, manifest } = await makeOne()
  expect((await stat(join(folder, 'manifest.json'))).mode & 0o777).toBe(0o600)
  expect(manifest.files).toMatchObject({ count: 2, missing: 0 })
  const place = {
    dataDir: join(root, 'outside'),
    databaseUrl: urlOf(restored.owner),
    files: { folder: join(root, 'outsideFiles') },
  }
  const backup = await openBackup(backups, key)
  // A restore was killed when its files were in place.
  const leftover = join(place.files.folder, 'ab', 'ab', 'ab'.repeat(16))
  await mkdir(dirname(leftover), { recursive: true })
  await writeFile(leftover, '')
  await expect(restoreBackup({ backup, place, author })).rejects.toThrow(/is not empty \(ab\)/)
  const restoring = join(place.dataDir, '.restoring')
  await mkdir(restoring)
  await writeFile(join(restoring, 'files.place'), place.files.folder)
  await writeFile(headFile(place), 'of the time before')
  await restoreBackup({ backup, place, author })
  expect([existsSync(leftover), existsSync(restoring)]).toEqual([false, false])

  const copy = openDatabase(restored.owner, app.log, 2)
  try {
    const after = await rowsOf(copy)
    const voided = ['sessions', 'users', 'mails', 'history', 'signIns', 'settings']
    for (const [name, rows] of Object.entries(before))
      if (!voided.includes(name)) expect({ [name]: after[name] }).toEqual({ [name]: rows })
    const others = (rows: string[] = []) => rows.filter((row) => !row.startsWith('(installation,'))
    expect(others(after.settings)).toEqual(others(before.settings))
    expect(after.history).toEqual(expect.arrayContaining(before.history ?? []))
    const [last] = await copy.read.selectFrom('history').selectAll().orderBy('idx', 'desc').limit(1).execute()
    expect(last).toMatchObject({ kind: 'settingManage', type: SettingManage.RESTORE_BACKUP, subject: manifest.id })
    expect(before.sessions).not.toEqual([])
    expect(await copy.read.selectFrom('sessions').select('idx').where('endDT', 'is', null).execute()).toEqual([])
    expect(await copy.read.selectFrom('users').select('idx').where('tmpPwHash', 'is not', null).execute()).toEqual([])
    expect(await db.read.selectFrom('users').select('idx').where('tmpPwHash', 'is not', null).execute()).toHaveLength(1)
    // Ids that leave this copy differ from those of the original, and from those of another restore of the same backup.
    expect(await findOrigin(copy.read)).toMatch(/^[0-9a-f]{8}\.1\.[0-9a-f]{8}$/)
    expect(existsSync(headFile(place))).toBe(false)
    const waiting = copy.read.selectFrom('mails').select('idx').where('state', '=', MailState.WAITING)
    expect(await waiting.execute()).toEqual([])
    // As its first start does.
    await copy.write.connection().execute((connection) => buildIndexes(connection))
    expect(await schemaSql(copy.read)).toBe(await schemaSql(db.read))
    const facts = sql`
      select 'indexes' as name, count(*)::bigint as value from pg_index join pg_class c on c.oid = indrelid
        where indisvalid and relispartition and relnamespace = 'public'::regnamespace
      union all select sequencename, last_value from pg_sequences
        where schemaname = 'public' and sequencename not in ('history_idx_seq', 'signInsEnd') order by name`
    expect((await facts.execute(copy.read)).rows).toEqual((await facts.execute(db.read)).rows)
  } finally {
    await copy.close()
  }
  const files = openFileStore({ medium: await openMedium(place.files), secretKey: app.key })
  const [file] = request.files
  if (file === undefined) throw new Error('the request has no file')
  expect(Buffer.concat(await (await files.read(file)).toArray())).toEqual(bytes)
  // Killed once more, after the end of its transaction: files that a database names are kept.
  await mkdir(restoring)
  await writeFile(join(restoring, 'files.place'), place.files.folder)
  await expect(restoreBackup({ backup, place, author })).rejects.toThrow(/database is not empty/)
  expect(await (await openMedium(place.files)).size(file.name)).toBeGreaterThan(0)
})

test('a later backup links the files that are there, copies new ones, and leaves out those of canceled requests and removed ones', async () => {
  await makeOne()
  const added = await buildRequest(app, employee, { files: [{ name: 'new.txt', bytes: Buffer.from('new') }] })
  const canceled = await buildRequest(app, employee, { state: 3 })
  const removed = await buildRequest(app, employee, { state: 2 })
  await db.write
    .updateTable('fileEximports')
    .set({ filesRemovedDT: clock.now() })
    .where('idx', '=', removed.idx)
    .execute()
  await app.files.remove(removed.files[0]?.name ?? '')
  const { folder, manifest, copied } = await makeOne()
  expect({ copied, ...manifest.files }).toMatchObject({ copied: 1, count: 3, missing: 0 })
  const names = (await readdir(join(folder, 'files'), { recursive: true })).map((path) => path.split('/').at(-1))
  expect(names).toEqual(expect.arrayContaining([added.files[0]?.name, old.files[0]?.name]))
  expect(names).not.toContain(canceled.files[0]?.name)
  const [first = ''] = await findBackups(backups)
  await dropOld(backups, 1)
  expect(await findBackups(backups)).not.toContain(first)
})

test('bytes that the store has lost are counted, and the rest is backed up', async () => {
  const [lost] = (await buildRequest(app, employee)).files
  await app.files.remove(lost?.name ?? '')
  const { manifest } = await makeOne(join(root, 'lossy'))
  expect(manifest.files).toMatchObject({ count: 3, missing: 1 })
  await db.write.updateTable('fileEximports').set({ state: 3, waitDT: null }).where('idx', '>', old.idx).execute()
})

test('while a backup is made no file is removed, and a second one is refused', async () => {
  const client = await openClient(db.connection)
  await client.query(TRY_BACKUP_LOCK)
  const unwanted = await buildRequest(app, employee)
  const name = unwanted.files[0]?.name ?? ''
  await db.write.updateTable('fileEximports').set({ state: 3, waitDT: null }).where('idx', '=', unwanted.idx).execute()
  await app.files.remove(name)
  clock.advance(days(2))
  await sweepFiles(app)
  expect(await isStored(app, name)).toBe(true)
  await expect(makeOne()).rejects.toThrow('Another backup of this server is being made.')
  await client.end()
  await expect
    .poll(async () => {
      await app.files.remove(name)
      return isStored(app, name)
    })
    .toBe(false)
})

/** One way to spoil a backup, and the line that names it. */
const FAULTS: Record<string, [(folder: string) => Promise<unknown>, RegExp]> = {
  'a byte of the manifest': [(f) => flip(join(f, 'manifest.json'), 300), /manifest was altered/],
  'a space more in the manifest': [(f) => appendFile(join(f, 'manifest.json'), ' '), /manifest was altered/],
  'a byte of a table': [(f) => flip(join(f, 'tables', 'users'), 100), /tables\/users.*altered/],
  'a table cut short': [(f) => truncate(join(f, 'tables', 'history'), 50), /tables\/history.*cut/],
  'a table swapped for another': [
    (f) => rename(join(f, 'tables', 'users'), join(f, 'tables', 'groups')),
    /users is missing|groups.*altered/,
  ],
  'a table removed': [(f) => rm(join(f, 'tables', 'settings')), /settings is missing/],
  'a table added': [(f) => writeFile(join(f, 'tables', 'more'), ''), /more does not belong/],
  'a byte of the list of files': [(f) => flip(join(f, 'files.list'), 40), /files.list.*altered/],
  'a byte of a file': [async (f) => flip(await someFile(f), 70), /files\/.*altered/],
  'a file cut short': [async (f) => truncate(await someFile(f), 5), /files\/.*cut/],
  'a file removed': [async (f) => rm(await someFile(f)), /is missing/],
  'a file added': [(f) => writeFile(join(f, 'files', 'zz'), 'x'), /zz does not belong/],
  'a part of an earlier backup': [
    (f) => cp(join(earlier, 'tables', 'users'), join(f, 'tables', 'users')),
    /users.*altered/,
  ],
  'the manifest of an earlier backup': [
    (f) => cp(join(earlier, 'manifest.json'), join(f, 'manifest.json')),
    /altered|missing/,
  ],
  'no manifest': [(f) => rm(join(f, 'manifest.json')), /holds no backup/],
}

async function flip(file: string, at: number): Promise<void> {
  const content = await readFile(file)
  content[at % content.length] = (content[at % content.length] ?? 0) ^ 1
  await writeFile(file, content)
}

async function someFile(folder: string): Promise<string> {
  const entries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true })
  const file = entries.find((entry) => entry.isFile())
  return join(file?.parentPath ?? '', file?.name ?? '')
}

const { folder: earlier } = await makeOne(join(root, 'spoiled'))
const { folder: intact } = await makeOne(join(root, 'spoiled'))

test.each(Object.entries(FAULTS))('%s is refused, and nothing is changed', async (name, [spoil, line]) => {
  const folder = join(root, `spoiled ${name.replaceAll(' ', '-')}`)
  await cp(intact, folder, { recursive: true })
  await spoil(folder)
  const place = {
    dataDir: join(root, 'spoiledData'),
    databaseUrl: urlOf(untouched.owner),
    files: { folder: join(root, 'spoiledFiles') },
  }
  const restoring = openBackup(folder, key).then((backup) => restoreBackup({ backup, place, author }))
  await expect(restoring).rejects.toThrow(BackupError)
  await expect(restoring).rejects.toThrow(line)
  const client = await openClient(untouched.owner)
  const { rows } = await client.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`)
  await client.end()
  expect(rows).toEqual([])
  expect(await readdir(place.files.folder).catch(() => [])).toEqual([])
})

test('a verification finds a byte of a file, and leaves nothing behind', async () => {
  const folder = join(root, 'invalid')
  await cp(intact, folder, { recursive: true })
  const backup = await openBackup(folder, key)
  await flip(await someFile(folder), 70)
  await expect(verifyBackup(backup, root)).rejects.toThrow(/files\/.*altered/)
  expect((await readdir(root)).filter((name) => name.startsWith('acc-verify'))).toEqual([])
})

test('a backup names the last seal of its history, which a verification of the history has to reach', async () => {
  await sealHistory(app)
  const { manifest } = await makeOne(join(root, 'sealed'))
  const last = await findLastSeal(app.db.read)
  expect(manifest.seal).toEqual({ no: last?.no, hash: last?.hash.toString('hex') })
  const trust = { key: app.key, keptSince: later(clock.now(), -days(1095)) }
  const verify = (seal: typeof manifest.seal) => db.write.transaction().execute((tx) => verifySeals(tx, trust, seal))
  expect(await verify(manifest.seal)).toBeGreaterThan(0)
  const unknown = { no: 99, hash: '0'.repeat(64) }
  await expect(verify(unknown)).rejects.toThrow('seal 99 is not the expected one')
})

test('another key and a newer version are refused', async () => {
  const other = backupKeyOf(makeSecretKey(Buffer.alloc(32, 8)))
  await expect(openBackup(intact, other)).rejects.toThrow(/another key .* opens this backup/)
  const newer = join(root, 'newer')
  await mkdir(newer)
  const text = await readFile(join(intact, 'manifest.json'), 'utf8')
  // The format of 1.0.0, whose backups must stay readable.
  expect(text).toContain('"format": 2')
  await writeFile(join(newer, 'manifest.json'), text.replace(/"format": \d+/, '"format": 99'))
  await expect(openBackup(newer, key)).rejects.toThrow(/newer version/)
  await sql`insert into kysely_migration (name, timestamp) values ('9999_later', '')`.execute(owner)
  const { folder } = await makeOne(join(root, 'later'))
  await sql`delete from kysely_migration where name = '9999_later'`.execute(owner)
  await expect(openBackup(folder, key)).rejects.toThrow(/which is newer/)
})

testOnFolder('a file that was damaged before the backup is found where the secret key is at hand', async () => {
  const rotten = await buildRequest(app, employee, { files: [{ name: 'rotten.dwg', bytes }] })
  const file = await open(pathOf(folderOf(env), rotten.files[0]?.name ?? ''), 'r+')
  await file.write(Buffer.alloc(16), 0, 16, 400_000)
  await file.close()
  await makeOne(join(root, 'rotten'))
  const backup = await openBackup(join(root, 'rotten'), key)
  await expect(verifyBackup(backup, root, { key: app.key, keptSince: later(clock.now(), -days(1)) })).rejects.toThrow(
    `rotten.dwg of request ${rotten.idx}`,
  )
})
