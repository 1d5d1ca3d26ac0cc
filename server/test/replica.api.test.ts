// A real standby and its primary: a call reads the standby only if it has all earlier commits.
import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from '../src/db/embedded/embedded.ts'
import { type Connection, openDatabase } from '../src/db/open.ts'
import { findSetting, updateSetting } from '../src/settings/settings.ts'
import { createDataDir } from './dataDir.ts'

const root = await mkdtemp(join(tmpdir(), 'acc-rep-'))
const places = { primary: join(root, 'a'), copy: join(root, 'b') }
const start = (dataDir: string, settings: Record<string, string> = {}) =>
  startEmbedded({ dataDir, settings: { fsync: 'off', ...settings }, isForTests: true })

/** Runs a statement as the superuser. */
async function command(dataDir: string, statement: string): Promise<void> {
  const client = new pg.Client({ host: join(dataDir, 'pg'), port: 5432, user: 'postgres', database: 'postgres' })
  await client.connect()
  await client.query(statement)
  await client.end()
}

createDataDir(places.primary)
createDataDir(places.copy)
await writeFile(join(places.copy, 'pg', 'standby.signal'), '')
// The standby may run as an account of its own, which reaches this folder alone.
const socketDir = join(root, 's')
await mkdir(socketDir)
await chmod(socketDir, 0o777)
await chmod(root, 0o711)
const primary = await start(places.primary, { unix_socket_directories: `., ${socketDir}` })
await appendFile(join(places.primary, 'pg', 'pg_hba.conf'), 'local replication all trust\n')
await command(places.primary, 'select pg_reload_conf()')
const startCopy = () => start(places.copy, { primary_conninfo: `host=${socketDir} port=5432 user=postgres` })
let copy = await startCopy()

const warnings: string[] = []
const warn = ({ reason }: { reason?: string }) => void warnings.push(reason ?? '')
const open = (replica?: Connection) => openDatabase(primary.connection, { warn }, 4, replica)
const db = open(copy.connection)
afterAll(async () => {
  await db.close()
  await copy.stop()
  await primary.stop()
  await rm(root, { recursive: true, force: true })
})

const write = (days: number) =>
  db.write
    .transaction()
    .execute((tx) => updateSetting(tx, 'fileRetention', { days, changeDT: '2026-11-22T00:00:00.000Z' }))
const readersOf = async ({ replica }: Pick<typeof db, 'replica'>) => (await replica.findReaders()).read

test('a hundred calls find all earlier commits, and most read the copy', async () => {
  let fromCopy = 0
  for (let round = 1; round <= 100; round++) {
    await write(round)
    const read = await readersOf(db)
    if (read !== db.read) fromCopy++
    expect(await findSetting(read, 'fileRetention')).toMatchObject({ days: round })
  }
  expect(fromCopy).toBeGreaterThan(50)
  expect(warnings).toEqual([])
})

test('a copy that stays behind is passed over until it has caught up', async () => {
  await expect.poll(() => readersOf(db)).not.toBe(db.read)
  await command(places.copy, 'select pg_wal_replay_pause()')
  await write(500)
  const read = await readersOf(db)
  expect(read).toBe(db.read)
  expect(await findSetting(read, 'fileRetention')).toMatchObject({ days: 500 })
  await command(places.copy, 'select pg_wal_replay_resume()')
  await expect.poll(() => readersOf(db)).not.toBe(db.read)
})

test('nothing is written on the copy', async () => {
  const findStreams = async () => (await db.replica.findReaders()).streams
  // The copy is passed over while it lags.
  await expect.poll(findStreams).not.toBe(db.streams)
  const client = await (await findStreams()).connect()
  await client.query('set default_transaction_read_only = off')
  await expect(client.query('delete from settings')).rejects.toMatchObject({ code: '25006' })
  client.release(true)
})

test('another primary in place of a copy is not read', async () => {
  const other = open(primary.connection)
  expect(await readersOf(other)).toBe(other.read)
  expect(warnings.at(-1)).toContain('not a standby')
  await other.close()
})

test('a copy that is down costs a call no more than a look, and is left alone for a while', async () => {
  await copy.stop()
  const before = warnings.length
  for (let call = 0; call < 10; call++) expect(await readersOf(db)).toBe(db.read)
  expect(warnings.slice(before).filter((reason) => reason.includes('ENOENT') || reason.includes('ECONN'))).toHaveLength(
    1,
  )
  copy = await startCopy()
})
