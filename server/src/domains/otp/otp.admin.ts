// Wrong codes of system administrators, who are never locked. Delays follow wrong codes as they follow wrong passwords,
// and a daily total also bounds known networks. The owner gets a mail.
import { days, hours } from '../../clock.ts'
import { networkOf } from '../../core/networks.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Tx } from '../../db/open.ts'
import { adminLimitsOf, countAdminFailure, deleteAdminCounts, isAdminDelayed } from '../credentials/adminDelays.ts'
import type { Account } from '../credentials/credentials.queries.ts'
import {
  type Count,
  countOf,
  findCounts,
  type Limit,
  updateCountsUp,
  upsertMark,
  waitOf,
} from '../credentials/throttles.ts'
import { enqueueMail } from '../mails/mails.service.ts'

/** Wrong codes of a day, from one known network or from all others together. */
const MAX_A_DAY = 50
/** Pause after each further code once the total is reached. */
const PAUSE = hours(1)

type Total = { day: Limit; pause: Limit }
const totalOf = (name: string, where: string): Total => ({
  day: { key: `otp:day:${name}:${where}`, max: MAX_A_DAY, window: days(1) },
  pause: { key: `otp:pause:${name}:${where}`, max: 1, window: PAUSE },
})

type Attempt = { account: Account; ip: string }

/** Counters of an administrator's codes before an attempt. */
type AdminCodes = Attempt & {
  delays: ReturnType<typeof adminLimitsOf>
  total: Total
  counts: readonly Count[]
}

export async function findAdminCodes(tx: Tx, { account, ip }: Attempt, max: number, now: Date): Promise<AdminCodes> {
  const name = account.id.toLowerCase()
  const delays = adminLimitsOf('otp', { id: account.id, ip }, max)
  const [here, elsewhere] = [totalOf(name, networkOf(ip)), totalOf(name, 'elsewhere')]
  const limits = [delays, here, elsewhere].flatMap((some): Limit[] => Object.values(some))
  const keys = limits.map(({ key }) => key)
  const counts = await findCounts(tx, keys, now)
  // Others must not use up the total of the administrator's own network.
  const total = countOf(counts, delays.known) > 0 ? here : elsewhere
  return { account, ip, delays, total, counts }
}

export const isCodeDelayed = ({ delays, total, counts }: AdminCodes, now: Date): boolean =>
  isAdminDelayed(delays, counts, now) || waitOf(counts, total.pause, now) > 0

/** Resets the failures before a correct code. The daily total remains, so that guesses stay limited. */
export const deleteCodeCounts = (tx: Tx, { delays }: AdminCodes) => deleteAdminCounts(tx, delays)

/** Counts a wrong code, and returns whether the next one has to wait. */
export async function countWrongCode(tx: Tx, services: HandlerServices, codes: AdminCodes): Promise<boolean> {
  const { account, ip, delays, total, counts } = codes
  const now = services.clock.now()
  const mustWait = await countAdminFailure(tx, delays, counts, now)
  const [today = 0] = await updateCountsUp(tx, [total.day], now)
  const isOver = today >= MAX_A_DAY
  if (isOver) await upsertMark(tx, total.pause, now)
  if (!mustWait && !isOver) return false
  const notice = { key: `otp:notice:${account.id.toLowerCase()}`, max: 1, window: days(1) }
  const [mails = 0] = await updateCountsUp(tx, [notice], now)
  if (account.email !== '' && (mails === 1 || today === MAX_A_DAY))
    await enqueueMail(tx, services, 'wrongCodes', { to: account.email, name: account.name, when: now, ip })
  return true
}
