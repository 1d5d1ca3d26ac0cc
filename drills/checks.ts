// What a drill checks: statements, and how the calls of its load fared.
import { until } from './drill.ts'
import type { Call, Load } from './ledger.ts'

const faults: string[] = []
/** Prints a check. One that failed ends the drill with an error, after all others. */
export function check(isMet: boolean, sentence: string): void {
  console.log(`${isMet ? 'ok  ' : 'FAIL'} ${sentence}`)
  if (!isMet) faults.push(sentence)
}
export const note = (sentence: string): void => console.log(`     ${sentence}`)

/** Throws if a check failed. */
export function requireChecks(): void {
  if (faults.length > 0) throw new Error(`failed: ${faults.join('; ')}`)
}

/** Calls that were sent at or after `from`. */
export const since = (calls: readonly Call[], from: number): Call[] => calls.filter(({ begun }) => begun >= from)
export const minOf = (numbers: readonly number[]) => numbers.reduce((one, other) => Math.min(one, other), Infinity)
export const maxOf = (numbers: readonly number[]) => numbers.reduce((one, other) => Math.max(one, other), -Infinity)

/** Counts calls that were not acknowledged, with the seconds from the first to the last and their reasons. */
export function lossOf(calls: readonly Call[]): { count: number; seconds: number; details: string[] } {
  const lost = calls.filter(({ outcome }) => outcome !== 'acknowledged')
  const span = maxOf(lost.map(({ ended }) => ended)) - minOf(lost.map(({ begun }) => begun))
  const details = [...new Set(lost.map(({ outcome, detail }) => `${outcome}: ${detail}`))]
  return { count: lost.length, seconds: lost.length === 0 ? 0 : span / 1000, details: details.slice(0, 5) }
}

/** Checks that all calls were acknowledged. */
export function checkLoss(calls: readonly Call[], sentence: string): void {
  const { count, details } = lossOf(calls)
  check(calls.length > 0 && count === 0, `${sentence}: ${count} of ${calls.length} calls lost`)
  details.forEach(note)
}

/** Returns the seconds from a moment to the first write that was sent after it and acknowledged. */
export function writesAgainAfter(calls: readonly Call[], from: number): number {
  const ends = since(calls, from).flatMap(({ kind, outcome, ended }) =>
    kind !== 'read' && outcome === 'acknowledged' ? [ended] : [],
  )
  return (minOf(ends) - from) / 1000
}

/** Returns the milliseconds within which a share of the acknowledged calls ended. */
export function quantileOf(calls: readonly Call[], share: number): number {
  const times = calls.flatMap(({ outcome, begun, ended }) => (outcome === 'acknowledged' ? [ended - begun] : []))
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? 0
}

/** Seconds within which writes are acknowledged after a fault. */
export const WITHIN = 10

/** Waits for a write that was sent after a moment; returns the seconds until it was acknowledged. */
export async function waitForWrites({ calls }: Load, from: number): Promise<number> {
  await until('a write is acknowledged', async () => Number.isFinite(writesAgainAfter(calls, from)))
  return writesAgainAfter(calls, from)
}

/** Checks that writes are acknowledged soon after a moment. */
export async function checkWrites(load: Load, from: number, sentence: string): Promise<void> {
  const seconds = await waitForWrites(load, from)
  check(seconds <= WITHIN, `${sentence}: writes after ${seconds.toFixed(1)} s (target ${WITHIN} s)`)
}
