// 500 open consoles: the server's memory, and the time from a change to the last console.
import { Agent, get, type IncomingMessage } from 'node:http'
import type { Bench } from './bench.ts'
import { GROUP, idOf, POSTED, signIn, watching } from './people.ts'
import { residentMiB } from './processes.ts'
import { median, ms, type Row } from './report.ts'

const CONSOLES = 500
const CHANGES = 30
/** Milliseconds after which a console that received nothing has failed. */
const PATIENCE = 5_000

type Console = { stream: IncomingMessage; received: number }

/** Opens an event stream; `received` counts its events. */
function openConsole(url: string, headers: { cookie: string }, agent: Agent): Promise<Console> {
  return new Promise((resolve, reject) => {
    const call = get(`${url}/Events`, { agent, headers }, (stream) => {
      if (stream.statusCode !== 200) {
        stream.resume()
        return reject(new Error(`no stream: ${stream.statusCode}`))
      }
      const opened: Console = { stream, received: 0 }
      stream.setEncoding('utf8').on('data', (text: string) => {
        opened.received += text.split('data: ').length - 1
      })
      stream.on('error', () => undefined).once('data', () => resolve(opened))
    })
    call.on('error', reject)
  })
}

/** Opens the consoles of 100 managers while work runs. */
export async function withConsoles<T>(url: string, work: (consoles: readonly Console[]) => Promise<T>): Promise<T> {
  const sessions: { cookie: string }[] = []
  for (const idx of watching) sessions.push(await signIn(url, idOf(idx)))
  const agent = new Agent({ maxSockets: CONSOLES })
  const each = Array.from({ length: CONSOLES }, (_, at) => sessions[at % sessions.length] ?? { cookie: '' })
  const consoles = await Promise.all(each.map((session) => openConsole(url, session, agent)))
  try {
    return await work(consoles)
  } finally {
    for (const { stream } of consoles) stream.destroy()
    agent.destroy()
  }
}

/** Changes a group; returns the milliseconds until the last console received it, and how many did not. */
async function measureChange(url: string, headers: object, consoles: readonly Console[]) {
  const before = consoles.map(({ received }) => received)
  const missing = () => consoles.filter(({ received }, at) => received <= (before[at] ?? 0)).length
  const from = performance.now()
  const body = JSON.stringify({ idx: GROUP, description: new Date().toISOString() })
  const changed = await fetch(`${url}/Group`, { method: 'PUT', headers: { ...POSTED, ...headers }, body })
  const { errorCode } = (await changed.json()) as { errorCode: number }
  if (errorCode !== 0) throw new Error(`PUT /Group: ${errorCode}`)
  while (missing() > 0 && performance.now() < from + PATIENCE) await new Promise(setImmediate)
  return { time: performance.now() - from, missed: missing() }
}

export async function measureEvents({ product, sessions }: Bench): Promise<Row[]> {
  const before = residentMiB(product.pid)
  return withConsoles(product.url, async (consoles) => {
    const changes: Awaited<ReturnType<typeof measureChange>>[] = []
    for (let at = 0; at < CHANGES; at++) changes.push(await measureChange(product.url, sessions.admin, consoles))
    const times = changes.map(({ time }) => time)
    const missed = changes.reduce((sum, change) => sum + change.missed, 0)
    const growth = residentMiB(product.pid) - before
    return [
      {
        work: `a change to the last of ${CONSOLES} consoles (median of ${CHANGES}; slowest)`,
        product: `${ms(median(times))}; ${ms(Math.max(...times))}${missed > 0 ? `; ${missed} FAILED` : ''}`,
        target: '< 1 s',
      },
      { work: `memory of ${CONSOLES} consoles`, product: `+${growth.toFixed(0)} MiB`, target: '< 64 MiB' },
    ]
  })
}
