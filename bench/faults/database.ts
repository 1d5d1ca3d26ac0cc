// The database ends all connections, and then does not respond for half a minute.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { processesIn } from '@acc/server/src/db/embedded/place.ts'
import { SERVER } from '@acc/server/test/postgres.ts'
import pg from 'pg'
import { until } from '../ha/drill.ts'
import { demand, lossOf, since } from '../ha/judge.ts'
import { isReady } from '../ha/site.ts'
import { connectionOf } from '../upgrade/dataDir.ts'
import { demandWrites, WITHIN, waitForWrites } from './again.ts'
import type { Subject } from './main.ts'

const SILENT = 30_000

/** Ends the connections of the server, as the server's role: another one may not. Returns how many there were. */
async function terminate(dataDir: string): Promise<number> {
  const client = new pg.Client({ ...connectionOf(dataDir), user: SERVER })
  await client.connect()
  const { rowCount } = await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and pid <> pg_backend_pid()',
  )
  await client.end()
  return rowCount ?? 0
}

export async function drillDatabase({ node, load }: Subject, times: number): Promise<void> {
  for (let at = 0; at < times; at++) {
    await wait(2_000)
    const ended = performance.now()
    const count = await terminate(node.dataDir)
    await waitForWrites(load, ended)
    await wait(2_000)
    const lost = lossOf(since(load.calls, ended - 1_000))
    demand(
      count > 0 && lost.seconds <= WITHIN,
      `${count} connections ended: ${lost.count} calls lost, within ${lost.seconds.toFixed(1)} s`,
    )

    const processes = processesIn(join(node.dataDir, 'pg'))
    for (const pid of processes) process.kill(pid, 'SIGSTOP')
    const stopped = performance.now()
    try {
      await until('readiness says that the database does not respond', async () => !(await isReady(node.url)), 20)
      await wait(SILENT - (performance.now() - stopped))
    } finally {
      for (const pid of processes) process.kill(pid, 'SIGCONT')
    }
    const goesOn = performance.now()
    await until('the server is ready', () => isReady(node.url))
    await demandWrites(load, goesOn, `the database did not respond for ${SILENT / 1000} s`)
    await wait(2_000)
    for (const detail of lossOf(since(load.calls, stopped)).details) console.log(`     ${detail}`)
  }
}
