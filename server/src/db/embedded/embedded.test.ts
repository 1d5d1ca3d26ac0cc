// The embedded PostgreSQL with real processes: starts, kills of either side, and refused starts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { copyFolder } from '../../../test/copyFolder.ts'
import { findBinaries } from './binaries.ts'
import { type EmbeddedDatabase, startEmbedded } from './embedded.ts'
import { DataDirInUse, StartError } from './errors.ts'
import { choosePlace, postmasterPid, processesIn } from './place.ts'
import { launch } from './process.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })
const WAIT = { timeout: 15_000, interval: 20 }

let root: string
let dataDir: string
const ends: (() => Promise<void>)[] = []
const lines: string[] = []
const log = { info: (line: string) => void lines.push(line), error: (line: string) => void lines.push(line) }

/** A data directory with a database, which tests copy: creating one takes most of the time of a start. */
const created = mkdtempSync(join(tmpdir(), 'acc-embedded-'))
beforeAll(async () => {
  const { stop } = await startEmbedded({ dataDir: created })
  await stop()
})
afterAll(() => rmSync(created, { recursive: true }))

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'acc-embedded-'))
  dataDir = join(root, 'data')
  lines.length = 0
})
const copyCreated = () => copyFolder(created, dataDir)

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  rmSync(root, { recursive: true, force: true })
})

async function start(): Promise<EmbeddedDatabase> {
  const started = await startEmbedded({ dataDir, log })
  ends.push(started.stop)
  return started
}

