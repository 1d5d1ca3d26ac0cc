// One server with its own database, under writes that keep a ledger, while something goes wrong: `npm run drill:faults`, or one part
// with its number of times, `npm run drill:faults -- kills 100`. Prints the figures; its exit status says whether they are as promised.
import { type Drill, openDrill } from '../ha/drill.ts'
import { judgeLedger, printRate, requireAll } from '../ha/judge.ts'
import { type Load, startLoad } from '../ha/load.ts'
import { type Node, type NodeOptions, openNode, signIn } from '../ha/site.ts'
import { withDatabase } from '../upgrade/dataDir.ts'
import { openAlerts } from './alerts.ts'
import { openArchiveDisk } from './archive.ts'
import { openClock } from './clock.ts'
import { drillDatabase } from './database.ts'
import { openDisk } from './disk.ts'
import { openDns } from './dns.ts'
import { drillKills } from './kills.ts'
import { drillFiles, openMemory } from './limits.ts'
import { openMail } from './mail.ts'
import { openProvider } from './provider.ts'
import { drillSlow, openLossy } from './slow.ts'
import { drillSoak } from './soak.ts'
import { openSyslog } from './syslog.ts'
import { drillTerm } from './term.ts'

export type Subject = { drill: Drill; node: Node; load: Load }

/** What a part needs of the server, and what it does to it. */
export type Part = {
  options?: NodeOptions
  /** Another way to the server, which the load takes; returns its address. */
  openWay?(url: string): Promise<string>
  run(subject: Subject, times: number): Promise<void>
}
type Opener = {
  /** How many times it does its harm, or how many minutes it lasts, unless the command says otherwise. */
  times: number
  isForRoot?: boolean
  open(drill: Drill): Part | Promise<Part>
}

const PARTS = {
  kills: { times: 10, open: () => ({ run: drillKills }) },
  database: { times: 1, open: () => ({ run: drillDatabase }) },
  term: { times: 3, open: () => ({ run: drillTerm }) },
  disk: { times: 1, isForRoot: true, open: openDisk },
  archive: { times: 1, isForRoot: true, open: openArchiveDisk },
  alerts: { times: 1, open: openAlerts },
  mail: { times: 1, open: openMail },
  provider: { times: 1, open: openProvider },
  dns: { times: 1, isForRoot: true, open: openDns },
  files: { times: 3, open: () => ({ run: drillFiles }) },
  memory: { times: 1, isForRoot: true, open: openMemory },
  clock: { times: 1, open: openClock },
  slow: { times: 1, open: () => ({ run: drillSlow }) },
  syslog: { times: 1, open: openSyslog },
  lossy: { times: 1, open: openLossy },
  soak: { times: 30, open: () => ({ run: drillSoak }) },
} satisfies Record<string, Opener>
const isPart = (name: string): name is keyof typeof PARTS => Object.hasOwn(PARTS, name)

async function runPart(name: keyof typeof PARTS, times: number): Promise<void> {
  const { isForRoot, open }: Opener = PARTS[name]
  if (isForRoot && process.getuid?.() !== 0) {
    console.log(`${name}: left out, since it needs root`)
    return
  }
  console.log(`${name}, ${times} times`)
  await openDrill(async (drill) => {
    const { options, openWay, run } = await open(drill)
    const node = await openNode(drill, 1, options)
    const cookie = await signIn(node.url)
    const load = startLoad({ url: (await openWay?.(node.url)) ?? node.url, cookie })
    drill.atEnd(load.end)
    await run({ drill, node, load }, times)
    await load.end()
    printRate(load.calls)
    await withDatabase(node.dataDir, (db) => judgeLedger(db, load.calls))
    requireAll()
  })
}

const [asked, count] = process.argv.slice(2)
if (asked !== undefined && !isPart(asked)) {
  console.error(`There is no part ${asked}: ${Object.keys(PARTS).join(', ')}`)
  process.exitCode = 2
} else {
  const names = asked === undefined ? Object.keys(PARTS).filter(isPart) : [asked]
  for (const name of names) await runPart(name, Number(count ?? PARTS[name].times))
}
