// The script of the archive and the launcher, on these sources in a folder with a difficult name. A server is started
// in server/test/launcher.api.test.ts.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { HELP as ADMIN_HELP } from '../server/src/admin/help.ts'
import { COMPILED } from '../server/test/process.ts'
import { ROOT } from './packages.ts'

// Each command starts one or two processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const SCRIPT = join(ROOT, 'bundle/acc')
const folder = mkdtempSync(join(tmpdir(), "acc's 설치 $HOME "))
const home = join(folder, 'acc-1.0.0')
const data = join(folder, 'acc-data')
const settings = join(folder, 'acc.env')

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  cpSync(SCRIPT, join(home, 'acc'))
  symlinkSync(ROOT, join(home, 'app'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(args: string[], { script = join(home, 'acc'), env = {} } = {}) {
  const options = {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', NODE_COMPILE_CACHE: COMPILED, ...env },
    cwd: '/',
  } as const
  const { status, stdout, stderr } = spawnSync(script, args, options)
  return { status, stdout, stderr }
}

function leavePid(text: string): string {
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(join(data, 'acc.pid'), text)
  return join(data, 'acc.pid')
}

test('any shell reads the script', () => {
  expect(spawnSync('/bin/sh', ['-n', SCRIPT]).status).toBe(0)
})

describe('usage', () => {
  test.each([[[]], [['restart']], [['toString']], [['start', '--demo']], [['logs', '-f', 'x']]])(
    '%j is refused',
    (args) => {
      expect(run(args)).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringContaining('Usage: ./acc COMMAND'),
      })
    },
  )

  test('help names subjects that acc-admin has', () => {
    const [, subjects = ''] = /acc-admin: (.+)/.exec(run(['help']).stdout) ?? []
    for (const subject of subjects.split(/, | and /)) expect(ADMIN_HELP).toContain(subject.replace(/s$/, ''))
  })

  test.each(['help', '--help', '-h'])('%s prints it', (word) => {
    expect(run([word])).toMatchObject({ status: 0, stdout: expect.stringContaining('./acc COMMAND'), stderr: '' })
  })

  test('the version is that of the server', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'server/package.json'), 'utf8'))
    expect(run(['version'])).toMatchObject({ status: 0, stdout: `ACC ${version}\n` })
  })

  test('a link to the script leads back to its folder', () => {
    symlinkSync(join(home, 'acc'), join(folder, 'link'))
    expect(run(['status'], { script: join(folder, 'link') })).toMatchObject({ status: 3 })
  })
})

describe('a folder that was unpacked in part', () => {
  const sum = (text: string) => createHash('sha256').update(text).digest('hex')
  const sums = `${sum('a')}  a\n${sum('b')}  b\n`

  test('verify compares every file', () => {
    for (const [name, text] of Object.entries({ a: 'a', b: 'b', SHA256SUMS: sums }))
      writeFileSync(join(home, name), text)
    expect(run(['verify'])).toMatchObject({ status: 0, stderr: '' })
  })

  test.each([
    ['an altered file', { a: 'a', b: 'B', SHA256SUMS: sums }],
    ['a missing file', { a: 'a', SHA256SUMS: sums }],
    ['empty sums', { a: 'a', SHA256SUMS: '' }],
    ['no sums', { a: 'a' }],
  ])('%s is refused', (_, files) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text)
    expect(run(['verify'])).toMatchObject({ status: 1, stderr: expect.stringContaining('unpack the archive again') })
  })

  test('without its Node every command reports it', () => {
    rmSync(join(home, 'app'))
    expect(run(['status'])).toMatchObject({ status: 5, stderr: expect.stringContaining('unpack the archive again') })
  })
})

