// A folder and an account with coreutils and without a home, which runs `./acc`.
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ROOT } from '../../bundle/packages.ts'

/** An account with a name, which initdb requires, and without a home. */
export const ACCOUNT = { uid: 65534, gid: 65534 }
/** Another account of the machine. */
export const OTHER_ACCOUNT = { uid: 60917, gid: 60917 }
/** Not below /tmp, where a path is short. */
const PLACE = '/var/tmp'

export type Result = { status: number | null; out: string; seconds: number }
export type Host = ReturnType<typeof makeHost>

export function expectThat(what: string, isSo: boolean, detail = ''): void {
  console.log(`${isSo ? 'ok  ' : 'NOT '} ${what}${isSo ? '' : `: ${detail}`}`)
  if (!isSo) throw new Error(what)
}

/** Checks a figure against its limit. A breach fails the drill at its end. */
export function expectAtMost(what: string, figure: number, limit: number): void {
  console.log(`${figure <= limit ? 'ok  ' : 'NOT '} ${what}: ${figure.toFixed(1)}, at most ${limit}`)
  if (figure > limit) process.exitCode = 1
}

/** The archive of the last `npm run bundle`, compared with its sum. */
export function findArchive(): { file: string; name: string } {
  const [sum = '', name = ''] = readFileSync(join(ROOT, 'dist/SHA256SUMS'), 'utf8').trim().split('  ')
  const file = join(ROOT, 'dist', name)
  const found = createHash('sha256').update(readFileSync(file)).digest('hex')
  expectThat('the archive is the one that SHA256SUMS names', found === sum, found)
  return { file, name: basename(name, '.tar.gz') }
}

export function makeHost() {
  const folder = mkdtempSync(join(PLACE, 'acc drill 설치 '))
  chownSync(folder, ACCOUNT.uid, ACCOUNT.gid)
  chmodSync(folder, 0o755)
  const bin = join(folder, 'bin')
  mkdirSync(bin, { mode: 0o755 })
  chmodSync(bin, 0o755)
  const { stdout } = spawnSync('dpkg', ['--listfiles', 'coreutils'], { encoding: 'utf8' })
  const tools = stdout.split('\n').filter((path) => /bin\/[^/]+$/.test(path))
  if (tools.length === 0)
    throw new Error('The drill asks dpkg for the programs of coreutils, which this system has none of.')
  for (const tool of tools) symlinkSync(tool, join(bin, basename(tool)))

  const run = (program: string, args: string[], options: SpawnSyncOptions = {}): Result => {
    const begun = performance.now()
    const {
      status,
      stdout: out,
      stderr,
      error,
    } = spawnSync(program, args, {
      ...ACCOUNT,
      cwd: '/',
      env: { PATH: bin },
      ...options,
      encoding: 'utf8',
    })
    return { status, out: `${out}${stderr}${error?.message ?? ''}`, seconds: (performance.now() - begun) / 1000 }
  }
  return {
    folder,
    data: join(folder, 'acc-data'),
    run,
    /** `./acc` of a version below the folder. */
    acc: (version: string, args: string[], input?: string) => run(join(folder, version, 'acc'), args, { input }),
    /** Unpacks below the folder; tar and gzip are the system's. */
    unpack: (archive: string, options: SpawnSyncOptions = {}, ...args: string[]) =>
      run('/usr/bin/tar', ['-xzf', archive, '-C', folder, ...args], { env: { PATH: '/usr/bin:/bin' }, ...options }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Return routes and network devices of this process. */
export const routes = (): string[] => readFileSync('/proc/net/route', 'utf8').trim().split('\n').slice(1)
export const devices = (): string[] =>
  [...readFileSync('/proc/net/dev', 'utf8').matchAll(/^\s*(\S+):/gm)].map(([, name = '']) => name)
