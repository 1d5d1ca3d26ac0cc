// The server is asked to stop while it is called.
import { setTimeout as wait } from 'node:timers/promises'
import { demand } from '../ha/judge.ts'
import type { Subject } from './main.ts'

/** Milliseconds that the node goes on serving: its `ACC_DRAIN_SECONDS`. */
const DRAIN = 5_000
/** Seconds: the same, and ten. */
const WITHIN = 15

export async function drillTerm({ node, load }: Subject, times: number): Promise<void> {
  for (let at = 0; at < times; at++) {
    await wait(3_000)
    const asked = performance.now()
    await node.running.kill('SIGTERM')
    const took = (performance.now() - asked) / 1000
    demand(took <= WITHIN, `asked to stop, the server ended after ${took.toFixed(1)} s (wanted <= ${WITHIN} s)`)
    await node.start()
    await wait(1_000)
    // What comes once it no longer listens has to go to another node, of which there is none here.
    const cut = load.calls.filter(
      ({ begun, ended, outcome }) => outcome !== 'acknowledged' && ended >= asked && begun < asked + DRAIN,
    )
    demand(cut.length === 0, `${cut.length} calls from before the end of the drain were cut off`)
    for (const { detail } of cut.slice(0, 5)) console.log(`     ${detail}`)
  }
}
