// How soon writes are acknowledged again, once what was wrong is over.
import { until } from '../ha/drill.ts'
import { demand, writesAgainAfter } from '../ha/judge.ts'
import type { Load } from '../ha/load.ts'

/** Seconds within which it must be so. */
export const WITHIN = 10

/** Waits for the first write that was begun and acknowledged behind a moment; returns the seconds until then. */
export async function waitForWrites({ calls }: Load, from: number): Promise<number> {
  await until('a write is acknowledged again', async () => Number.isFinite(writesAgainAfter(calls, from)))
  return writesAgainAfter(calls, from)
}

/** Fails unless writes are acknowledged again soon after a moment. */
export async function demandWrites(load: Load, from: number, sentence: string): Promise<void> {
  const again = await waitForWrites(load, from)
  demand(again <= WITHIN, `${sentence}: writes again after ${again.toFixed(1)} s (wanted <= ${WITHIN} s)`)
}
