// The typed calls of a user's desktop client, whose session is inserted into the database, so that other tests need no
// password: `const pc = await openDesktopClient(test, employee)`.
import { type Api, api } from '@acc/contract'
import { type Client, createClient } from '@acc/contract/core/client'
import { findAccount } from '../src/domains/credentials/credentials.queries.ts'
import { openSession } from '../src/domains/session/session.service.ts'
import type { TestApp } from './app.ts'
import { buildDevice } from './build/devices.ts'

export type DesktopClient = Client<Api> & { token: string; deviceIdx: number }

/** Returns calls with the given token. */
export const callsWithToken = (baseUrl: string, token: string): Client<Api> =>
  createClient(api, { baseUrl, headers: () => ({ Authorization: `Bearer ${token}` }) })

/** Returns a registered PC with an open session. */
export async function openDesktopClient(
  { app, baseUrl }: Pick<TestApp, 'app' | 'baseUrl'>,
  user: { idx: number },
): Promise<DesktopClient> {
  const account = await findAccount(app.db.read, user)
  if (account === undefined) throw new Error(`there is no user ${user.idx}`)
  const from = { ip: '127.0.0.1', userAgent: 'acc-client' }
  const { idx: deviceIdx, deviceName, clientVersion } = await buildDevice(app, user)
  const device = { deviceIdx, deviceName, clientVersion }
  const token = await app.db.write.transaction().execute((tx) => openSession(tx, app, account, from, { device }))
  return { ...callsWithToken(baseUrl, token), token, deviceIdx }
}
