// The server is killed, and then its database, again and again.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { processesIn } from '@acc/server/src/db/embedded/place.ts'
import { isAlive, killIfThere } from '../ha/drill.ts'
import { demand } from '../ha/judge.ts'
import { WITHIN, waitForWrites } from './again.ts'
import type { Subject } from './main.ts'

const TURN = 1_000

async function killAgain({ load }: Subject, what: string, times: number, kill: () => Promise<void>): Promise<void> {
  const costs: number[] = []
  for (let at = 0; at < times; at++) {
    // At another moment of each write.
    await wait(TURN + ((at * 37) % 500))
    const killed = performance.now()
    await kill()
    costs.push(await waitForWrites(load, killed))
  }
  const sorted = costs.toSorted((one, other) => one - other)
  const [median = 0, worst = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  demand(
    worst <= WITHIN,
    `${what} killed ${times} times: writes again after ${median.toFixed(1)} s, ${worst.toFixed(1)} s at the most (wanted <= ${WITHIN} s)`,
  )
}

export async function drillKills(subject: Subject, times: number): Promise<void> {
  const { node } = subject
  await killAgain(subject, 'the server', times, async () => {
    await node.running.kill('SIGKILL')
    await node.start()
  })
  const { pid } = node.running
  await killAgain(subject, 'the database', times, async () => {
    for (const one of processesIn(join(node.dataDir, 'pg'))) killIfThere(one)
  })
  demand(isAlive(pid), 'the server did not end when its database did')
}
