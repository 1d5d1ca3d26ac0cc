// A server that archives its WAL is killed twice, and its data are deleted. Restored to a moment, it has the writes
// acknowledged before, and none that was sent later.
import { appendFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { attachEmbedded, startEmbedded } from '../src/db/embedded/embedded.ts'
import { processesIn } from '../src/db/embedded/place.ts'
import { findBases } from '../src/walArchive/bases.ts'
import { accAdminJson } from './accAdmin.ts'
import { createDataDir } from './dataDir.ts'
import { killIfThere, type ServerProcess, spawnServer } from './process.ts'
import { endedAfterAll } from './processes.ts'
import { signIn } from './signIn.ts'

const PASSWORD = 'Adm1n!strator'
/** A busy machine multiplies everything. */
const LIMITS = { timeout: 300_000 }

/** Seconds after which PostgreSQL ends a segment, in place of the product's. */
const ARCHIVE_TIMEOUT = 2

const root = await mkdtemp(join(tmpdir(), 'acc-killed-'))
const running = endedAfterAll(root)
const [dataDir, archive] = [join(root, 'data'), join(root, 'archive')]

async function start(): Promise<ServerProcess> {
  const settings = { ACC_DATA_DIR: dataDir, ACC_ADMIN_PASSWORD: PASSWORD, ACC_WAL_ARCHIVE_DIR: archive }
  const server = await spawnServer(settings)
  running.push(server)
  const isReady = () => server.output().includes('ACC is ready')
  await expect.poll(() => isReady() || server.child.exitCode !== null, LIMITS).toBe(true)
  expect(isReady(), server.output()).toBe(true)
  return server
}

type Write = { name: string; acknowledged: number }

/** Waits until the clock shows the next millisecond but one, since moments of JavaScript are cut to milliseconds. */
async function passMoment(): Promise<number> {
  const begun = Date.now()
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(begun + 1)
  return Date.now()
}

/** Creates groups. */
async function write(server: ServerProcess, prefix: string): Promise<Write[]> {
  const calls = await signIn(server.baseUrl, 'admin', PASSWORD)
  const ledger: Write[] = []
  for (let number = 0; number < 20; number++) {
    const name = `${prefix} ${number}`
    await calls.groups.create({ parentIdx: 1, name })
    ledger.push({ name, acknowledged: Date.now() })
  }
  return ledger
}

async function kill(server: ServerProcess): Promise<void> {
  // Processes of PostgreSQL end by themselves when their first one was killed.
  for (const pid of [...processesIn(join(dataDir, 'pg')), server.child.pid]) killIfThere(pid)
  await server.ended
  await expect.poll(() => processesIn(join(dataDir, 'pg')), LIMITS).toEqual([])
}

async function ask(connection: pg.ClientConfig, statement: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' })
  await client.end()
  return rows.flat()
}

/** Restores into a new data directory; returns the names of its groups. */
async function restore(name: string, ...options: string[]): Promise<unknown[]> {
  const place = join(root, name)
  await mkdir(place)
  await cp(join(root, 'secret.key'), join(place, 'secret.key'))
  const { status, document } = await accAdminJson(['restore', '--from', archive, ...options], { ACC_DATA_DIR: place })
  expect(status, JSON.stringify(document)).toBe(0)
  const { connection, stop } = await startEmbedded({ dataDir: place })
  const names = await ask(connection, 'select name from groups')
  await stop()
  return names
}

test('a killed server continues its archive, and its lost data are restored to a moment', LIMITS, async () => {
  await mkdir(archive)
  createDataDir(dataDir)
  const first = await start()
  await expect.poll(() => findBases(archive), LIMITS).toHaveLength(1)
  const { connection } = await attachEmbedded({ dataDir })
  expect(await ask(connection, 'show archive_timeout'), 'ten seconds less than a minute').toEqual(['50s'])
  const ledger = await write(first, 'first')
  await kill(first)
  await appendFile(join(dataDir, 'pg', 'postgresql.conf'), `archive_timeout = ${ARCHIVE_TIMEOUT}\n`)

  const second = await start()
  ledger.push(...(await write(second, 'second')))
  const moment = await passMoment()
  await passMoment()
  ledger.push(...(await write(second, 'third')))
  const calls = await signIn(second.baseUrl, 'admin', PASSWORD)
  const written = Date.now()
  let throughDT = Number.NaN
  const readThrough = async () => {
    throughDT = Date.parse((await calls.systemStatus.find({})).archive?.throughDT ?? '')
    return throughDT
  }
  await expect.poll(readThrough, LIMITS).toBeGreaterThan(written)
  expect(throughDT - written, 'PostgreSQL ends a segment in time').toBeLessThan((ARCHIVE_TIMEOUT + 10) * 1000)
  expect(await findBases(archive), 'no WAL was missing').toHaveLength(1)
  await cp(join(dataDir, 'secret.key'), join(root, 'secret.key'))
  await kill(second)
  await rm(dataDir, { recursive: true })

  const names = (writes: readonly Write[]) => writes.map(({ name }) => name)
  const restored = await restore('then', '--until', new Date(moment).toISOString())
  const before = names(ledger.filter(({ acknowledged }) => acknowledged < moment))
  expect(names(ledger).filter((name) => restored.includes(name))).toEqual(before)
  expect(await restore('latest')).toEqual(expect.arrayContaining(names(ledger)))
})
