// Half an hour of load with 500 open consoles: memory, open files and database connections do not grow.
import { setTimeout as wait } from 'node:timers/promises'
import { SERVER } from '@acc/server/test/postgres.ts'
import { sql } from 'kysely'
import { check, checkLoss, maxOf, note, since } from './checks.ts'
import { CONSOLES, openConsoles } from './consoles.ts'
import { until } from './drill.ts'
import { openFiles, residentMiB } from './memory.ts'
import type { Subject } from './part.ts'
import { withDatabase } from './servers.ts'

const MINUTE = 60_000
/** The allowed growth from the second third, in which caches are full, to the last one. */
const GROWTH = { memory: 1.1, files: 1.02, connections: 1.02 }

type Sample = Record<keyof typeof GROWTH, number>
async function takeSample({ node }: Subject): Promise<Sample> {
  const { pid } = node.running
  const { rows } = await withDatabase(node.dataDir, ({ read }) =>
    sql<{ count: number }>`select count(*)::int as count from pg_stat_activity where usename = ${SERVER}`.execute(read),
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
    const sample = await takeSample(subject)
    samples.push(sample)
    const { memory, files, connections } = sample
    note(
      `${minute} min: ${memory.toFixed(0)} MiB, ${files} files, ${connections} connections, ${consoles.open()} consoles`,
    )
  }
  const third = Math.ceil(samples.length / 3)
  for (const name of ['memory', 'files', 'connections'] as const) {
    const most = (part: readonly Sample[]) => maxOf(part.map((sample) => sample[name]))
    const [second, last] = [most(samples.slice(third, 2 * third)), most(samples.slice(-third))]
    const isFlat = last <= second * GROWTH[name]
    check(isFlat, `${name}: at most ${last.toFixed(0)} in the last third, ${second.toFixed(0)} in the second`)
  }
  checkLoss(since(load.calls, from), `${minutes} minutes`)
  await until('all consoles are open', async () => consoles.open() === CONSOLES)
  note(`${CONSOLES} consoles are open; ${consoles.reopened()} streams were opened again`)
}
