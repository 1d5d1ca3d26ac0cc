// `./acc` with a real server: started in the background, found again, stopped, killed. The script is the archive's, the
// programs are these sources.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMPILED, freePort } from './process.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'acc 설치 '))
const home = join(folder, 'acc-1.0.0')
const data = join(folder, 'acc-data')

function runIn(place: string, settings: Record<string, string>, args: string[]) {
  const options = {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', NODE_COMPILE_CACHE: COMPILED, ...settings },
    cwd: '/',
  } as const
  const { status, stdout, stderr } = spawnSync(join(place, 'acc'), args, options)
  return { status, stdout, stderr }
}
const runWith = (settings: Record<string, string>, ...args: string[]) => runIn(home, settings, args)
const run = (...args: string[]) => runWith({}, ...args)
const pidOf = () => Number(/^\d+/.exec(readFileSync(join(data, 'acc.pid'), 'utf8'))?.[0])
const modeOf = (name: string) => statSync(join(data, name)).mode & 0o777

beforeAll(() => {
  mkdirSync(home)
  cpSync(join(ROOT, 'bundle/acc'), join(home, 'acc'))
  symlinkSync(ROOT, join(home, 'app'))
})
afterAll(() => {
  run('stop')
  rmSync(folder, { recursive: true, force: true })
})

/** Unpacks the next version next to the first one. */
function unpackNext(): string {
  const next = join(folder, 'acc-1.0.1')
  mkdirSync(join(next, 'app/server'), { recursive: true })
  cpSync(join(ROOT, 'bundle/acc'), join(next, 'acc'))
  for (const part of ['node_modules', 'contract']) symlinkSync(join(ROOT, part), join(next, 'app', part))
  for (const part of ['src', 'nodeFlags.json'])
    cpSync(join(ROOT, 'server', part), join(next, 'app/server', part), { recursive: true })
  const manifest = readFileSync(join(ROOT, 'server/package.json'), 'utf8')
  writeFileSync(join(next, 'app/server/package.json'), manifest.replace('"version": "1.0.0"', '"version": "1.0.1"'))
  return next
}

test('starts, runs already, survives a kill, says that a port is taken, stops', async () => {
  const port = await freePort()
  writeFileSync(join(folder, 'acc.env'), `ACC_PORT=${port}\n`, { mode: 0o600 })

  const first = run('start')
  expect(first).toMatchObject({ status: 0, stderr: '' })
  expect(first.stdout).toContain(`Temporary password, for 24 hours: in ${join(data, 'first-password')}`)
  expect(first.stdout).toContain(`ACC is ready at http://127.0.0.1:${port}/acc/`)
  expect(readFileSync(join(data, 'acc.log'), 'utf8')).not.toContain(
    readFileSync(join(data, 'first-password'), 'utf8').trim(),
  )

  // Another account gets into none of it.
  for (const name of ['', 'pg', 'files']) expect(modeOf(name)).toBe(0o700)
  for (const name of ['secret.key', 'first-password', 'acc.log', 'acc.pid', 'acc.lock'])
    expect(modeOf(name)).toBe(0o600)

  expect(run('status')).toMatchObject({ status: 0, stdout: `ACC runs (process ${pidOf()}) and is ready.\n` })
  expect(run('start')).toMatchObject({ status: 0, stdout: `ACC runs already (process ${pidOf()}).\n` })
  expect(runIn(unpackNext(), {}, ['start'])).toEqual({
    status: 1,
    stdout: '',
    stderr: `acc: ACC 1.0.0 runs on this data directory (process ${pidOf()}). Stop it before you start 1.0.1.\n`,
  })
  expect(run('run')).toMatchObject({ status: 1, stderr: expect.stringContaining(`(process ${pidOf()}) already uses`) })
  expect(run('logs').stdout).toContain('ACC is ready')

  process.kill(pidOf(), 'SIGKILL')
  await expect.poll(() => run('status').status).toBe(1)
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const taken = Object(blocker.address()).port
  const refused = { status: 1, stdout: '', stderr: expect.stringContaining(`port ${taken}`) }
  expect(runWith({ ACC_PORT: String(taken) }, 'start')).toMatchObject(refused)
  blocker.close()
  const wrong = { status: 6, stdout: '', stderr: expect.stringContaining('there is ACC_PORT') }
  expect(runWith({ ACC_PROT: '1' }, 'start')).toMatchObject(wrong)

  expect(run('start').status).toBe(0)
  expect(run('stop')).toMatchObject({ status: 0, stdout: 'ACC has stopped.\n' })
  expect(run('status')).toMatchObject({ status: 3 })
})

test('admin and client get their arguments', () => {
  expect(run('admin', 'admin', 'reset-otp', '--idle')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^acc-admin: /),
  })
  expect(run('client', '--version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[\d.]+\n$/) })
})
