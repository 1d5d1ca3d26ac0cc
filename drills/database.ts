// Ends all connections of the database, then stops it for half a minute.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { processesIn } from '@acc/server/src/db/embedded/place.ts'
import { SERVER } from '@acc/server/test/postgres.ts'
import pg from 'pg'
import { check, checkWrites, lossOf, note, since, WITHIN, waitForWrites } from './checks.ts'
import { until } from './drill.ts'
import type { Subject } from './part.ts'
import { connectionOf, isReady } from './servers.ts'

const SILENT = 30_000

/** Ends the server's connections, as its own role, since others may not. Returns their number. */
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
    check(
      count > 0 && lost.seconds <= WITHIN,
      `${count} connections ended: ${lost.count} calls lost, within ${lost.seconds.toFixed(1)} s`,
    )

    const processes = processesIn(join(node.dataDir, 'pg'))
    for (const pid of processes) process.kill(pid, 'SIGSTOP')
    const stopped = performance.now()
    try {
      await until('the server is not ready', async () => !(await isReady(node.url)), 20)
      await wait(SILENT - (performance.now() - stopped))
    } finally {
      for (const pid of processes) process.kill(pid, 'SIGCONT')
    }
    const resumed = performance.now()
    await until('the server is ready', () => isReady(node.url))
    await checkWrites(load, resumed, `the database did not respond for ${SILENT / 1000} s`)
    await wait(2_000)
    lossOf(since(load.calls, stopped)).details.forEach(note)
  }
}
