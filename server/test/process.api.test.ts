// The server as its operator sees it: the first administrator's password, the secret key, the log, signals, uncaught
// errors. Each with the real process and its embedded database, on one data directory.
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { processesIn } from '../src/db/embedded/place.ts'
import { createDataDir } from './dataDir.ts'
import { type ServerProcess, startServer } from './process.ts'
import { endedAfterAll } from './processes.ts'

const root = await mkdtemp(join(tmpdir(), 'acc-process-'))
const dataDir = join(root, 'data')
const running = endedAfterAll(root)
async function start(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer({ ACC_DATA_DIR: dataDir, ...env })
  running.push(server)
  return server
}

const passwordFile = join(dataDir, 'first-password')
const firstPassword = async () => (await readFile(passwordFile, 'utf8')).split('\n')[1]
type Line = { level: number; msg: string }
const logOf = ({ output }: ServerProcess): Line[] =>
  output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
const ABOUT_ROOT = 'the server runs as root: give it an account of its own'
const alarmsOf = (server: ServerProcess) => logOf(server).filter(({ level, msg }) => level >= 40 && msg !== ABOUT_ROOT)

/** Calls like a browser; `cookie` is the one that the last sign-in set. */
let cookie = ''
async function call({ baseUrl }: ServerProcess, method: string, path: string, body?: object) {
  const headers = { 'x-requested-with': 'XMLHttpRequest', 'content-type': 'application/json', cookie }
  const response = await fetch(baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
  return (await response.json()) as { errorCode: number }
}

const OWN_PASSWORD = 'Adm1n!strator'

test('the first password is for the operator only, renewed by each start, and gone once the administrator has an own one', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const first = await start({ ACC_PORT: String(port) })
  expect(await first.ended).toBe(1)
  other.close()
  const lost = await firstPassword()
  expect(lost).toMatch(/^\S{16}$/)
  expect(first.output()).toContain(passwordFile)
  expect(first.output()).not.toContain(lost)
  expect((await stat(passwordFile)).mode & 0o777).toBe(0o600)

  const second = await start()
  const pw = await firstPassword()
  expect(pw).not.toBe(lost)
  expect(await call(second, 'POST', '/Account/Login', { id: 'admin', pw: lost })).toMatchObject({ errorCode: 100 })
  expect(await call(second, 'POST', '/Account/Login', { id: 'admin', pw })).toMatchObject({ errorCode: 104 })
  expect(await readdir(dataDir)).toContain('first-password')
  const change = { id: 'admin', pw, newPw: OWN_PASSWORD }
  expect(await call(second, 'POST', '/Account/ChangePW', change)).toMatchObject({ errorCode: 0 })
  const own = { id: 'admin', pw: OWN_PASSWORD }
  expect(await call(second, 'POST', '/Account/Login', own)).toMatchObject({ errorCode: 0 })
  await expect.poll(() => readdir(dataDir)).not.toContain('first-password')
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  expect(second.output()).not.toContain(pw)
})

test.each([
  [{ ACC_ADMIN_PASSWORD: 'password' }, [], 'ACC_ADMIN_PASSWORD: 8 characters'],
  [{ ACC_HOST: '0.0.0.0' }, ['--demo'], '--demo: '],
  [{ ACC_PUBLIC_URL: 'https://acc.example.com' }, ['--demo'], '--demo: '],
])('a start with %o %o is refused in one line', async (env, options, line) => {
  const place = await mkdtemp(join(root, 'refused-'))
  createDataDir(place)
  const server = await startServer({ ACC_DATA_DIR: place, ...env }, undefined, options)
  running.push(server)
  expect(await server.ended).toBe(78)
  const last = server.output().trim().split('\n').at(-1)
  expect(last).toContain(`acc: ${line}`)
})

test('a start of the sample organization on a port in use leaves the database empty for the next one', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const place = { ACC_DATA_DIR: join(root, 'demo') }
  createDataDir(place.ACC_DATA_DIR)
  const refused = await startServer({ ...place, ACC_PORT: String(Object(blocker.address()).port) }, undefined, [
    '--demo',
  ])
  running.push(refused)
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toContain('is in use')
  blocker.close()
  const next = await startServer(place, undefined, ['--demo'])
  running.push(next)
  expect(next.output()).toContain('seoyeon.kim')
  next.child.kill()
  expect(await next.ended).toBe(0)
})

test('a start without the key of its database writes none, and says where it belongs', async () => {
  const [key, away] = [join(dataDir, 'secret.key'), join(root, 'secret.key')]
  await rename(key, away)
  try {
    const before = await readdir(dataDir)
    const server = await start()
    expect(await server.ended).toBe(1)
    expect(server.output()).toMatch(/^acc: The secret key [^\n]* is missing: [^\n]*\n$/)
    expect(server.output()).toContain(key)
    expect(await readdir(dataDir)).toEqual(before)
  } finally {
    await rename(away, key)
  }
})

test('a denied call is logged with who made it, and a regular stop raises no alarm', async () => {
  const server = await start({ ACC_LOG_LEVEL: 'info', ACC_PUBLIC_URL: 'http://acc.example.com' })
  await call(server, 'POST', '/Account/Login', { id: 'admin', pw: OWN_PASSWORD })
  expect(await call(server, 'GET', '/Agent/Policy')).toMatchObject({ errorCode: 980 })
  expect(await call(server, 'GET', '/Users/Search?rowsCount=many')).toMatchObject({ errorCode: 983 })
  const token = cookie.split('=')[1] ?? ''
  expect(token).not.toBe('')
  // The log arrives through a separate stream.
  await expect.poll(() => alarmsOf(server)).toHaveLength(3)
  expect(alarmsOf(server)).toMatchObject([
    { level: 40, msg: 'ACC_PUBLIC_URL is http: passwords and sessions cross the network unencrypted' },
    { level: 40, msg: 'denied', path: '/Agent/Policy', user: 'admin', userIdx: 1, requestId: expect.any(String) },
    { level: 40, msg: 'invalid input', path: '/Users/Search', user: 'admin', userIdx: 1 },
  ])
  expect(server.output()).not.toContain(token)

  // A live-event stream, running calls and an operator's database connection are open.
  const events = await fetch(`${server.baseUrl}/Events`, { headers: { cookie } })
  const operator = new pg.Client({ host: join(dataDir, 'pg'), user: 'acc', database: 'acc' })
  operator.on('error', () => undefined)
  await operator.connect()
  const calls = Array.from({ length: 20 }, () => call(server, 'GET', '/Users/Search').catch(() => undefined))
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  await Promise.all([...calls, events.text().catch(() => '')])
  expect(alarmsOf(server).slice(3)).toEqual([])
})

test('a fault that nothing catches is logged with its stack, and ends the server in order', async () => {
  const script = join(root, 'fault.mjs')
  await writeFile(script, `process.once('SIGUSR2', () => void Promise.reject(new Error('unhandled on purpose')))`)
  const server = await start({ NODE_OPTIONS: `--import ${script}` })
  expect(server.output()).toContain('ACC is ready')
  server.child.kill('SIGUSR2')
  expect(await server.ended).toBe(1)
  const stack = expect.stringMatching(/unhandled on purpose\n +at .*fault\.mjs/)
  expect(alarmsOf(server)).toMatchObject([{ level: 60, reason: 'unhandled on purpose', stack }])
  expect(processesIn(join(dataDir, 'pg'))).toEqual([])
})
