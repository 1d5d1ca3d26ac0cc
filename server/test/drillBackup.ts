// The drill of backup and restore: `npm run drill:backup`. Writes through a real server, with a ledger of what it acknowledged;
// backs it up meanwhile, kills it, restores into an empty directory, and looks for everything acknowledged before the snapshot.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT_GROUP } from '@acc/contract/groups'
import pg from 'pg'
import { attachEmbedded } from '../src/db/embedded/embedded.ts'
import { accAdminIn } from './accAdmin.ts'
import { type ServerProcess, startServer } from './process.ts'
import { signIn } from './signIn.ts'

const ADMIN_PASSWORD = 'Adm1n!strator'
const WRITERS = 8
/** Milliseconds of load before the backup and after it. */
const BEFORE = 5_000
const AFTER = 2_000

type Calls = Awaited<ReturnType<typeof signIn>>
type Acknowledged = { name: string; at: number }

const root = await mkdtemp(join(tmpdir(), 'acc-drill-'))
const [dataDir, restored, backups] = [join(root, 'data'), join(root, 'restored'), join(root, 'backups')]
const { json } = accAdminIn(root)
const servers: ServerProcess[] = []

async function start(folder: string): Promise<ServerProcess> {
  const env = { ACC_DATA_DIR: folder, ACC_ADMIN_PASSWORD: ADMIN_PASSWORD, ACC_CALLS_PER_SECOND: '1000000' }
  const server = await startServer(env)
  servers.push(server)
  return server
}

/** Creates groups until it is stopped; the ledger holds those whose answer arrived. */
async function write(calls: Calls, writer: number, ledger: Acknowledged[], load: { isOn: boolean }): Promise<void> {
  for (let number = 0; load.isOn; number++) {
    const name = `drill ${writer} ${number}`
    try {
      await calls.groups.create({ parentIdx: ROOT_GROUP, name })
      ledger.push({ name, at: Date.now() })
    } catch (error) {
      if (load.isOn) throw error
    }
  }
}

const timed = async <T>(work: Promise<T>) => {
  const begun = performance.now()
  return { result: await work, seconds: ((performance.now() - begun) / 1000).toFixed(1) }
}

async function requireDone(args: readonly string[], folder: string) {
  const { result, seconds } = await timed(json<{ moment: string; rows: number }>(args, { ACC_DATA_DIR: folder }))
  if (result.status !== 0) throw new Error(`acc-admin ${args[0]}: ${JSON.stringify(result.document)}`)
  return { ...result.document, seconds }
}

async function findNames(folder: string): Promise<Set<string>> {
  const silent = { info: () => undefined, error: () => undefined }
  const { connection, stop } = await attachEmbedded({ dataDir: folder, log: silent })
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select name from groups')
  await client.end()
  await stop()
  return new Set(rows.map(({ name }) => name))
}

async function drill(): Promise<boolean> {
  const ledger: Acknowledged[] = []
  const load = { isOn: true }
  const server = await start(dataDir)
  const calls = await signIn(server.baseUrl, 'admin', ADMIN_PASSWORD)
  const begun = Date.now()
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, i) => write(calls, i, ledger, load)))
  await wait(BEFORE)
  const during = ledger.length
  const made = await requireDone(['backup', '--to', backups], dataDir)
  const whileMade = ledger.length - during
  await wait(AFTER)
  load.isOn = false
  const ended = Date.now()
  server.child.kill('SIGKILL')
  await Promise.all([writing, server.ended])

  await mkdir(restored)
  await cp(join(dataDir, 'secret.key'), join(restored, 'secret.key'))
  const verified = await requireDone(['verify', '--from', backups, '--in', root], restored)
  const copy = await requireDone(['restore', '--from', backups], restored)
  const { result: again, seconds: startSeconds } = await timed(start(restored))
  await signIn(again.baseUrl, 'admin', ADMIN_PASSWORD)
  const found = await findNames(restored)
  const snapshot = Date.parse(made.moment)
  const before = ledger.filter(({ at }) => at < snapshot)
  const lost = before.filter(({ name }) => !found.has(name))
  const later = ledger.filter(({ name, at }) => at >= snapshot && !found.has(name))
  console.log(`Load          ${WRITERS} writers, ${ledger.length} writes acknowledged in ${((ended - begun) / 1000).toFixed(1)} s
Backup        ${made.seconds} s, ${made.rows} rows, while ${whileMade} writes were acknowledged
Snapshot      ${made.moment}, ${((snapshot - begun) / 1000).toFixed(1)} s after the load began
Verify        ${verified.seconds} s
Restore       ${copy.seconds} s; the restored server was ready after ${startSeconds} s
Before it     ${before.length} writes acknowledged, ${lost.length} of them missing
After it      ${later.length} writes acknowledged and, as expected, not in the backup`)
  return lost.length === 0 && before.length > 0
}

try {
  const isPassed = await drill()
  console.log(isPassed ? 'passed' : 'FAILED')
  process.exitCode = isPassed ? 0 : 1
} finally {
  for (const { child } of servers) child.kill('SIGTERM')
  await Promise.all(servers.map(({ ended }) => ended))
  await rm(root, { recursive: true, force: true })
}
