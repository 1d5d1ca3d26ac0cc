// Open consoles of administrators, who hear of every change.
import { Agent, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { buildUser } from '@acc/server/test/build/users.ts'
import type { Node } from '../ha/site.ts'
import { CONSOLES, OF_ONE, openConsole } from '../src/consoles.ts'
import { PASSWORD } from '../src/people.ts'
import { signIn } from '../src/sessions.ts'
import { withDatabase } from '../upgrade/dataDir.ts'
import type { Subject } from './main.ts'

/** Inserts administrators; returns their IDs. */
export const buildPeople = (node: Node, count: number): Promise<string[]> =>
  withDatabase(node.dataDir, async (db) => {
    const ids: string[] = []
    for (let at = 0; at < count; at++) ids.push((await buildUser(db, { password: PASSWORD, isAdmin: 1 })).id)
    return ids
  })

/** Milliseconds between two calls of a person, whose session would end without any; the look at the session itself does not count. */
const EVERY = 300_000

/** Milliseconds until a stream that ended is opened again, the first time and later at the most, as a console does it. */
const RETRY = 2_000
const RETRY_MOST = 6_000

export type Consoles = { open(): number; reopened(): number }

/** Opens the consoles until the drill ends. */
export async function openConsoles({ drill, node }: Pick<Subject, 'drill' | 'node'>): Promise<Consoles> {
  const agent = new Agent({ maxSockets: CONSOLES })
  const open = new Set<IncomingMessage>()
  let reopened = 0
  let isEnding = false
  const follow = async (token: string): Promise<void> => {
    const { stream } = await openConsole(node.url, token, agent)
    open.add(stream)
    stream.once('close', () => {
      open.delete(stream)
      void followAgain(token)
    })
  }
  const followAgain = async (token: string, failed = 0): Promise<void> => {
    await wait(Math.min(RETRY * 2 ** failed, RETRY_MOST) * (0.5 + Math.random()))
    if (isEnding) return
    reopened++
    await follow(token).catch(() => followAgain(token, failed + 1))
  }
  const tokens: string[] = []
  for (const id of await buildPeople(node, CONSOLES / OF_ONE)) {
    const token = await signIn(node.url, id)
    tokens.push(token)
    await Promise.all(Array.from({ length: OF_ONE }, () => follow(token)))
  }
  const calling = setInterval(() => {
    for (const token of tokens)
      void fetch(`${node.url}/Infos`, { headers: { cookie: `acc=${token}` } }).catch(() => undefined)
  }, EVERY)
  drill.atEnd(async () => {
    isEnding = true
    clearInterval(calling)
    agent.destroy()
  })
  return { open: () => open.size, reopened: () => reopened }
}
