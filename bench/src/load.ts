// Load from a process of its own. autocannon saturates: each connection sends a call when the last one was answered.
// Calls at a given rate are sent here, because autocannon slows down with a slow server.
import { spawn } from 'node:child_process'
import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import autocannon from 'autocannon'
import { firstLine } from './processes.ts'
import { quantile } from './report.ts'

export type Call = { url: string; method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string }
type Saturating = { seconds: number; connections: number; calls: Call[] }
export type Saturation = { rps: number; count: number; p99: number; failed: number }
/** Calls in turn, `rate` of them a second, whether or not earlier ones were answered. */
export type Stream = { rate: number; calls: Call[] }
/** Milliseconds of acknowledged calls; refused calls with their p99; failed calls with their codes. */
export type Paced = {
  count: number
  p50: number
  p99: number
  refused: number
  refusedP99: number
  failed: number
  codes: string[]
}

async function runSaturating({ seconds, connections, calls: [first, ...more] }: Saturating): Promise<Saturation> {
  if (first === undefined) throw new Error('no calls')
  const { url, method = 'GET', headers = {} } = first
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method,
    headers,
    requests: [first, ...more].map(({ body }) => (body === undefined ? {} : { body })),
    verifyBody: (body) => String(body).includes('"errorCode":0'),
  })
  const { requests, latency, errors, non2xx, mismatches } = result
  const failed = errors + non2xx + mismatches
  return { rps: requests.total / result.duration, count: requests.total, p99: latency.p99, failed }
}

/** Sends a call; returns the beginning of the response, or the code of the connection's error. */
function send({ url, method = 'GET', headers, body }: Call, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const fail = ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message)
    const call = request(url, { agent, method, headers }, (response) => {
      let head = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        if (head.length < 100) head += part
      })
      response.on('end', () => resolve(head)).on('error', fail)
    })
    call.on('error', fail)
    call.end(body)
  })
}

/** Calls come from so many networks, since the server limits the connections of each. */
const NETWORKS = 50

/** Measures a call from the moment at which it should have been sent. */
async function runStream({ rate, calls }: Stream, seconds: number, begin: number): Promise<Paced> {
  const agents = Array.from({ length: NETWORKS }, (_, at) => {
    return new Agent({ keepAlive: true, localAddress: `127.${at + 1}.0.1` })
  })
  const codes = new Set<string>()
  const times: number[] = []
  const refusals: number[] = []
  let failed = 0
  const waiting: Promise<void>[] = []
  const time = async (call: Call, due: number, agent: Agent) => {
    const head = await send(call, agent)
    const code = /"errorCode":(\d+)/.exec(head)?.[1] ?? head
    const time = performance.now() - due
    if (code === '0') times.push(time)
    else if (head.includes('"retryAfter":')) refusals.push(time)
    else failed++
    codes.add(code)
  }
  let isOn = true
  process.once('SIGTERM', () => {
    isOn = false
  })
  for (let at = 0; isOn && at < rate * seconds; at++) {
    const due = begin + (at * 1000) / rate
    await setTimeout(Math.max(0, due - performance.now()))
    const [call, agent] = [calls[at % calls.length], agents[at % NETWORKS]]
    if (call !== undefined && agent !== undefined) waiting.push(time(call, due, agent))
  }
  await Promise.all(waiting)
  for (const agent of agents) agent.destroy()
  return {
    count: waiting.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    refused: refusals.length,
    refusedP99: quantile(refusals, 0.99),
    failed,
    codes: [...codes],
  }
}

type Order = { saturating: Saturating } | { streams: Stream[]; seconds: number }

async function inChild<T>(order: Order, end?: AbortSignal): Promise<T> {
  const child = spawn(process.execPath, [import.meta.filename], { stdio: ['pipe', 'pipe', 'inherit'] })
  end?.addEventListener('abort', () => child.kill('SIGTERM'))
  child.stdin.end(JSON.stringify(order))
  return JSON.parse(await firstLine(child, /^[{[]/)) as T
}

/** Sends as many calls as possible: that of the first call, with the bodies of all in turn. */
export const saturate = (saturating: Saturating): Promise<Saturation> => inChild({ saturating })
/** Sends calls at given rates, for so many seconds or until the signal. */
export const pace = (streams: Stream[], seconds: number, end?: AbortSignal): Promise<Paced[]> =>
  inChild({ streams, seconds }, end)

if (import.meta.main) {
  let text = ''
  for await (const part of process.stdin.setEncoding('utf8')) text += part
  const order = JSON.parse(text) as Order
  const begin = performance.now()
  const figures =
    'saturating' in order
      ? await runSaturating(order.saturating)
      : await Promise.all(order.streams.map((stream) => runStream(stream, order.seconds, begin)))
  process.stdout.write(`${JSON.stringify(figures)}\n`)
}
