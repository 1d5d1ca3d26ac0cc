// Delays of system administrators, who are never locked (spec S1 §6). After failures their network waits, and so do all
// networks except those from which they signed in within a month. otp.admin.ts adds a daily total of wrong codes.
import { days, minutes } from '../../clock.ts'
import { networkOf } from '../../core/networks.ts'
import type { Tx } from '../../db/open.ts'
import { backoffOf, type Count, countOf, deleteCounts, type Limit, updateCountsUp, waitOf } from './throttles.ts'

/** Longest delay that guesses from unknown networks cause each other. */
const LONGEST_DELAY = minutes(60)
const KNOWN_FOR = days(30)
const WITHOUT_END = days(36_500)

/** Returns the mark of a network from which an account signed in. */
const knownNetworkOf = ({ id, ip }: { id: string; ip: string }): Limit => ({
  key: `signIn:known:${id.toLowerCase()}:${networkOf(ip)}`,
  max: 1,
  window: KNOWN_FOR,
})

export type AdminLimits = { here: Limit; everywhere: Limit; known: Limit }

/** Returns the counters of one administrator for wrong passwords (`signIn`) or wrong codes (`otp`). */
export function adminLimitsOf(
  what: 'signIn' | 'otp',
  { id, ip }: { id: string; ip: string },
  max: number,
): AdminLimits {
  const name = id.toLowerCase()
  const network = networkOf(ip)
  return {
    here: { key: `${what}:admin:${name}:${network}`, max, window: minutes(5) },
    everywhere: { key: `${what}:admin:${name}`, max, window: WITHOUT_END, isSliding: true },
    known: knownNetworkOf({ id, ip }),
  }
}

/** Returns whether an administrator's attempts from this network have to wait. */
export function isAdminDelayed(limits: AdminLimits, counts: readonly Count[], now: Date): boolean {
  if (waitOf(counts, limits.here, now) > 0) return true
  return countOf(counts, limits.known) === 0 && backoffOf(counts, limits.everywhere, LONGEST_DELAY, now) > 0
}

/** Counts a failure and returns whether the next attempt has to wait. */
export async function countAdminFailure(
  tx: Tx,
  limits: AdminLimits,
  counts: readonly Count[],
  now: Date,
): Promise<boolean> {
  const isKnown = countOf(counts, limits.known) > 0
  const [here = 0, everywhere = 0] = await updateCountsUp(tx, [limits.here, limits.everywhere], now)
  return here >= limits.here.max || (!isKnown && everywhere >= limits.everywhere.max)
}

export const deleteAdminCounts = (tx: Tx, { here, everywhere }: AdminLimits) =>
  deleteCounts(tx, [here.key, everywhere.key])
