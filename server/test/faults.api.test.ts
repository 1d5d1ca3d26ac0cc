// Faults that the server survives or reports: bad settings, a port or a data directory in use, signals, a killed
// database. Each with the real process and its embedded database.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processesIn } from '../src/db/embedded/place.ts'
import { createDataDir } from './dataDir.ts'
import { freePort, type ServerProcess, startServer } from './process.ts'
import { endedAfterAll } from './processes.ts'

const root = await mkdtemp(join(tmpdir(), 'acc-faults-'))
const running = endedAfterAll(root)
async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer({ ACC_ADMIN_PASSWORD: 'Adm1n!strator', ...env })
  running.push(server)
  return server
}

const linesOf = (server: ServerProcess) => server.output().trim().split('\n')
const statusOf = async (server: ServerProcess, path: string) => (await fetch(server.baseUrl + path)).status
/** Waits until it comes about; what cannot be asked yet has not. */
const until = (what: () => Promise<boolean>) =>
  expect.poll(() => what().catch(() => false), { timeout: 45_000 }).toBe(true)
const postmasterOf = async (dataDir: string) =>
  Number((await readFile(join(dataDir, 'pg/postmaster.pid'), 'utf8')).split('\n')[0])
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Signs in and creates groups, several at a time, until stopped; returns the response statuses. */
async function keepWriting({ baseUrl }: ServerProcess): Promise<{ end(): Promise<Set<number>> }> {
  const call = (path: string, body: object, cookie = '') => {
    const headers = { 'x-requested-with': 'XMLHttpRequest', 'content-type': 'application/json', cookie }
    return fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const login = await call('/Account/Login', { id: 'admin', pw: 'Adm1n!strator' })
  const cookie = login.headers.get('set-cookie')?.split(';')[0]
  const statuses = new Set<number>()
  const make = async () => statuses.add((await call('/Group', { name: randomUUID(), parentIdx: 1 }, cookie)).status)
  await make()
  let isEnding = false
  const lanes = Array.from({ length: 8 }, async () => {
    while (!isEnding) await make()
  })
  return {
    end: async () => {
      isEnding = true
      await Promise.all(lanes)
      return statuses
    },
  }
}

// The validation of each setting is tested in src/env.test.ts.
test('a bad setting is one line and exit status 78', async () => {
  const server = await start({ ACC_DATA_DIR: join(root, 'never'), ACC_PORT: 'eighty' })
  expect(await server.ended).toBe(78)
  expect(linesOf(server)).toEqual([expect.stringMatching(/^acc: ACC_PORT: /)])
})

test.each([
  ['is a file', join(root, 'file')],
  ['cannot be made', '/proc/acc/data'],
])('a data directory that %s is one line', async (_, dataDir) => {
  await writeFile(join(root, 'file'), '')
  const server = await start({ ACC_DATA_DIR: dataDir })
  expect(await server.ended).toBe(1)
  expect(linesOf(server)).toHaveLength(1)
})

test.each([
  ['a file', () => join(root, 'file')],
  ['no folder that can be made', () => '/proc/acc/files'],
])('a folder of files that is %s is one line that names its setting', async (name, folder) => {
  await writeFile(join(root, 'file'), '')
  const dataDir = join(root, name)
  createDataDir(dataDir)
  const server = await start({ ACC_DATA_DIR: dataDir, ACC_FILES_URL: folder() })
  expect(await server.ended).toBe(1)
  expect(linesOf(server).at(-1)).toMatch(/^acc: ACC_FILES_URL: .* cannot be used \(E[A-Z]+\)$/)
})

test('a database that cannot be reached is one line that names its setting, and holds no password', async () => {
  const url = `postgres://acc:open-sesame@127.0.0.1:${await freePort()}/acc`
  const server = await start({ ACC_DATA_DIR: join(root, 'outside'), ACC_DATABASE_URL: url })
  expect(await server.ended).toBe(1)
  expect(linesOf(server)).toEqual([expect.stringMatching(/^acc: ACC_DATABASE_URL: .*ECONNREFUSED/)])
  expect(server.output()).not.toContain('open-sesame')
})

test('one server: its port, its data directory, its database, its end', { timeout: 300_000 }, async () => {
  const dataDir = join(root, 'data')
  createDataDir(dataDir)
  const server = await start({ ACC_DATA_DIR: dataDir })
  expect(await statusOf(server, '/Health/Ready')).toBe(200)

  const second = await start({ ACC_DATA_DIR: dataDir })
  expect(await second.ended).toBe(1)
  expect(linesOf(second)).toHaveLength(1)
  expect(linesOf(second)[0]).toContain(dataDir)

  // The database is killed: the server answers 503, stays up, and recovers by itself.
  const before = await postmasterOf(dataDir)
  const writes = await keepWriting(server)
  process.kill(before, 'SIGKILL')
  // Readiness is checked at most every two seconds, so that it may lag behind the database.
  const answers = async () =>
    (await statusOf(server, '/Health/Ready')) === 200 && (await statusOf(server, '/Configs')) === 200
  await until(async () => (await postmasterOf(dataDir)) !== before && (await answers()))
  expect(await writes.end()).toEqual(new Set([200, 503]))
  expect(server.child.exitCode).toBeNull()

  // The database does not respond, as on a starved machine: its connections stay, and no statement ends.
  const processes = processesIn(join(dataDir, 'pg'))
  for (const pid of processes) process.kill(pid, 'SIGSTOP')
  await until(async () => (await statusOf(server, '/Health/Ready')) === 503)
  for (const pid of processes) process.kill(pid, 'SIGCONT')
  await until(answers)

  const database = await postmasterOf(dataDir)
  const begun = Date.now()
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(Date.now() - begun).toBeLessThan(10_000)
  await until(async () => !isAlive(database))

  // Another key than the one that the data is encrypted with: reported before any data is lost.
  const otherKey = await start({ ACC_DATA_DIR: dataDir, ACC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') })
  expect(await otherKey.ended).toBe(1)
  expect(linesOf(otherKey)).toHaveLength(1)
  expect(linesOf(otherKey)[0]).toMatch(/secret key/)
})

test('an address that the machine does not have is one line and exit status 78', async () => {
  const dataDir = join(root, 'host')
  createDataDir(dataDir)
  const server = await start({ ACC_DATA_DIR: dataDir, ACC_HOST: '203.0.113.5' })
  expect(await server.ended).toBe(78)
  expect(linesOf(server).at(-1)).toBe('acc: ACC_HOST: 203.0.113.5 is not an address of this machine')
})

test('a port in use is one line, and leaves no database behind', { timeout: 120_000 }, async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const dataDir = join(root, 'port')
  createDataDir(dataDir)
  const server = await start({ ACC_DATA_DIR: dataDir, ACC_PORT: String(port) })
  expect(await server.ended).toBe(1)
  other.close()
  expect(linesOf(server).filter((line) => line.startsWith('acc: '))).toEqual([
    `acc: ACC_PORT: port ${port} on 127.0.0.1 is in use`,
  ])
  expect(execFileSync('ps', ['-eo', 'args']).toString()).not.toContain(`${dataDir}/pg`)
})
