// Calls at a steady rate whether or not they are answered, and the ledger of what was acknowledged.
import { setTimeout as wait } from 'node:timers/promises'
import type { Site } from './site.ts'

/** `refused` is a 502 or 503 with a body of the usual shape; `broken` is anything else that is not a success. */
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

/** `DRILL_CALLS` for a machine that does other work as well. */
const CALLS_PER_SECOND = Number(process.env.DRILL_CALLS ?? 100)
/** Calls that may wait at the same time; more are not begun, since their caller would have given up. */
const MAX_WAITING = 500
const TIMEOUT = 60_000

type PlannedCall = Pick<Call, 'kind' | 'name'> & { path: string; body?: object }
/** Of a hundred calls one creates a user, who gets a mail, ten create groups, the others read. */
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

/** Where the calls go, and whose they are. */
type Target = Pick<Site, 'url' | 'cookie'>

async function make({ url, cookie }: Target, { kind, name, path, body }: PlannedCall): Promise<Call> {
  const begun = performance.now()
  const settle = (outcome: Outcome, detail: string): Call => ({
    kind,
    name,
    begun,
    ended: performance.now(),
    outcome,
    detail,
  })
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

/** `reads` are the paths of the calls that read, in turns. */
export function startLoad(site: Target, reads: readonly string[] = ['/Account/Session']): Load {
  const calls: Call[] = []
  const waiting = new Set<Promise<void>>()
  let made = 0
  let isOn = true
  const begun = performance.now()
  const pacing = (async () => {
    while (isOn) {
      const due = Math.floor(((performance.now() - begun) / 1000) * CALLS_PER_SECOND)
      for (; made < due; made++) {
        if (waiting.size >= MAX_WAITING) continue
        const call = make(site, planned(made, reads)).then((one) => {
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
