// 500 open consoles of administrators: event streams that are opened again when they end, as a console does.
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { buildUser } from '@acc/server/test/build/users.ts'
import type { Subject } from './part.ts'
import { type Node, PASSWORD, signIn, withDatabase } from './servers.ts'

export const CONSOLES = 500
/** Consoles of one person. */
const OF_ONE = 5
/** Milliseconds between two calls of a person, which keep the session alive. */
const CALL_EVERY = 300_000
/** Milliseconds until a stream is opened again, the first time and at most. */
const [RETRY, LONGEST_RETRY] = [2_000, 6_000]

/** Inserts administrators; returns their IDs. */
export const buildPeople = (node: Node, count: number): Promise<string[]> =>
  withDatabase(node.dataDir, async (db) => {
    const ids: string[] = []
    for (let at = 0; at < count; at++) ids.push((await buildUser(db, { password: PASSWORD, isAdmin: 1 })).id)
    return ids
  })

function openStream(url: string, cookie: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = get(`${url}/Events`, { agent, headers: { cookie } }, (stream) => {
      stream.resume()
      if (stream.statusCode === 200) resolve(stream)
      else reject(new Error(`no stream: ${stream.statusCode}`))
    })
    call.on('error', reject)
  })
}

type Consoles = { open(): number; reopened(): number }

/** Opens the consoles until the drill ends. */
export async function openConsoles({ drill, node }: Pick<Subject, 'drill' | 'node'>): Promise<Consoles> {
  const agent = new Agent({ maxSockets: CONSOLES })
  const open = new Set<IncomingMessage>()
  let reopened = 0
  let isEnding = false
  const follow = async (cookie: string): Promise<void> => {
    const stream = await openStream(node.url, cookie, agent)
    open.add(stream)
    stream
      .on('error', () => undefined)
      .once('close', () => {
        open.delete(stream)
        void reopen(cookie)
      })
  }
  const reopen = async (cookie: string, failed = 0): Promise<void> => {
    await wait(Math.min(RETRY * 2 ** failed, LONGEST_RETRY) * (0.5 + Math.random()))
    if (isEnding) return
    reopened++
    await follow(cookie).catch(() => reopen(cookie, failed + 1))
  }
  const cookies: string[] = []
  const calling = setInterval(() => {
    for (const cookie of cookies) void fetch(`${node.url}/Infos`, { headers: { cookie } }).catch(() => undefined)
  }, CALL_EVERY)
  // Before the first one: if the others cannot be opened, the drill ends, too.
  drill.atEnd(async () => {
    isEnding = true
    clearInterval(calling)
    agent.destroy()
  })
  for (const id of await buildPeople(node, CONSOLES / OF_ONE)) {
    const cookie = await signIn(node.url, id)
    cookies.push(cookie)
    await Promise.all(Array.from({ length: OF_ONE }, () => follow(cookie)))
  }
  return { open: () => open.size, reopened: () => reopened }
}
