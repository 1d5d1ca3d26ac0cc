// What the other calls notice while something outside of the server fails.
import { setTimeout as wait } from 'node:timers/promises'
import { demand, lossOf, quantileOf, since } from '../ha/judge.ts'
import type { Load } from '../ha/load.ts'

/** Milliseconds within which 99 of a hundred of the other calls end. */
const P99 = 500

/** Works for at least so many milliseconds; fails unless the calls of the load go on as always. */
export async function meanwhile(
  load: Load,
  sentence: string,
  ms: number,
  work?: () => Promise<unknown>,
): Promise<void> {
  const from = performance.now()
  await Promise.all([work?.(), wait(ms)])
  const calls = since(load.calls, from)
  const { count, details } = lossOf(calls)
  const p99 = quantileOf(calls, 0.99)
  demand(
    count === 0 && p99 <= P99,
    `${sentence}: ${count} of ${calls.length} other calls lost, p99 ${p99.toFixed(0)} ms (wanted 0, <= ${P99} ms)`,
  )
  for (const detail of details) console.log(`     ${detail}`)
}
