// The typed calls of a user's desktop client, whose session is inserted into the database, so that other tests need no
// password: `const pc = await openDesktopClient(test, employee)`.
import { type Api, api } from '@acc/contract'
import { type Client, createClient } from '@acc/contract/core/client'
import { findAccount } from '../src/domains/credentials/credentials.queries.ts'
import { openSession } from '../src/domains/session/session.service.ts'
import type { TestApp } from './app.ts'

export type DesktopClient = Client<Api> & { token: string; deviceIdx: number }

let count = 0

/** Returns calls with the given token. */
export const callsWithToken = (baseUrl: string, token: string): Client<Api> =>
  createClient(api, { baseUrl, headers: () => ({ Authorization: `Bearer ${token}` }) })

/** Returns a registered PC with an open session. */
export async function openDesktopClient({ app, baseUrl }: TestApp, user: { idx: number }): Promise<DesktopClient> {
  const account = await findAccount(app.db.read, user)
  if (account === undefined) throw new Error(`there is no user ${user.idx}`)
  const from = { ip: '127.0.0.1', userAgent: 'acc-client' }
  const pc = { deviceName: `PC ${++count}`, clientVersion: '1.0.0' }
  return app.db.write.transaction().execute(async (tx) => {
    const device = { ...pc, userIdx: user.idx, deviceId: `pc-${count}`, ip: from.ip, useDT: app.clock.now() }
    const { idx } = await tx.insertInto('devices').values(device).returning('idx').executeTakeFirstOrThrow()
    const token = await openSession(tx, app, account, from, { device: { ...pc, deviceIdx: idx } })
    return { ...callsWithToken(baseUrl, token), token, deviceIdx: idx }
  })
}
