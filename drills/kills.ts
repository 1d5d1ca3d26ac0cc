// Kills the server, then its database, many times.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { processesIn } from '@acc/server/src/db/embedded/place.ts'
import { killIfThere } from '@acc/server/test/process.ts'
import { check, WITHIN, waitForWrites } from './checks.ts'
import { isAlive } from './drill.ts'
import type { Subject } from './part.ts'

const TURN = 1_000

async function killMany({ load }: Subject, what: string, times: number, kill: () => Promise<void>): Promise<void> {
  const costs: number[] = []
  for (let at = 0; at < times; at++) {
    // Each kill meets another moment of a write.
    await wait(TURN + ((at * 37) % 500))
    const killed = performance.now()
    await kill()
    costs.push(await waitForWrites(load, killed))
  }
  const sorted = costs.toSorted((one, other) => one - other)
  const [median = 0, worst = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  check(
    worst <= WITHIN,
    `${what} killed ${times} times: writes after ${median.toFixed(1)} s, ${worst.toFixed(1)} s at most (target ${WITHIN} s)`,
  )
}

export async function drillKills(subject: Subject, times: number): Promise<void> {
  const { node } = subject
  await killMany(subject, 'the server', times, async () => {
    await node.running.kill('SIGKILL')
    await node.start()
  })
  const { pid } = node.running
  await killMany(subject, 'the database', times, async () => {
    for (const one of processesIn(join(node.dataDir, 'pg'))) killIfThere(one)
  })
  check(isAlive(pid), 'the server did not end when its database did')
}
