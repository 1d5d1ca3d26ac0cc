// Load from a process of its own. Saturating load comes from wrk where the system has it, else from autocannon: both cost little
// beside what they measure. Paced load (a fixed rate, whatever the responses take) is generated here, at rates where its own cost
// does not count.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { firstLine } from './processes.ts'

export type Load = {
  url: string
  connections: number
  seconds: number
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** Sent one after the other. */
  bodies?: string[]
}
export type Saturation = { rps: number; count: number; p99: number; failed: number }
export type PacedLatency = { p50: number; p99: number; failed: number }

export const GENERATOR = spawnSync('wrk', ['-v']).error === undefined ? 'wrk' : 'autocannon'
const EXPECTED = '"errorCode":0'

async function saturateWithWrk({ url, connections, seconds, headers = {} }: Load): Promise<Saturation> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...given, url]
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const part of child.stdout.setEncoding('utf8')) text += part
  const [, p99 = '0', unit = 'ms'] = /99%\s+([\d.]+)(us|ms|s)/.exec(text) ?? []
  return {
    rps: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? 0),
    count: Number(/(\d+) requests in/.exec(text)?.[1] ?? 0),
    p99: Number(p99) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'],
    failed: Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0),
  }
}

async function runAutocannon(load: Load): Promise<Saturation> {
  const { url, connections, seconds, method = 'GET', headers = {}, bodies = [] } = load
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method,
    headers,
    requests: bodies.length > 0 ? bodies.map((body) => ({ body })) : [{}],
    verifyBody: (body) => String(body).includes(EXPECTED),
  })
  const { requests, latency, errors, non2xx, mismatches } = result
  return {
    rps: requests.total / result.duration,
    count: requests.total,
    p99: latency.p99,
    failed: errors + non2xx + mismatches,
  }
}

function send(load: Load, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request(load.url, { agent, headers: load.headers }, (response) => {
      let head = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        if (head.length < 100) head += part
      })
      response.on('end', () => resolve(head.includes(EXPECTED)))
      response.on('error', () => resolve(false))
    })
    call.on('error', () => resolve(false))
    call.end()
  })
}

const percentile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Calls at fixed times; a late call counts from when it was due. */
async function runPaced(load: Load, rate: number): Promise<PacedLatency> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections })
  const begin = performance.now() + (load.seconds / 4) * 1000
  const end = begin + load.seconds * 1000
  const times: number[] = []
  const calls: Promise<void>[] = []
  let failed = 0
  const call = async (due: number) => {
    const isRight = await send(load, agent)
    if (!isRight) failed++
    else if (due >= begin) times.push(performance.now() - due)
  }
  for (let due = performance.now(); due < end; due += 1000 / rate) {
    await setTimeout(Math.max(0, due - performance.now()))
    calls.push(call(due))
  }
  await Promise.all(calls)
  agent.destroy()
  times.sort((a, b) => a - b)
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), failed }
}

/** Sends every body once, on as many connections; the time that all of them took. */
async function runEach({ url, connections, method = 'POST', headers = {}, bodies = [] }: Load): Promise<Saturation> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const waiting = bodies.values()
  const times: number[] = []
  let failed = 0
  const send = async (body: string) => {
    const from = performance.now()
    const call = request(url, { agent, method, headers: { ...headers, 'content-length': Buffer.byteLength(body) } })
    const [response] = (await once(call.end(body), 'response')) as [IncomingMessage]
    if (!(await text(response)).includes(EXPECTED)) failed++
    times.push(performance.now() - from)
  }
  const from = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const body of waiting) await send(body)
    }),
  )
  const seconds = (performance.now() - from) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  return { rps: bodies.length / seconds, count: bodies.length, p99: percentile(times, 0.99), failed }
}

async function inChild<T>(load: Load, ...args: string[]): Promise<T> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'load.ts'), ...args, JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(await firstLine(child, /^\{/)) as T
}

/** As many calls as the connections take, each sent when the response to the last has come. */
export async function saturate(load: Load): Promise<Saturation> {
  if (GENERATOR === 'autocannon' || load.method === 'POST') return inChild(load)
  // wrk looks at the status alone, and a refused call has status 200.
  const check = async () => {
    const response = await fetch(load.url, { headers: load.headers })
    return (await response.text()).includes(EXPECTED) ? 0 : 1
  }
  const before = await check()
  const figures = await saturateWithWrk(load)
  return { ...figures, failed: figures.failed + before + (await check()) }
}

/** Each body once, for calls that cannot be repeated. */
export const sendEach = (load: Load): Promise<Saturation> => inChild(load, '--each')

/** Calls at `rate` a second. */
export const pace = (load: Load, rate: number): Promise<PacedLatency> => inChild(load, '--rate', String(rate))

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { rate: { type: 'string' }, each: { type: 'boolean' } },
    allowPositionals: true,
  })
  const load = JSON.parse(positionals[0] ?? '{}') as Load
  const saturated = values.each ? runEach : runAutocannon
  const figures = values.rate === undefined ? await saturated(load) : await runPaced(load, Number(values.rate))
  process.stdout.write(`${JSON.stringify(figures)}\n`)
}
