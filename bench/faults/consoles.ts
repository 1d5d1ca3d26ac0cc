// Open consoles of administrators, who hear of every change.
import { Agent } from 'node:http'
import { buildUser } from '@acc/server/test/build/users.ts'
import { CONSOLES, OF_ONE, openConsole } from '../src/consoles.ts'
import { PASSWORD } from '../src/people.ts'
import { signIn } from '../src/sessions.ts'
import { withDatabase } from '../upgrade/dataDir.ts'
import type { Subject } from './main.ts'

/** Opens the consoles until the drill ends; returns how many. */
export async function openConsoles({ drill, node }: Pick<Subject, 'drill' | 'node'>): Promise<number> {
  const agent = new Agent({ maxSockets: CONSOLES })
  drill.atEnd(async () => agent.destroy())
  for (let opened = 0; opened < CONSOLES; opened += OF_ONE) {
    const person = await withDatabase(node.dataDir, (db) => buildUser(db, { password: PASSWORD, isAdmin: 1 }))
    const token = await signIn(node.url, person.id)
    await Promise.all(Array.from({ length: OF_ONE }, () => openConsole(node.url, token, agent)))
  }
  return CONSOLES
}
