// A server that archives its WAL is killed twice, and its data are deleted. Restored to a moment, it has the writes
// acknowledged before, and none that was sent later.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { startEmbedded } from '../src/db/embedded/embedded.ts'
import { processesIn } from '../src/db/embedded/place.ts'
import { findBases } from '../src/walArchive/bases.ts'
import { accAdminIn } from './accAdmin.ts'
import { killIfThere, type ServerProcess, spawnServer } from './process.ts'
import { endedAfterAll } from './processes.ts'
import { signIn } from './signIn.ts'

const PASSWORD = 'Adm1n!strator'
/** PostgreSQL takes 50 s until it archives; a busy machine multiplies the rest. */
const LIMITS = { timeout: 900_000 }

const root = await mkdtemp(join(tmpdir(), 'acc-killed-'))
const running = endedAfterAll(root)
const { json } = accAdminIn(root)
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

/** Restores into a new data directory; returns the names of its groups. */
async function restore(name: string, ...options: string[]): Promise<string[]> {
  const place = join(root, name)
  await mkdir(place)
  await cp(join(root, 'secret.key'), join(place, 'secret.key'))
  const { status, document } = await json(['restore', '--from', archive, ...options], { ACC_DATA_DIR: place })
  expect(status, JSON.stringify(document)).toBe(0)
  const { connection, stop } = await startEmbedded({ dataDir: place })
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select name from groups')
  await client.end()
  await stop()
  return rows.map((row) => row.name)
}

test('a killed server continues its archive, and its lost data are restored to a moment', LIMITS, async () => {
  await mkdir(archive)
  const first = await start()
  await expect.poll(() => findBases(archive), LIMITS).toHaveLength(1)
  const ledger = await write(first, 'first')
  await kill(first)

  const second = await start()
  ledger.push(...(await write(second, 'second')))
  const moment = await passMoment()
  await passMoment()
  ledger.push(...(await write(second, 'third')))
  const calls = await signIn(second.baseUrl, 'admin', PASSWORD)
  const written = Date.now()
  const throughDT = await vi.waitFor(
    async () => {
      const { archive: status } = await calls.systemStatus.find({})
      const through = Date.parse(status?.throughDT ?? '')
      expect(through).toBeGreaterThan(written)
      return through
    },
    { ...LIMITS, interval: 500 },
  )
  expect(throughDT - written, 'PostgreSQL ends a segment within a minute').toBeLessThan(60_000)
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
