// Accounts of the measured organization, and their sessions.
import { createHash } from 'node:crypto'

export const PASSWORD = 'Bench!mark-73'
/** The manager of an authority over the whole tree. */
export const MANAGER = 2
/** The first of the other accounts with PASSWORD, which has a PC. */
export const ACCOUNT = 3
/** The manager of GROUP. The accounts between have PASSWORD, too, and decide requests of the whole tree. */
export const GROUP_MANAGER = 503
/** Decides step 2 of requests of the whole tree, and is absent; the one after it is the substitute. */
export const [MEMBER, SUBSTITUTE] = [504, 505]
/** A group that has a hundredth of all people with its subgroups. */
export const GROUP = 12
export const idOf = (idx: number) => `bench${idx}`
const others = Array.from({ length: GROUP_MANAGER - ACCOUNT - 1 }, (_, i) => ACCOUNT + 1 + i)
/** The accounts that sign in under load, and those that have consoles open. */
export const [signingIn, watching] = [others.slice(0, 300), others.slice(-100)]

export const POSTED = { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' }
async function post(url: string, body: object): Promise<Response> {
  const response = await fetch(url, { method: 'POST', headers: POSTED, body: JSON.stringify(body) })
  const { errorCode, message } = (await response.clone().json()) as { errorCode: number; message: string }
  if (errorCode !== 0) throw new Error(`${url}: ${errorCode} ${message}`)
  return response
}

export const signInBody = (idx: number): string => JSON.stringify({ id: idOf(idx), pw: PASSWORD })
/** Signs in; returns the header of the session. */
export async function signIn(url: string, id: string): Promise<{ cookie: string }> {
  const response = await post(`${url}/Account/Login`, { id, pw: PASSWORD })
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}
export const tokenHash = ({ cookie }: { cookie: string }): string =>
  createHash('sha256').update(cookie.replace('acc=', '')).digest('base64')

export type Sessions = Awaited<ReturnType<typeof openSessions>>
/** Signs in an administrator, the manager of one group, and a PC. */
export async function openSessions(url: string) {
  const device = { deviceId: 'bench-device-0000', deviceName: 'bench', clientVersion: '1.0.0' }
  const response = await post(`${url}/Agent/Login`, { id: idOf(ACCOUNT), pw: PASSWORD, ...device })
  const { data } = (await response.json()) as { data: { token: string } }
  return {
    admin: await signIn(url, 'admin'),
    groupManager: await signIn(url, idOf(GROUP_MANAGER)),
    member: await signIn(url, idOf(MEMBER)),
    substitute: await signIn(url, idOf(SUBSTITUTE)),
    client: { authorization: `Bearer ${data.token}`, 'x-requested-with': 'XMLHttpRequest' },
  }
}