describe('no server', () => {
  test('status and stop report it', () => {
    expect(run(['status'])).toMatchObject({ status: 3, stdout: 'ACC does not run.\n' })
    expect(run(['stop'])).toMatchObject({ status: 0, stdout: 'ACC does not run.\n' })
    expect(existsSync(data)).toBe(false)
  })

  test('a pid file whose number another process has now ends nothing', () => {
    const file = leavePid(`${process.pid} 00000000-0000-0000-0000-000000000000 1\n`)
    expect(run(['status'])).toMatchObject({ status: 1, stdout: expect.stringContaining('ended without') })
    expect(run(['stop'])).toMatchObject({ status: 0 })
    expect(existsSync(file)).toBe(false)
  })

  test.each(['', 'x\n', '1\n', '-1 x 1\n', '99999999 x 1\n'])('a pid file with %j ends nothing', (text) => {
    leavePid(text)
    expect(run(['stop'])).toMatchObject({ status: 0, stdout: 'ACC does not run.\n' })
  })

  test('logs name the missing file', () => {
    expect(run(['logs'])).toMatchObject({ status: 1, stderr: expect.stringContaining(join(data, 'acc.log')) })
  })
})

describe('settings', () => {
  const write = (text: string, mode = 0o600) => {
    writeFileSync(settings, text)
    chmodSync(settings, mode)
  }

  test.each([0o604, 0o602])('a file with mode %o is refused', (mode) => {
    write('', mode)
    expect(run(['status'])).toMatchObject({ status: 6, stderr: expect.stringContaining('chmod 640') })
  })

  test('name the data directory from their own folder, unless the environment does', () => {
    write('ACC_DATA_DIR=elsewhere\n')
    expect(run(['logs']).stderr).toContain(join(folder, 'elsewhere', 'acc.log'))
    expect(run(['logs'], { env: { ACC_DATA_DIR: '/nowhere' } }).stderr).toContain('/nowhere/acc.log')
  })

  test('an unusable data directory ends it with 1', () => {
    writeFileSync(join(folder, 'file'), '')
    write('ACC_DATA_DIR=file\n')
    expect(run(['start'])).toMatchObject({ status: 1, stderr: expect.stringContaining('is not a directory') })
  })
})

describe('service', () => {
  const unitFile = (text: string) => {
    const file = join(folder, 'acc.service')
    writeFileSync(file, text)
    return file
  }
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  const hasSystemd = analyze('--version').status === 0

  test('names its folders as a unit reads them', () => {
    const unusualFolder = join(folder, '50% "$a"\n[Service]')
    const { status, stdout } = run(['service'], { env: { ACC_DATA_DIR: unusualFolder } })
    expect(status).toBe(0)
    expect(stdout).toContain(`ReadWritePaths="${folder}/50%% \\"$a\\"\\n[Service]"\n`)
    expect(stdout).toContain(`ExecStart=/bin/sh "${home.replaceAll('$', '$$$$')}/acc" run\n`)
    expect(stdout.match(/^\[Service\]$/gm)).toHaveLength(1)
  })

  test.each(['ACC_PEOPLE_DIR', 'ACC_CONSOLE_CONFIG', 'NODE_EXTRA_CA_CERTS'])('lets the server read %s', (name) => {
    const place = { ACC_DATA_DIR: '/srv/acc-data' }
    const protectionOf = (path: string) =>
      run(['service'], { env: { ...place, [name]: path } }).stdout.match(/^ProtectHome=.*$/m)?.[0]
    expect(protectionOf('/home/hr/acc')).toBe('ProtectHome=read-only')
    expect(protectionOf('/srv/acc')).toBe('ProtectHome=yes')
  })

  test.runIf(hasSystemd)('is a unit that systemd accepts, and rates 2.0 or better', () => {
    mkdirSync(data)
    const file = unitFile(run(['service']).stdout)
    expect(analyze('verify', file)).toMatchObject({ status: 0, stderr: '' })
    const { stdout } = analyze('security', '--offline=true', file)
    expect(Number(/exposure level for .*: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(2)
  })
})
