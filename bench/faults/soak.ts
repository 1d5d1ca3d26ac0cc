// Half an hour of the load with 500 open consoles: memory, open files and connections of the database stay as they are.
import { setTimeout as wait } from 'node:timers/promises'
import { SERVER } from '@acc/server/test/postgres.ts'
import { sql } from 'kysely'
import { until } from '../ha/drill.ts'
import { demand, lossOf, since } from '../ha/judge.ts'
import { CONSOLES } from '../src/consoles.ts'
import { residentMiB } from '../src/processes.ts'
import { withDatabase } from '../upgrade/dataDir.ts'
import { openConsoles } from './consoles.ts'
import { openFiles } from './limits.ts'
import type { Subject } from './main.ts'

const MINUTE = 60_000
/** How much more the last third may take than the second, which finds caches and heap filled. */
const GROWTH = { memory: 1.1, files: 1.02, connections: 1.02 }

type Sample = Record<keyof typeof GROWTH, number>
async function sampleOf({ node }: Subject): Promise<Sample> {
  const { pid } = node.running
  // Of another role's connections one sees little more than whose they are.
  const { rows } = await withDatabase(node.dataDir, (db) =>
    sql<{ count: number }>`select count(*)::int as count from pg_stat_activity where usename = ${SERVER}`.execute(
      db.read,
    ),
  )
  return { memory: residentMiB(pid), files: openFiles(pid), connections: rows[0]?.count ?? 0 }
}

export async function drillSoak(subject: Subject, minutes: number): Promise<void> {
  const { load } = subject
  const consoles = await openConsoles(subject)
  const from = performance.now()
  const samples: Sample[] = []
  for (let minute = 1; minute <= minutes; minute++) {
    await wait(MINUTE)
    const sample = await sampleOf(subject)
    samples.push(sample)
    console.log(
      `     minute ${minute}: ${sample.memory.toFixed(0)} MiB, ${sample.files} files, ${sample.connections} connections of the database; ${consoles.open()} consoles`,
    )
  }
  const third = Math.ceil(samples.length / 3)
  for (const name of ['memory', 'files', 'connections'] as const) {
    const most = (part: readonly Sample[]) => Math.max(...part.map((sample) => sample[name]))
    const [second, last] = [most(samples.slice(third, 2 * third)), most(samples.slice(-third))]
    demand(
      last <= second * GROWTH[name],
      `${name}: ${last.toFixed(0)} at the most in the last third, ${second.toFixed(0)} in the second`,
    )
  }
  const { count, details } = lossOf(since(load.calls, from))
  demand(count === 0, `${minutes} minutes: ${count} calls lost`)
  await until('all consoles are open', async () => consoles.open() === CONSOLES)
  console.log(`     ${CONSOLES} consoles are open; streams were opened again ${consoles.reopened()} times`)
  for (const detail of details) console.log(`     ${detail}`)
}
