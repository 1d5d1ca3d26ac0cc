// Calls that read, each under load beside the same statements in the bare server.
import type { Capture } from './capture.ts'
import { load, type Running } from './processes.ts'
import { SECONDS } from './sizes.ts'

export type Row = { work: string; product: string; bare: string; reached: string; wanted: string }

type Read = {
  name: string
  work: string
  path: string
  headers: Record<string, string>
  connections: number
  /** Calls a second at which the times are told: far more than an organisation of this size makes, far less than saturates. */
  rate: number
  wanted: string
}

const DAY = 86_400_000
const ms = (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`
export const perSecond = (rps: number) => `${rps < 100 ? rps.toFixed(1) : rps.toFixed(0)}/s`
export const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(0)} %`

type Tokens = { admin: string; manager: string; client: string }
const web = (token: string) => ({ cookie: `acc=${token}` })

/** The reads that are measured, for an administrator's, a manager's and a client's session. */
export const readsOf = (tokens: Tokens, now: Date): Read[] => [...ownReads(tokens), ...searches(tokens, now)]

function searches(tokens: Tokens, now: Date): Read[] {
  const day = new URLSearchParams({
    logSDT: new Date(now.getTime() - 100 * DAY).toISOString(),
    logEDT: new Date(now.getTime() - 99 * DAY).toISOString(),
  })
  return [
    {
      name: 'userSearch',
      work: 'user search: substring, sort, count',
      path: `/Users/Search?filterType=0&id=${encodeURIComponent('지')}&name=${encodeURIComponent('지민')}&sort=name&sortOrder=0&rowsCount=25`,
      headers: web(tokens.admin),
      connections: 8,
      rate: 20,
      wanted: '>= 60 %, p99 < 30 ms',
    },
    {
      name: 'userSearchManager',
      work: 'the same for a manager of all groups',
      path: `/Users/Search?filterType=0&id=user0421&name=user0421&sort=id&rowsCount=25`,
      headers: web(tokens.manager),
      connections: 8,
      rate: 20,
      wanted: '>= 60 %, p99 < 30 ms',
    },
    {
      name: 'historyDay',
      work: 'history page of one day with a filter',
      path: `/Logs/ClientLogin?${day}&userId=user&sort=loginDT&rowsCount=25`,
      headers: web(tokens.admin),
      connections: 8,
      rate: 40,
      wanted: '>= 60 %, p99 < 30 ms',
    },
    {
      name: 'historyAll',
      work: 'history over everything, substring, capped count',
      path: `/Logs/ClientLogin?userName=${encodeURIComponent('지민')}&sort=loginDT&rowsCount=25`,
      headers: web(tokens.admin),
      connections: 1,
      rate: 5,
      wanted: '< 1 s',
    },
  ]
}

const ownReads = (tokens: Tokens): Read[] => [
  {
    name: 'session',
    work: "read one's session",
    path: '/Account/Session',
    headers: web(tokens.admin),
    connections: 32,
    rate: 200,
    wanted: '>= 50 %',
  },
  {
    name: 'groupTree',
    work: 'whole group tree for a manager',
    path: '/AuthGroups',
    headers: web(tokens.manager),
    connections: 1,
    rate: 2,
    wanted: '< 150 ms',
  },
  {
    name: 'agentPolicy',
    work: 'effective policy for the desktop client',
    path: '/Agent/Policy',
    headers: { authorization: `Bearer ${tokens.client}` },
    connections: 8,
    rate: 100,
    wanted: 'p99 < 10 ms',
  },
]

/** Calls a second where `connections` saturate both servers, and the times of calls that come at the read's `rate`. */
export async function measureRead(read: Read, server: Running, bare: Running): Promise<Row> {
  const measured = async (call: { url: string; headers?: Record<string, string> }) => {
    const saturated = await load({ ...call, connections: read.connections, seconds: SECONDS })
    const paced = await load({ ...call, connections: read.connections, rate: read.rate, seconds: SECONDS })
    return { saturated, paced, failed: saturated.failed + paced.failed }
  }
  const limit = await measured({ url: `${bare.url}/${read.name}` })
  const product = await measured({ url: server.url + read.path, headers: read.headers })
  const failed = product.failed + limit.failed
  const tell = ({ saturated, paced }: typeof product) =>
    `${perSecond(saturated.rps)}; p50 ${ms(paced.p50)}, p99 ${ms(paced.p99)}`
  return {
    work: `${read.work} (${read.connections} connections; times at ${read.rate}/s)${failed > 0 ? ` — ${failed} FAILED` : ''}`,
    product: tell(product),
    bare: tell(limit),
    reached: share(product.saturated.rps, limit.saturated.rps),
    wanted: read.wanted,
  }
}

/** Every statement of the reads, for the bare server. */
export async function statementsOf(reads: Read[], capture: Capture) {
  const entries = []
  for (const read of reads) entries.push([read.name, await capture.statementsOf(read.path, read.headers)] as const)
  return Object.fromEntries(entries)
}
