// Open consoles of administrators, who hear of every change.
import { Agent } from 'node:http'
import { buildUser } from '@acc/server/test/build/users.ts'
import type { Node } from '../ha/site.ts'
import { CONSOLES, type Console, OF_ONE, openConsole } from '../src/consoles.ts'
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

/** Milliseconds between two calls of a person, whose session would end without any. */
const EVERY = 300_000

/** Opens the consoles until the drill ends; returns how many are open. */
export async function openConsoles({ drill, node }: Pick<Subject, 'drill' | 'node'>): Promise<() => number> {
  const agent = new Agent({ maxSockets: CONSOLES })
  drill.atEnd(async () => agent.destroy())
  const consoles: Console[] = []
  const tokens: string[] = []
  for (const id of await buildPeople(node, CONSOLES / OF_ONE)) {
    const token = await signIn(node.url, id)
    tokens.push(token)
    consoles.push(...(await Promise.all(Array.from({ length: OF_ONE }, () => openConsole(node.url, token, agent)))))
  }
  const calling = setInterval(() => {
    for (const token of tokens)
      void fetch(`${node.url}/Account/Session`, { headers: { cookie: `acc=${token}` } }).catch(() => undefined)
  }, EVERY)
  drill.atEnd(async () => clearInterval(calling))
  return () => consoles.filter(({ stream }) => !stream.destroyed).length
}
