// Fills a server of any published version through its calls. Leaves out calls that a version does not have.
import { createHash } from 'node:crypto'
import { FileExport } from '@acc/contract/labels/policies'
import { EXPORTED, PASSWORD, PEOPLE } from '@acc/server/test/upgrade/fixture.ts'

type Reply = { errorCode: number; message: string; data?: Record<string, unknown> }
type Calls = {
  cookie: string
  /** Returns undefined if the version has no such call. */
  call(method: string, path: string, body?: object): Promise<Reply['data'] | undefined>
}

const FILE = Buffer.from(EXPORTED)

/** Returns the calls of a person, or of a PC with its token. */
function callsOf(url: string, headers: Record<string, string>): Calls {
  const call: Calls['call'] = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'x-requested-with': 'XMLHttpRequest', 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (response.status === 404) return undefined
    const reply: Reply = await response.json()
    if (reply.errorCode !== 0) throw new Error(`${method} ${path}: ${JSON.stringify(reply)}`)
    return reply.data ?? {}
  }
  return { cookie: headers.cookie ?? '', call }
}

export async function signIn(url: string, id: string): Promise<Calls> {
  const response = await fetch(`${url}/Account/Login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify({ id, pw: PASSWORD }),
  })
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  if (cookie === '') throw new Error(`${id} cannot sign in: ${await response.text()}`)
  return callsOf(url, { cookie })
}

const idxOf = (data: Record<string, unknown> | undefined): number => Number(data?.idx)

/** A PC of a person exports one file, whose request waits. */
async function exportFile(url: string, id: string): Promise<number> {
  const device = { deviceId: `pc-of-${id}`, deviceName: 'PC', clientVersion: '1.0.0' }
  const login = await callsOf(url, {}).call('POST', '/Agent/Login', { id, pw: PASSWORD, ...device })
  const authorization = `Bearer ${String(login?.token)}`
  const pc = callsOf(url, { authorization })
  await pc.call('POST', '/Agent/Heartbeat', {})
  const sha256 = createHash('sha256').update(FILE).digest('hex')
  const files = [{ name: '도면.dwg', size: FILE.length, sha256 }]
  const request = await pc.call('POST', '/Agent/FileEximport', { type: 1, purpose: 'Before the upgrade', files })
  const [file] = (request?.files ?? []) as { idx: number }[]
  const query = new URLSearchParams({ fileEximport: String(idxOf(request)), file: String(file?.idx), offset: '0' })
  const response = await fetch(`${url}/Agent/FileEximport/File?${query}`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/octet-stream', 'x-requested-with': 'XMLHttpRequest' },
    body: FILE,
  })
  const reply: Reply = await response.json()
  if (reply.errorCode !== 0) throw new Error(`upload: ${JSON.stringify(reply)}`)
  return idxOf(request)
}

/** Gives the people the administrator's password, and makes exports wait for approval. */
const PREPARATION = `
  update users u set "pwHash" = a."pwHash", "pwSetDT" = a."pwSetDT", state = 0
    from users a where a.id = 'admin' and u.id like 'upgrade.%';
  update policies set "fileExport" = ${FileExport.APPROVAL}`

/** `run` runs statements on the server's database. */
export async function fill(url: string, run: (statements: string) => Promise<unknown>): Promise<void> {
  const { call } = await signIn(url, 'admin')
  const group = idxOf(await call('POST', '/Group', { parentIdx: 1, name: '설계팀' }))
  const below = idxOf(await call('POST', '/Group', { parentIdx: group, name: 'Design 2' }))
  const gone = idxOf(await call('POST', '/Group', { parentIdx: group, name: 'Gone' }))
  const people: number[] = []
  for (const [at, id] of PEOPLE.entries()) {
    const user = {
      id,
      name: `홍길동 ${at}`,
      email: `${id}@example.com`,
      groupIdx: [group, below, gone][at],
      isMortal: 0,
    }
    people.push(idxOf(await call('POST', '/User', user)))
  }
  await run(PREPARATION)
  await call('PUT', '/Users/Group', { idxes: people.slice(2), groupIdx: below })
  await call('DELETE', '/Group', { idx: gone })
  await call('POST', '/Auth', {
    name: 'Approvers',
    policy: 2,
    user: 2,
    fileImportApprove: 2,
    fileExportApprove: 2,
    log: 1,
    groupIdxes: [group],
    userIdxes: people.slice(1, 2),
  })
  await call('PUT', '/Group/IsMyPolicy', { idx: group, isMyPolicy: 1 })
  await call('POST', '/ShortcutWeb', { name: 'Portal', url: 'https://portal.example.com/' })
  await call('POST', '/Bim/Server', { pcName: 'BIM-1', ip: '10.1.2.3', description: 'first' })
  await call('POST', '/Bim/Exception', { ip: '10.1.2.4' })
  await call('POST', '/Bim/Users', { userIdxes: people.slice(0, 1) })
  await call('POST', '/Infos/HostServerAddress', { hostServerAddress: 'acc.example.com' })
  const approved = await exportFile(url, PEOPLE[0] ?? '')
  await exportFile(url, PEOPLE[0] ?? '')
  const manager = await signIn(url, PEOPLE[1] ?? '')
  await manager.call('POST', '/FileEximport/Approval', { idx: approved, state: 1, purpose: 'Fine' })
}
