// A load in a process of its own: `connections` connections, each sending its next call when the last answer has come (a
// closed loop), or, with a `rate`, calls at fixed times whatever the answers take (an open loop). Prints one JSON line: calls
// a second and percentiles in milliseconds.
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'

export type Load = {
  url: string
  connections: number
  seconds: number
  /** Calls a second, sent when they are due; a late one counts from when it was due. */
  rate?: number
  method?: string
  headers?: Record<string, string>
  /** Sent one after the other. */
  bodies?: string[]
  /** Every answer must hold this text. */
  expect?: string
}
export type Figures = { rps: number; p50: number; p99: number; max: number; failed: number }

function send(load: Load, agent: Agent, body: string | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request(load.url, { agent, method: load.method ?? 'GET', headers: load.headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        if (text.length < 2000) text += part
      })
      response.on('end', () => resolve(response.statusCode === 200 && text.includes(load.expect ?? '"errorCode":0')))
      response.on('error', () => resolve(false))
    })
    call.on('error', () => resolve(false))
    call.end(body)
  })
}

const percentile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Runs the load, a quarter of its time as a warm-up that does not count. */
async function run(load: Load): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections })
  const begin = performance.now() + (load.seconds / 4) * 1000
  const end = begin + load.seconds * 1000
  const took: number[] = []
  let failed = 0
  let sent = 0
  const call = async (from: number) => {
    const isRight = await send(load, agent, load.bodies?.[sent++ % load.bodies.length])
    if (from < begin) return
    if (isRight) took.push(performance.now() - from)
    else failed++
  }
  const closedLoop = async () => {
    while (performance.now() < end) await call(performance.now())
  }
  const openLoop = async (rate: number) => {
    const calls: Promise<void>[] = []
    for (let due = performance.now(); due < end; due += 1000 / rate) {
      await setTimeout(Math.max(0, due - performance.now()))
      calls.push(call(due))
    }
    await Promise.all(calls)
  }
  if (load.rate !== undefined) await openLoop(load.rate)
  else await Promise.all(Array.from({ length: load.connections }, closedLoop))
  agent.destroy()
  took.sort((a, b) => a - b)
  return {
    rps: took.length / load.seconds,
    p50: percentile(took, 0.5),
    p99: percentile(took, 0.99),
    max: took.at(-1) ?? 0,
    failed,
  }
}

if (process.argv[2] !== undefined) {
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(process.argv[2]) as Load))}\n`)
}
