// Live events to many open consoles: the memory of the server for each, and the time from a change to the last of them.
import { Agent, get, type IncomingMessage } from 'node:http'
import { performance } from 'node:perf_hooks'
import { GROUP, idOf, withPassword } from './people.ts'
import { type Product, processorTime, residentMiB } from './processes.ts'
import { median, ms, type Row } from './report.ts'
import { signIn } from './sessions.ts'
import { send } from './transfers.ts'

export const CONSOLES = 500
/** Consoles of one person, fewer than a person may open. */
export const OF_ONE = 5
const CHANGES = 30
/** Milliseconds after which a console that has not heard of a change is counted as failed. */
const PATIENCE = 5_000

export type Console = { stream: IncomingMessage; heard: number }

/** Opens the event stream of a console; `heard` counts its events. */
export function openConsole(url: string, token: string, agent: Agent): Promise<Console> {
  return new Promise((resolve, reject) => {
    const call = get(`${url}/Events`, { agent, headers: { cookie: `acc=${token}` } }, (stream) => {
      if (stream.statusCode !== 200) {
        stream.resume()
        return reject(new Error(`no stream: ${stream.statusCode}`))
      }
      const opened: Console = { stream, heard: 0 }
      stream.setEncoding('utf8').on('data', (text: string) => {
        opened.heard += text.split('data: ').length - 1
      })
      stream.once('data', () => resolve(opened))
    })
    call.on('error', reject)
  })
}

/** Resolves once each console has heard of something new, with how many have not in time. */
async function allHear(consoles: readonly Console[], before: readonly number[]): Promise<number> {
  const until = performance.now() + PATIENCE
  const deaf = () => consoles.filter(({ heard }, at) => heard <= (before[at] ?? 0)).length
  while (deaf() > 0 && performance.now() < until) await new Promise(setImmediate)
  return deaf()
}

/** Changes the description of a group: every console shows the tree. */
async function changeGroup(url: string, token: string, at: number): Promise<void> {
  const headers = { cookie: `acc=${token}`, 'x-requested-with': 'XMLHttpRequest', 'content-type': 'application/json' }
  const body = JSON.stringify({ idx: GROUP, description: `${at} ${new Date().toISOString()}` })
  const changed = await send(`${url}/Group`, 'PUT', headers, body)
  if (!changed.body.includes('"errorCode":0')) throw new Error(changed.body)
}

async function measureChanges({ url }: Product, token: string, consoles: readonly Console[]) {
  const times: number[] = []
  let failed = 0
  for (let at = 0; at < CHANGES; at++) {
    const before = consoles.map(({ heard }) => heard)
    const from = performance.now()
    await changeGroup(url, token, at)
    failed += await allHear(consoles, before)
    times.push(performance.now() - from)
  }
  return { times, failed }
}

export async function measureConsoles(product: Product, token: string): Promise<Row[]> {
  // The last ones: each connection of the load of sign-ins begins with the first, who may sign in sixty times a minute.
  const people = withPassword.slice(-CONSOLES / OF_ONE)
  const tokens: string[] = []
  for (const idx of people) tokens.push(await signIn(product.url, idOf(idx)))
  const agent = new Agent({ maxSockets: CONSOLES })
  const before = residentMiB(product.pid)
  const opened = await Promise.all(
    Array.from({ length: CONSOLES }, (_, at) => openConsole(product.url, tokens[at % tokens.length] ?? '', agent)),
  )
  try {
    const spent = processorTime(product.pid)
    const { times, failed } = await measureChanges(product, token, opened)
    const each = (processorTime(product.pid) - spent) / CHANGES / CONSOLES
    const growth = residentMiB(product.pid) - before
    return [
      {
        work: `event stream: a change to ${CONSOLES} open consoles of ${people.length} managers (median of ${CHANGES}; slowest)`,
        product: `the last hears after ${ms(median(times))}; ${ms(Math.max(...times))}${failed > 0 ? ` — ${failed} DEAF` : ''}`,
        wanted: '< 1 s',
        cost: `${each.toFixed(3)} ms a console`,
      },
      {
        work: `event stream: memory of the server for ${CONSOLES} consoles`,
        product: `+${growth.toFixed(0)} MiB, ${((growth * 1024) / CONSOLES).toFixed(0)} KiB each`,
        wanted: '< 64 MiB',
      },
    ]
  } finally {
    for (const { stream } of opened) stream.destroy()
    agent.destroy()
  }
}
