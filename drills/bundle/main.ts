// Tries the archive without a network, with a shell and coreutils, as an account without a home and with umask 077:
// from unpacking to the first approved export, then faults.
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT } from '../../bundle/packages.ts'
import { residentMiB } from '../memory.ts'
import { exportFile, replaceFirstPassword, signInAdmin } from './export.ts'
import { devices, expectAtMost, expectThat, findArchive, type Host, makeHost, OTHER_ACCOUNT, routes } from './host.ts'

const LONGEST_START = 10
const LARGEST = 160
const MEMORY = 160
/** Milliseconds after which a server is at rest. */
const REST = 12_000
const NEXT = 'acc next'

const figures: [string, string][] = []
const note = (name: string, value: string) => void figures.push([name, value])

function start(host: Host, version: string): string {
  const { status, out, seconds } = host.acc(version, ['start'])
  expectThat(`${version}: start`, status === 0, out)
  note(`${version}: ready after`, `${seconds.toFixed(1)} s`)
  expectAtMost('seconds to ready', seconds, LONGEST_START)
  return /ACC is ready at (http:\/\/[^/]+)/.exec(out)?.[1] ?? ''
}

const pidOf = (host: Host) => Number.parseInt(readFileSync(join(host.data, 'acc.pid'), 'utf8'), 10)

function expectStatus(host: Host, version: string, command: string, status: number): void {
  const result = host.acc(version, [command])
  expectThat(`${command} ends with ${status}`, result.status === status, `${result.status} ${result.out}`)
}

/** Checks that an incomplete archive and altered files are found. */
function checkDamage(host: Host, version: string, archive: string): void {
  expectStatus(host, version, 'verify', 0)
  const readme = join(host.folder, version, 'README.md')
  const { size } = statSync(readme)
  appendFileSync(readme, ' ')
  expectStatus(host, version, 'verify', 1)
  truncateSync(readme, size)
  // As on a full disk: the kernel limits files to 64 MB.
  const half = join(host.folder, 'half')
  const limited = `umask 077; mkdir "$2"; ulimit -f 131072; tar -xzf "$1" -C "$2" --strip-components=1`
  const { status } = host.run('/bin/sh', ['-c', limited, 'sh', archive, half], { env: { PATH: '/usr/bin:/bin' } })
  expectThat('unpacking on a full disk fails', status !== 0)
  expectStatus(host, 'half', 'verify', 1)
}

/** Checks that another account of the machine reaches nothing of a running server. */
function checkOtherAccount(host: Host, version: string): void {
  const cat = (name: string) => host.run('cat', [join(host.data, name)], OTHER_ACCOUNT)
  for (const name of ['secret.key', 'first-password', 'acc.log', 'acc.pid'])
    expectThat(`${name} is closed`, cat(name).status !== 0)
  const list = host.run('ls', [join(host.data, 'pg')], OTHER_ACCOUNT)
  expectThat('the socket of the database is out of reach', list.status !== 0)
  const stop = host.run(join(host.folder, version, 'acc'), ['stop'], OTHER_ACCOUNT)
  expectThat('a stranger cannot stop the server', stop.status !== 0 && pidOf(host) > 0, stop.out)
}

async function drill(host: Host): Promise<void> {
  const { file, name } = findArchive()
  const megabytes = statSync(file).size / 1e6
  note('load of the machine at the start', (loadavg()[0] ?? 0).toFixed(1))
  note('archive', `${megabytes.toFixed(1)} MB`)
  expectAtMost('MB of the archive', megabytes, LARGEST)
  expectThat('no network but loopback', devices().join() === 'lo' && routes().length === 0)

  const unpacked = host.unpack(file)
  expectThat('unpacked by an account without a home', unpacked.status === 0, unpacked.out)
  note('unpacked in', `${unpacked.seconds.toFixed(1)} s`)
  checkDamage(host, name, file)
  expectStatus(host, name, 'status', 3)

  const baseUrl = start(host, name)
  expectStatus(host, name, 'status', 0)
  const again = host.acc(name, ['start'])
  expectThat('a second start runs already', again.status === 0 && again.out.includes('runs already'), again.out)
  checkOtherAccount(host, name)
  const [, firstPassword = ''] = readFileSync(join(host.data, 'first-password'), 'utf8').split('\n')
  const admin = await replaceFirstPassword(baseUrl, firstPassword)
  const request = await exportFile(host, name, baseUrl, admin)
  expectStatus(host, name, 'stop', 0)
  expectStatus(host, name, 'status', 3)

  start(host, name)
  const kept = await (await signInAdmin(baseUrl)).requests.find({ idx: request })
  expectThat('the request is still there', kept.idx === request)
  await wait(REST)
  const memory = residentMiB(pidOf(host))
  note('memory at rest', `${memory.toFixed(0)} MiB`)
  expectAtMost('MiB at rest', memory, MEMORY)
  process.kill(pidOf(host), 'SIGKILL')
  await wait(1000)
  expectStatus(host, name, 'status', 1)

  // The upgrade: unpacked by root next to the old version, and read-only for the account.
  host.run('mkdir', [join(host.folder, NEXT)])
  const root = { uid: 0, gid: 0 }
  const byRoot = host.unpack(file, root, `--one-top-level=${NEXT}`, '--strip-components=1')
  expectThat('unpacked by root', byRoot.status === 0, byRoot.out)
  host.run('chown', ['root:root', join(host.folder, NEXT)], root)
  chmodSync(join(host.folder, NEXT), 0o755)
  start(host, NEXT)
  const copies = readdirSync(host.data).filter((entry) => entry.startsWith('postgresql-'))
  expectThat('PostgreSQL runs from the archive, not from a copy', copies.length === 0, copies.join())
  const upgraded = await (await signInAdmin(baseUrl)).requests.find({ idx: request })
  expectThat('the next version has the same data', upgraded.idx === request)
  await wait(REST)
  note('memory at rest, read-only', `${residentMiB(pidOf(host)).toFixed(0)} MiB`)
  expectStatus(host, NEXT, 'stop', 0)
}

async function inside(): Promise<void> {
  spawnSync('ip', ['link', 'set', 'lo', 'up'])
  process.umask(0o077)
  const host = makeHost()
  try {
    await drill(host)
  } finally {
    host.acc(findArchive().name, ['stop'])
    host.remove()
    for (const [name, value] of figures) console.log(`${name.padEnd(50)} ${value}`)
  }
}

/** Runs the drill in a network namespace of its own. */
export async function drillBundle(argument: string | undefined): Promise<void> {
  if (argument === 'inside') return inside()
  if (!existsSync(join(ROOT, 'dist/SHA256SUMS'))) throw new Error('There is no archive: npm run bundle makes it.')
  const args = ['--net', process.execPath, join(import.meta.dirname, '../main.ts'), 'bundle', 'inside']
  process.exitCode = spawnSync('unshare', args, { stdio: 'inherit' }).status ?? 1
}
