// What a drill found: the calls of a span, the longest time without an acknowledged write, and the ledger beside the rows.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '@acc/server/src/db/open.ts'
import type { Call } from './load.ts'
import type { Site } from './site.ts'

const faults: string[] = []
/** Says whether something is as promised; what is not fails the drill at its end. */
export function demand(isSo: boolean, sentence: string): void {
  console.log(`${isSo ? 'ok  ' : 'FAIL'} ${sentence}`)
  if (!isSo) faults.push(sentence)
}

/** Fails unless everything was as promised. */
export function requireAll(): void {
  if (faults.length > 0) throw new Error(`not as promised: ${faults.join('; ')}`)
}

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1)

/** Calls that were begun at or after `from`. */
export const since = (calls: readonly Call[], from: number): Call[] => calls.filter(({ begun }) => begun >= from)

/** Of as many numbers as half an hour has calls, which are more than a function takes as its arguments. */
const leastOf = (numbers: readonly number[]) => numbers.reduce((one, other) => Math.min(one, other), Infinity)
const mostOf = (numbers: readonly number[]) => numbers.reduce((one, other) => Math.max(one, other), -Infinity)

/** Seconds from the first call that was not acknowledged to the last one. */
export function lossOf(calls: readonly Call[]): { count: number; seconds: number; details: string[] } {
  const lost = calls.filter(({ outcome }) => outcome !== 'acknowledged')
  const first = leastOf(lost.map(({ begun }) => begun))
  const last = mostOf(lost.map(({ ended }) => ended))
  const details = [...new Set(lost.map(({ outcome, detail }) => `${outcome}: ${detail}`))]
  return { count: lost.length, seconds: lost.length === 0 ? 0 : (last - first) / 1000, details: details.slice(0, 5) }
}

/** Seconds from a moment until the first write that was begun and acknowledged behind it. */
export function writesAgainAfter(calls: readonly Call[], from: number): number {
  const ends = since(calls, from).flatMap(({ kind, outcome, ended }) =>
    kind !== 'read' && outcome === 'acknowledged' ? [ended] : [],
  )
  return (leastOf(ends) - from) / 1000
}

/** Milliseconds within which so large a share of the acknowledged calls ended. */
export function quantileOf(calls: readonly Call[], share: number): number {
  const times = calls.flatMap(({ outcome, begun, ended }) => (outcome === 'acknowledged' ? [ended - begun] : []))
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? 0
}

export function printRate(calls: readonly Call[]): void {
  const at = (share: number) => quantileOf(calls, share).toFixed(0)
  const first = leastOf(calls.map(({ begun }) => begun))
  const last = mostOf(calls.map(({ begun }) => begun))
  const rate = calls.length / ((last - first) / 1000)
  console.log(
    `     ${calls.length} calls in ${seconds(last - first)} s, ${rate.toFixed(0)} a second; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  )
}

/** Compares what was acknowledged with the rows: none is missing, none is there twice, none is half written. */
export async function judgeLedger(db: Database, calls: readonly Call[]): Promise<void> {
  const namesOf = (kind: Call['kind']) =>
    calls.filter((call) => call.kind === kind && call.outcome === 'acknowledged').map(({ name }) => name)
  const groups = await db.read.selectFrom('groups').select(['idx', 'name']).where('name', 'like', 'group %').execute()
  const users = await db.read.selectFrom('users').select(['idx', 'id']).where('id', 'like', 'drill-%').execute()
  const have = new Set([...groups.map(({ name }) => name), ...users.map(({ id }) => id)])
  const acknowledged = [...namesOf('group'), ...namesOf('user')]
  const missing = acknowledged.filter((name) => !have.has(name))
  demand(missing.length === 0, `of ${acknowledged.length} acknowledged writes ${missing.length} are missing`)
  const logged = await db.read
    .selectFrom('history')
    .select(['kind', 'subjectIdx'])
    .where('kind', 'in', ['groupManage', 'userManage'])
    .where('subject', 'like', '%')
    .execute()
  const countOf = (kind: string, idx: number) =>
    logged.filter((row) => row.kind === kind && row.subjectIdx === idx).length
  const half = [
    ...groups.filter(({ idx }) => countOf('groupManage', idx) !== 1),
    ...users.filter(({ idx }) => countOf('userManage', idx) !== 1),
  ]
  demand(
    half.length === 0,
    `of ${groups.length + users.length} rows ${half.length} have not exactly one row of history`,
  )
}

/**
 * Compares the mails with the files in the nodes' outboxes: each was sent, by one node, once. A node that is killed between
 * sending and recording may have one sent again: `repeats` is how many of them at most.
 */
export async function judgeMails(db: Database, { nodes }: Site, repeats = 0): Promise<void> {
  const mails = await db.read.selectFrom('mails').select('tries').execute()
  const files = nodes.flatMap(({ dataDir }) => readdirSync(join(dataDir, 'outbox')))
  const again = mails.filter(({ tries }) => tries > 1)
  const isOnce = files.length >= mails.length && files.length <= mails.length + repeats
  demand(isOnce, `${mails.length} mails are ${files.length} files in the two outboxes`)
  demand(again.length <= repeats, `${again.length} mails were tried more than once (wanted <= ${repeats})`)
}

/** Whether all mails have been sent. */
export async function areMailsSent(db: Database): Promise<boolean> {
  const { count } = await db.read
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('sentDT', 'is', null)
    .executeTakeFirstOrThrow()
  return count === 0
}