async function query(connection: EmbeddedDatabase['connection'], statement: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const requireNoSuperuser = (connection: EmbeddedDatabase['connection']) =>
  expect(query({ ...connection, user: 'postgres', database: 'postgres' }, 'SELECT 1')).rejects.toMatchObject({
    code: '28000',
  })

const databaseGone = () => vi.waitFor(() => expect(processesIn(join(dataDir, 'pg'))).toEqual([]), WAIT)

/** A server process of its own, whose only part is the database. Answers once that runs. */
async function startElsewhere() {
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))})
    const { owner } = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: { info() {}, error() {} } })
    console.log(JSON.stringify(owner))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  ends.push(async () => {
    child.kill('SIGKILL')
    await ended
    await databaseGone()
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const connection: EmbeddedDatabase['connection'] = JSON.parse(line)
  return { child, ended, connection }
}

describe('starting', () => {
  test('a first start creates a database, also after an incomplete one, and the next start has its rows', async () => {
    mkdirSync(join(dataDir, 'pg.new', 'base'), { recursive: true })
    const first = await start()
    await query(first.owner, 'CREATE TABLE kept AS SELECT 1 AS one')
    await first.stop()
    const second = await start()
    expect(await query(second.owner, 'SELECT one FROM kept')).toEqual([{ one: 1 }])
    expect(second.owner).toMatchObject({ user: 'acc', database: 'acc' })
  })

  test('the database is durable, sorts by code point, knows ICU and trigrams, and listens on no port', async () => {
    copyCreated()
    const { owner: connection } = await start()
    const settings = `SELECT current_setting('fsync') AS fsync, current_setting('listen_addresses') AS tcp, datlocprovider, datlocale, datctype
      FROM pg_database WHERE datname = 'acc'`
    expect(await query(connection, settings)).toEqual([
      { fsync: 'on', tcp: '', datlocprovider: 'b', datlocale: 'C.UTF-8', datctype: 'C.UTF-8' },
    ])
    await query(connection, 'CREATE EXTENSION pg_trgm')
    expect(await query(connection, `SELECT 'ㄱ' < '가' COLLATE "ko-x-icu" AS icu`)).toHaveLength(1)
  })

  test('neither the owner nor the role of the server is a superuser, and the latter does not become the former', async () => {
    copyCreated()
    const { connection, owner } = await start()
    for (const one of [connection, owner])
      await expect(query(one, `COPY (SELECT 1) TO PROGRAM 'true'`)).rejects.toThrow(/permission denied/)
    await expect(query(connection, 'SET ROLE acc')).rejects.toThrow(/permission denied/)
    await requireNoSuperuser(connection)
  })

  test('a path too long for a socket works', async () => {
    dataDir = join(root, 'x'.repeat(120), 'data')
    const { connection } = await start()
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})

describe('what keeps it from starting is one sentence', () => {
  test('another server on the same data directory', async () => {
    copyCreated()
    const elsewhere = await startElsewhere()
    await expect(start()).rejects.toThrow(
      new DataDirInUse(`Another server (process ${elsewhere.child.pid}) already uses the data directory ${dataDir}.`),
    )
    expect(await query(elsewhere.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('a data directory of something else', async () => {
    writeFileSync(dataDir, '')
    await expect(start()).rejects.toThrow(new StartError(`The data directory ${dataDir} is not a directory.`))
  })

  test('data of another PostgreSQL are refused and not changed', async () => {
    const pgDir = join(dataDir, 'pg')
    mkdirSync(pgDir, { recursive: true })
    writeFileSync(join(pgDir, 'PG_VERSION'), '12\n')
    await expect(start()).rejects.toThrow(
      new StartError(`${pgDir} was written by PostgreSQL 12, and this is PostgreSQL 18.`),
    )
    writeFileSync(join(pgDir, 'PG_VERSION'), '18\n')
    await expect(start()).rejects.toThrow(StartError)
  })
})

describe('deaths', () => {
  test('a server that was killed leaves no database running, and loses no acknowledged write', async () => {
    copyCreated()
    const elsewhere = await startElsewhere()
    await query(elsewhere.connection, 'CREATE TABLE answered AS SELECT 1 AS one')
    elsewhere.child.kill('SIGKILL')
    await elsewhere.ended
    const { owner } = await start()
    expect(await query(owner, 'SELECT one FROM answered')).toEqual([{ one: 1 }])
  })

  test('when the server ends, its database ends by itself', async () => {
    copyCreated()
    const elsewhere = await startElsewhere()
    elsewhere.child.kill('SIGKILL')
    await databaseGone()
  })

  test('a database that an earlier server left running is stopped first', async () => {
    copyCreated()
    const place = choosePlace(dataDir)
    const binaries = findBinaries({ forOthers: place.account.uid !== undefined, copies: '/var/cache/acc' })
    const orphan = launch(place, binaries, { listen_addresses: '', unix_socket_directories: '.' }, log)
    ends.push(orphan.stop)
    await orphan.ready
    const { connection } = await start()
    expect(await orphan.gone).toBe('ended by status 0')
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('a database that is killed in the middle of work is started again, and the reason is reported', async () => {
    copyCreated()
    const { connection } = await start()
    const busy = query(connection, 'SELECT count(*) FROM generate_series(1, 1e9)')
    const cutOff = expect(busy).rejects.toThrow()
    await vi.waitFor(async () => {
      const active = `SELECT FROM pg_stat_activity WHERE query LIKE '%series%' AND pid <> pg_backend_pid()`
      expect(await query(connection, active)).toHaveLength(1)
    }, WAIT)
    const pid = postmasterPid(join(dataDir, 'pg')) ?? 0
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(() => expect(lines).toContain('PostgreSQL runs again.'), WAIT)
    await cutOff
    expect(lines).toContain('PostgreSQL ended (ended by SIGKILL). Starting it again.')
    expect(postmasterPid(join(dataDir, 'pg'))).not.toBe(pid)
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('a process id in the pid file that another program has now does not prevent a start', async () => {
    copyCreated()
    writeFileSync(join(dataDir, 'pg', 'postmaster.pid'), `${process.pid}\n${join(dataDir, 'pg')}\n0\n5432\n.\n\n`)
    const { connection } = await start()
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('a stop during a restart ends it', async () => {
    copyCreated()
    const { stop } = await start()
    process.kill(postmasterPid(join(dataDir, 'pg')) ?? 0, 'SIGKILL')
    await vi.waitFor(() => expect(lines).toContain('PostgreSQL ended (ended by SIGKILL). Starting it again.'), WAIT)
    await stop()
    await databaseGone()
  })
})
