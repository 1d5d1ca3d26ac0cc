// Heartbeats of BIM servers, each from an address of its own with a thousand live connections, of which some are other ones each
// time.
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { idOf } from './people.ts'
import { databaseTime, type Product, processorTime } from './processes.ts'
import { failures, median, ms, perSecond, type Row } from './report.ts'
import { SECONDS } from './sizes.ts'

const SERVERS = 20
const CONNECTIONS = 1_000
/** Milliseconds from one heartbeat of a server to its next; more than two a second are refused. */
const PERIOD = 1_000
/** Connections that differ from those of the last heartbeat. */
const CHANGED = 10

type BimServer = { idx: number; id: string; ip: string }
type Envelope = { errorCode: number; message: string; data: unknown }

async function call(product: Product, token: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(product.url + path, {
    method,
    headers: { cookie: `acc=${token}`, 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { errorCode, message, data } = (await response.json()) as Envelope
  if (errorCode !== 0) throw new Error(`${path}: ${message}`)
  return data
}

const pcNameOf = (at: number) => `BENCH-${at}`

async function removeServers(product: Product, token: string): Promise<void> {
  const { servers } = (await call(product, token, 'GET', '/Bim/Servers')) as {
    servers: { idx: number; pcName: string }[]
  }
  const idxes = servers.filter(({ pcName }) => pcName.startsWith('BENCH-')).map(({ idx }) => idx)
  if (idxes.length > 0) await call(product, token, 'DELETE', '/Bim/Servers', { idxes })
}

async function createServers(product: Product, token: string): Promise<BimServer[]> {
  const servers: BimServer[] = []
  for (let at = 0; at < SERVERS; at++) {
    const ip = `127.0.1.${at + 1}`
    const created = await call(product, token, 'POST', '/Bim/Server', { pcName: pcNameOf(at), ip })
    servers.push({ ...(created as { idx: number; id: string }), ip })
  }
  return servers
}

/** The body of a server's heartbeat: its connections move on by a few places each time. */
function bodyOf(server: number, beat: number): string {
  const connections = Array.from({ length: CONNECTIONS }, (_, at) => {
    const number = beat * CHANGED + at
    return {
      userId: idOf(2 + (number % 400)),
      ip: `10.${server}.${Math.floor(number / 250) % 250}.${number % 250}`,
      connectDT: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
    }
  })
  return JSON.stringify({ connections })
}

type Beats = { times: number[]; failed: number }

/** Sends one server's heartbeats, one each period. */
async function report(url: string, { id, ip }: BimServer, server: number, until: number): Promise<Beats> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: ip })
  const headers = {
    authorization: `Bearer ${id}`,
    'content-type': 'application/json',
    'x-requested-with': 'XMLHttpRequest',
  }
  const beats: Beats = { times: [], failed: 0 }
  for (let beat = 0; performance.now() < until; beat++) {
    const body = bodyOf(server, beat)
    const from = performance.now()
    const sent = request(`${url}/BimServer/Heartbeat`, { agent, method: 'POST', headers })
    const [response] = (await once(sent.end(body), 'response')) as [IncomingMessage]
    if (!(await text(response)).includes('"errorCode":0')) beats.failed++
    beats.times.push(performance.now() - from)
    await setTimeout(Math.max(0, from + PERIOD - performance.now()))
  }
  agent.destroy()
  return beats
}

export async function measureBimServers(product: Product, token: string, dataDir: string): Promise<Row[]> {
  await removeServers(product, token)
  const servers = await createServers(product, token)
  const reportAll = (seconds: number) => {
    const until = performance.now() + seconds * 1000
    return Promise.all(servers.map((server, at) => report(product.url, server, at, until)))
  }
  try {
    await reportAll(1)
    const [server, database, from] = [processorTime(product.pid), databaseTime(dataDir), performance.now()]
    const all = await reportAll(5 * SECONDS)
    const seconds = (performance.now() - from) / 1000
    const times = all.flatMap((beats) => beats.times).toSorted((a, b) => a - b)
    const of = (spent: number) => `${(spent / times.length).toFixed(2)}`
    const p99 = times[Math.floor(times.length * 0.99)] ?? 0
    return [
      {
        work: `heartbeats of ${SERVERS} BIM servers, each with ${CONNECTIONS} connections, ${CHANGED} of them new${failures(all.reduce((sum, { failed }) => sum + failed, 0))}`,
        product: `${perSecond(times.length / seconds)}; p50 ${ms(median(times))}, p99 ${ms(p99)}`,
        wanted: '> 7/s, ten times what they send',
        cost: `${of(processorTime(product.pid) - server)} + ${of(databaseTime(dataDir) - database)} ms`,
      },
    ]
  } finally {
    await removeServers(product, token)
  }
}
