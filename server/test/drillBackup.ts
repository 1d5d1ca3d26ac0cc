// The drills of backup and restore: `npm run drill:backup`. Writes through a real server, with a ledger of what it acknowledged;
// backs it up meanwhile, kills it, restores into an empty directory, and looks for everything acknowledged before the snapshot.
// `-- pitr` is the same for its WAL archive (drillArchive.ts).
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { drillArchive } from './drillArchive.ts'
import { ADMIN_PASSWORD, drillIn, findNames, timed, WRITERS } from './drillLedger.ts'
import { signIn } from './signIn.ts'

/** Milliseconds of load before the backup and after it. */
const BEFORE = 5_000
const AFTER = 2_000

const root = await mkdtemp(join(tmpdir(), 'acc-drill-'))
const { start, load, requireDone, end } = drillIn(root)

type BackupPoint = { moment: string; rows: number }

async function drill(): Promise<boolean> {
  const [dataDir, restored, backups] = [join(root, 'data'), join(root, 'restored'), join(root, 'backups')]
  const server = await start(dataDir)
  const begun = Date.now()
  const { ledger, stop } = load(await signIn(server.baseUrl, 'admin', ADMIN_PASSWORD))
  await wait(BEFORE)
  const during = ledger.length
  const made = await requireDone<BackupPoint>(['backup', '--to', backups], dataDir)
  const whileMade = ledger.length - during
  await wait(AFTER)
  const ended = Date.now()
  await stop(() => server.child.kill('SIGKILL'))
  await server.ended

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
  const isPassed = await (process.argv.includes('pitr') ? drillArchive(root) : drill())
  console.log(isPassed ? 'passed' : 'FAILED')
  process.exitCode = isPassed ? 0 : 1
} finally {
  await end()
  await rm(root, { recursive: true, force: true })
}
