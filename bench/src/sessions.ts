// Sessions as people get them: by signing in.
import { createHash } from 'node:crypto'
import { ACCOUNT, GROUP_MANAGER, idOf, MANAGER, PASSWORD } from './people.ts'

export type Sessions = {
  admin: string
  /** The hash of the administrator's token, as base64. */
  adminHash: string
  manager: string
  /** Of the manager of one group. */
  groupManager: string
  client: string
  clientIdx: number
}

async function post(url: string, body: object): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify(body),
  })
  const { errorCode, message } = (await response.clone().json()) as { errorCode: number; message: string }
  if (errorCode !== 0) throw new Error(`${url}: ${errorCode} ${message}`)
  return response
}

/** Signs in and returns the token of the session. */
export async function signIn(baseUrl: string, id: string): Promise<string> {
  const response = await post(`${baseUrl}/Account/Login`, { id, pw: PASSWORD })
  return /^acc=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? ''
}

export async function openSessions(baseUrl: string): Promise<Sessions> {
  const admin = await signIn(baseUrl, 'admin')
  const device = { deviceId: 'bench-device-0000', deviceName: 'bench', clientVersion: '1.0.0' }
  const response = await post(`${baseUrl}/Agent/Login`, { id: idOf(ACCOUNT), pw: PASSWORD, ...device })
  const { data } = (await response.json()) as { data: { token: string } }
  return {
    admin,
    adminHash: createHash('sha256').update(admin).digest('base64'),
    manager: await signIn(baseUrl, idOf(MANAGER)),
    groupManager: await signIn(baseUrl, idOf(GROUP_MANAGER)),
    client: data.token,
    clientIdx: ACCOUNT,
  }
}
