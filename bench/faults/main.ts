// One server with its own database, under writes that keep a ledger, while something goes wrong: `npm run drill:faults`, or one part
// with its number of times, `npm run drill:faults -- kills 100`. Prints the figures; its exit status says whether they are as promised.
import { openDatabase } from '@acc/server/src/db/open.ts'
import { type Drill, openDrill } from '../ha/drill.ts'
import { judgeLedger, printRate, requireAll } from '../ha/judge.ts'
import { type Load, startLoad } from '../ha/load.ts'
import { type Node, openNode, signIn } from '../ha/site.ts'
import { connectionOf } from '../upgrade/dataDir.ts'
import { drillDatabase } from './database.ts'
import { drillDisk, mountDisk } from './disk.ts'
import { drillKills } from './kills.ts'
import { drillTerm } from './term.ts'

export type Subject = { drill: Drill; node: Node; load: Load }

/** The parts, each with how many times it does its harm unless the command says otherwise. */
const PARTS = {
  kills: { times: 10, run: drillKills },
  database: { times: 1, run: drillDatabase },
  term: { times: 3, run: drillTerm },
  disk: { times: 1, run: drillDisk },
}
const isPart = (name: string): name is keyof typeof PARTS => Object.hasOwn(PARTS, name)

async function runPart(name: keyof typeof PARTS, times: number): Promise<void> {
  if (name === 'disk' && process.getuid?.() !== 0) {
    console.log('disk: left out, since only root can mount a small disk')
    return
  }
  console.log(`${name}, ${times} times`)
  await openDrill(async (drill) => {
    // Its unmounting comes after the server's end, since it was asked for before.
    if (name === 'disk') drill.atEnd(mountDisk(drill.root))
    const node = await openNode(drill, 1)
    const load = startLoad({ url: node.url, cookie: await signIn(node.url) })
    drill.atEnd(load.end)
    await PARTS[name].run({ drill, node, load }, times)
    await load.end()
    printRate(load.calls)
    const db = openDatabase(connectionOf(node.dataDir), { warn: () => undefined }, 2)
    await judgeLedger(db, load.calls).finally(db.close)
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
