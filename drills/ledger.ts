// The load of a drill and its ledger: calls at a steady rate with their outcomes, which are compared with the database.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '@acc/server/src/db/open.ts'
import { check, maxOf, minOf, note, quantileOf } from './checks.ts'
import type { Site } from './servers.ts'

/** `refused`: error 502 or 503 of the contract; `broken`: any other failure. */
type Outcome = 'acknowledged' | 'refused' | 'broken'
export type Call = {
  kind: 'group' | 'user' | 'read'
  name: string
  begun: number
  ended: number
  outcome: Outcome
  detail: string
}
export type Load = {
  calls: Call[]
  /** Ends the load; resolves when all calls have ended. */
  end(): Promise<void>
}

/** `DRILL_CALLS` replaces it on a busy machine. */
const CALLS_PER_SECOND = Number(process.env.DRILL_CALLS ?? 100)
/** Calls that wait at the same time; above it, calls are left out. */
const MAX_WAITING = 500
const TIMEOUT = 60_000

type PlannedCall = Pick<Call, 'kind' | 'name'> & { path: string; body?: object }
/** Of 100 calls, one creates a user, who gets a mail; ten create groups; the others read. */
function planned(at: number, reads: readonly string[]): PlannedCall {
  if (at % 100 === 0) {
    const id = `drill-${at}`
    const body = { id, name: id, email: `${id}@example.com`, groupIdx: 1, isMortal: 0, isSinglePC: 0 }
    return { kind: 'user', name: id, path: '/User', body }
  }
  if (at % 10 === 5)
    return { kind: 'group', name: `group ${at}`, path: '/Group', body: { name: `group ${at}`, parentIdx: 1 } }
  return { kind: 'read', name: '', path: reads[at % reads.length] ?? '' }
}

type Target = Pick<Site, 'url' | 'cookie'>

async function send({ url, cookie }: Target, { kind, name, path, body }: PlannedCall): Promise<Call> {
  const begun = performance.now()
  const settle = (outcome: Outcome, detail: string): Call => {
    return { kind, name, begun, ended: performance.now(), outcome, detail }
  }
  try {
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { cookie, 'x-requested-with': 'XMLHttpRequest', 'content-type': 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT),
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const { errorCode } = JSON.parse(text) as { errorCode: number }
    if (errorCode === 0) return settle('acknowledged', '')
    return settle([502, 503].includes(errorCode) ? 'refused' : 'broken', `${response.status} ${text.slice(0, 200)}`)
  } catch (error) {
    return settle('broken', error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : String(error))
  }
}

/** Calls of all loads, so that each has a number of its own. */
let made = 0
/** Sends calls until the end; `reads` are the paths of those that read. */
export function startLoad(site: Target, reads: readonly string[] = ['/Account/Session']): Load {
  const calls: Call[] = []
  const waiting = new Set<Promise<void>>()
  let isOn = true
  const first = made
  const begun = performance.now()
  const pacing = (async () => {
    while (isOn) {
      const due = first + Math.floor(((performance.now() - begun) / 1000) * CALLS_PER_SECOND)
      for (; made < due; made++) {
        if (waiting.size >= MAX_WAITING) continue
        const call = send(site, planned(made, reads)).then((one) => {
          calls.push(one)
          waiting.delete(call)
        })
        waiting.add(call)
      }
      await wait(5)
    }
  })()
  return {
    calls,
    end: async () => {
      isOn = false
      await pacing
      await Promise.all(waiting)
    },
  }
}

export function printRate(calls: readonly Call[]): void {
  const begun = calls.map((call) => call.begun)
  const seconds = (maxOf(begun) - minOf(begun)) / 1000
  const at = (share: number) => quantileOf(calls, share).toFixed(0)
  const rate = (calls.length / seconds).toFixed(0)
  note(`${calls.length} calls in ${seconds.toFixed(0)} s, ${rate}/s; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
}

const findGroups = ({ read }: Database) =>
  read.selectFrom('groups').select(['idx', 'name']).where('name', 'like', 'group %').execute()
const findUsers = ({ read }: Database) =>
  read.selectFrom('users').select(['idx', 'id as name']).where('id', 'like', 'drill-%').execute()

/** The names of the writes that a database has. */
export const findNames = async (db: Database): Promise<Set<string>> =>
  new Set([...(await findGroups(db)), ...(await findUsers(db))].map(({ name }) => name))

/** Checks that every acknowledged write is there, and that every row has one row of history. */
export async function compareLedger(db: Database, calls: readonly Call[]): Promise<void> {
  const acknowledged = calls.filter(({ kind, outcome }) => kind !== 'read' && outcome === 'acknowledged')
  const names = await findNames(db)
  const missing = acknowledged.filter(({ name }) => !names.has(name))
  check(missing.length === 0, `of ${acknowledged.length} acknowledged writes ${missing.length} are missing`)
  const logged = await db.read
    .selectFrom('history')
    .select(['kind', 'subjectIdx'])
    .where('kind', 'in', ['groupManage', 'userManage'])
    .execute()
  const counts = new Map<string, number>()
  for (const { kind, subjectIdx } of logged)
    counts.set(`${kind} ${subjectIdx}`, (counts.get(`${kind} ${subjectIdx}`) ?? 0) + 1)
  const groups = (await findGroups(db)).map(({ idx }) => `groupManage ${idx}`)
  const rows = [...groups, ...(await findUsers(db)).map(({ idx }) => `userManage ${idx}`)]
  const wrong = rows.filter((row) => counts.get(row) !== 1)
  check(wrong.length === 0, `of ${rows.length} rows ${wrong.length} do not have exactly one row of history`)
}

/** Checks that each mail is one file in an outbox. `repeats`: so many may be sent twice, by nodes that were killed. */
export async function compareMails(db: Database, { nodes }: Site, repeats = 0): Promise<void> {
  const mails = await db.read.selectFrom('mails').select('tries').execute()
  const files = nodes.flatMap(({ dataDir }) => readdirSync(join(dataDir, 'outbox'))).length
  const repeated = mails.filter(({ tries }) => tries > 1).length
  check(
    files >= mails.length && files <= mails.length + repeats,
    `${mails.length} mails are ${files} files in the outboxes`,
  )
  check(repeated <= repeats, `${repeated} mails were tried more than once (target ${repeats})`)
}

export async function areMailsSent(db: Database): Promise<boolean> {
  const waiting = await db.read.selectFrom('mails').select('idx').where('sentDT', 'is', null).executeTakeFirst()
  return waiting === undefined
}
