// Verification by the server itself: an hourly job verifies new rows once a day and all rows once a week, in short runs
// that follow each other. Its results are stored sealed, so that the database alone cannot invent one.
import { setTimeout as wait } from 'node:timers/promises'
import { SettingManage } from '@acc/contract/labels/history'
import { z } from 'zod'
import { days, hours, later, minutes } from '../../clock.ts'
import { asSystem } from '../../core/job.ts'
import type { HandlerServices, Services } from '../../core/services.ts'
import { settingLog } from '../../core/settingLog.ts'
import type { SecretKey } from '../../crypto/secretKey.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { findSetting, updateSetting } from '../../settings/settings.ts'
import { sentenceOf } from './history.findings.ts'
import { examineHead, SealBase } from './history.head.ts'
import { findSealKey } from './history.sealKey.ts'
import { findKeptSince, NO_BASE, type VerificationResult, verifyHistory } from './history.verify.ts'

/** An hour early, since the job looks every hour. */
const NEW = hours(23)
const ALL = days(7) - hours(1)
/** Milliseconds that a run may take, and its rest after each seal, which other work gets. */
const LONGEST_RUN = minutes(2)
const REST = 20
/** How long a node says that it took its head from the database. */
const NOTICE = days(1)

const moment = z.iso.datetime({ precision: 3 })
const Checks = z.strictObject({
  /** When the last verification ended, and the seal up to which all was verified once. */
  checkDT: moment.nullable(),
  through: SealBase,
  /** When all was verified last, and where an unfinished verification of all continues, with its rows so far. */
  allDT: moment.nullable(),
  rest: z.strictObject({ base: SealBase, rows: z.int() }).nullable(),
  finding: z.string().nullable(),
})
type Checks = z.output<typeof Checks>
export const NO_CHECKS: Checks = { checkDT: null, through: NO_BASE, allDT: null, rest: null, finding: null }

async function findChecks(db: Reader, key: SecretKey): Promise<Checks> {
  const stored = await findSetting(db, 'historyChecks', key).catch(() => undefined)
  return stored === undefined ? NO_CHECKS : Checks.parse(JSON.parse(stored.text))
}

export const updateChecks = (tx: Tx, checks: Checks, key: SecretKey): Promise<void> =>
  updateSetting(tx, 'historyChecks', { text: JSON.stringify(checks) }, key)

type Run = { isAll: boolean; from: number; before: Checks; rows: number }

/** Verifies for as long as a run may take; undefined if no verification is due. */
async function verifyDue(services: Services): Promise<(Run & { result: VerificationResult }) | undefined> {
  const { db, env, key, clock } = services
  const before = await findChecks(db.read, key)
  const isDue = (moment: string | null, age: number) => moment === null || new Date(moment) <= later(clock.now(), -age)
  const isAll = before.rest !== null || isDue(before.allDT, before.finding === null ? ALL : NEW)
  if (!isAll && !isDue(before.checkDT, NEW)) return undefined
  const { publicKey } = await findSealKey(db.read, key)
  const examined = await examineHead(db.read, services)
  const accepted = 'head' in examined ? (examined.head.base ?? NO_BASE) : NO_BASE
  const base = isAll ? (before.rest?.base ?? accepted) : before.through
  const end = performance.now() + LONGEST_RUN
  const result = await verifyHistory(db.read, {
    publicKey,
    keptSince: await findKeptSince(db.read, publicKey, later(clock.now(), -days(env.logRetentionDays))),
    expected: 'head' in examined ? [examined.head] : [],
    base,
    hasTime: () => wait(REST).then(() => performance.now() < end),
  })
  const finding = 'finding' in examined ? examined.finding : result.finding
  const rows = result.rows + (isAll ? (before.rest?.rows ?? 0) : 0)
  return { isAll, from: base.no + 1, before, rows, result: { ...result, finding } }
}

/** The state after a run, and whether a verification has ended by it. */
function checksAfter(run: Run & { result: VerificationResult }, now: string): { checks: Checks; isOver: boolean } {
  const { isAll, before, rows, result } = run
  const { finding, isMore, through } = result
  if (finding !== undefined)
    return { checks: { ...before, checkDT: now, allDT: now, rest: null, finding: sentenceOf(finding) }, isOver: true }
  if (isMore && isAll) return { checks: { ...before, rest: { base: through, rows } }, isOver: false }
  if (isMore) return { checks: { ...before, through }, isOver: false }
  const all = isAll ? { allDT: now, rest: null, finding: null } : {}
  return { checks: { ...before, ...all, checkDT: now, through }, isOver: true }
}

/** Verifies the history where that is due: one node at a time, with a row for each verification. */
export async function checkHistory(services: Services): Promise<void> {
  const { clock, key, log, locks } = services
  const lock = await locks.tryLock('checkHistory')
  if (lock === undefined) return
  try {
    const run = await verifyDue(services)
    if (run === undefined) return
    const { checks, isOver } = checksAfter(run, clock.now().toISOString())
    const { through, finding } = run.result
    await asSystem(services, async (tx) => {
      await updateChecks(tx, checks, key)
      const targetValue = finding === undefined ? `OK (${run.rows})` : sentenceOf(finding)
      const entry = settingLog(SettingManage.VERIFY_HISTORY, `${run.from}-${through.no}`, { targetValue })
      return { result: undefined, log: isOver ? [entry] : 'unchanged' }
    })
    if (finding !== undefined) log.error({ reason: sentenceOf(finding) }, 'the history is not as it was sealed')
  } finally {
    await lock.release()
  }
}

type HistoryState = {
  /** When the last verification ended; null if there was none. */
  checkDT: Date | null
  /** What is wrong. */
  finding: string | null
  /** Whether this node took its head from the database within the last day. */
  isHeadNew: boolean
}

/** The state of the proof: the present one of seals and head, and the result of the last verification. */
export async function findHistoryState(db: Reader, services: HandlerServices): Promise<HistoryState> {
  const [examined, checks] = await Promise.all([examineHead(db, services), findChecks(db, services.key)])
  const newDT = 'head' in examined ? examined.head.newDT : null
  return {
    checkDT: checks.checkDT === null ? null : new Date(checks.checkDT),
    finding: 'finding' in examined ? sentenceOf(examined.finding) : checks.finding,
    isHeadNew: newDT !== null && new Date(newDT) > later(services.clock.now(), -NOTICE),
  }
}
