// `npm run drill -- NAME [ARGUMENT]` runs one drill, without a name it lists them. Exits with 1 if a check failed.
import { drillApproval, drillYear } from './approval.ts'
import { drillArchive, drillBackup } from './backup.ts'
import { drillBundle } from './bundle/main.ts'
import { requireChecks } from './checks.ts'
import { drillClock } from './clock.ts'
import { drillDatabase } from './database.ts'
import { drillDisk } from './disk.ts'
import { type Drill, openDrill } from './drill.ts'
import { drillFailover } from './failover.ts'
import { drillKilledImports } from './killedImports.ts'
import { drillKills } from './kills.ts'
import { compareLedger, printRate, startLoad } from './ledger.ts'
import { drillMemory } from './memory.ts'
import { drillNodes } from './nodes.ts'
import type { Part, ServerPart } from './part.ts'
import { openNode, signIn, withDatabase } from './servers.ts'
import { drillSoak } from './soak.ts'
import { drillUpgrade } from './upgrade/main.ts'

/** Runs a part on one server under load, and compares the ledger with the database afterwards. */
const onServer =
  (open: (drill: Drill) => ServerPart, usual = 1): Part['run'] =>
  (times) =>
    openDrill(async (drill) => {
      const { options, run } = open(drill)
      const node = await openNode(drill, 1, options)
      const load = startLoad({ url: node.url, cookie: await signIn(node.url) })
      drill.atEnd(load.end)
      await run({ drill, node, load }, Number(times ?? usual))
      await load.end()
      printRate(load.calls)
      await withDatabase(node.dataDir, (db) => compareLedger(db, load.calls))
      requireChecks()
    })
const alone =
  (work: (drill: Drill, argument?: string) => Promise<void>): Part['run'] =>
  (argument) =>
    openDrill(async (drill) => {
      await work(drill, argument)
      requireChecks()
    })

const PARTS: Record<string, Part> = {
  kills: { title: 'kills the server, then its database [TIMES]', run: onServer(() => ({ run: drillKills }), 10) },
  imports: { title: 'kills the server while it imports people [TIMES]', run: alone(drillKilledImports) },
  database: {
    title: 'ends connections, then stops the database for 30 s [TIMES]',
    run: onServer(() => ({ run: drillDatabase })),
  },
  disk: { title: 'fills the disk of database and files [TIMES]', needsRoot: true, run: onServer(drillDisk) },
  memory: { title: 'limits server and database to 1 GiB [TIMES]', needsRoot: true, run: onServer(drillMemory) },
  clock: { title: 'moves the clock [TIMES]', run: onServer(drillClock) },
  soak: { title: '500 consoles [MINUTES]', run: onServer(() => ({ run: drillSoak }), 30) },
  backup: { title: 'backs up, kills and restores', run: alone(drillBackup) },
  archive: { title: 'restores to a moment from the WAL archive', run: alone(drillArchive) },
  nodes: { title: 'restarts and kills nodes behind HAProxy [MINUTES]', run: alone(drillNodes) },
  failover: { title: 'kills etcd, a standby and a primary of Patroni', run: alone(drillFailover) },
  upgrade: { title: 'upgrades from published versions [kills, rolling or write]', run: alone(drillUpgrade) },
  approval: { title: 'compares random operations with the model of approvals [COUNT]', run: alone(drillApproval) },
  year: { title: 'simulates a year of approvals [PEOPLE]', run: alone(drillYear) },
  bundle: { title: 'tries the archive without a network', needsRoot: true, run: drillBundle },
}

const [name = '', argument] = process.argv.slice(2)
const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined
if (part === undefined) {
  for (const [one, { title }] of Object.entries(PARTS)) console.log(`${one.padEnd(12)} ${title}`)
  process.exitCode = name === '' ? 0 : 2
} else if (part.needsRoot && process.getuid?.() !== 0) {
  console.error(`${name} needs root.`)
  process.exitCode = 1
} else await part.run(argument)
