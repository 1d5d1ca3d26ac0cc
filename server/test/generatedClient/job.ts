// The product's main job by a client that is generated from the OpenAPI document alone: groups, a policy, a user, a
// request for an export, its approval and the approved file. generatedClient.api.test.ts generates `schema.ts`,
// compiles this file and runs it.
import { createHash } from 'node:crypto'
import createClient, { type Middleware } from 'openapi-fetch'
import type { paths } from './schema.ts'

const { BASE_URL = '', ADMIN_PASSWORD = '', EMPLOYEE = '', EMPLOYEE_PASSWORD = '' } = process.env

/** The header that the document asks of every write. */
const marker = { 'X-Requested-With': 'XMLHttpRequest' } as const

/** Keeps the session cookie, as the security scheme `session` says. */
function cookieJar(): Middleware {
  let cookie = ''
  return {
    onRequest({ request }) {
      if (cookie !== '') request.headers.set('Cookie', cookie)
    },
    onResponse({ response }) {
      const [given] = response.headers.getSetCookie()
      if (given !== undefined) cookie = given.split(';')[0] ?? ''
    },
  }
}

type Envelope<D> = { errorCode: 0; data: D } | { errorCode: number; message: string }

/** Returns the data of a success. Errors have another shape, and lists may answer CSV. */
function dataOf<D>({ data: body }: { data?: Envelope<D> | string }): D {
  if (typeof body !== 'object') throw new Error('no envelope')
  if ('data' in body && body.errorCode === 0) return body.data as D
  throw new Error('message' in body ? body.message : 'an error without a name')
}

const admin = createClient<paths>({ baseUrl: BASE_URL })
admin.use(cookieJar())

const refused = await admin.POST('/Account/Login', {
  params: { header: marker },
  body: { id: 'admin', pw: 'not the password' },
})
if (refused.data?.errorCode !== 100) throw new Error('a wrong password is 100')
dataOf(await admin.POST('/Account/Login', { params: { header: marker }, body: { id: 'admin', pw: ADMIN_PASSWORD } }))
const { idx: groupIdx } = dataOf(
  await admin.POST('/Group', { params: { header: marker }, body: { parentIdx: 1, name: 'Generated' } }),
)
dataOf(await admin.PUT('/Group/IsMyPolicy', { params: { header: marker }, body: { idx: groupIdx, isMyPolicy: 1 } }))
const policy = dataOf(await admin.GET('/Policy', { params: { query: { ownerIdx: groupIdx, ownerType: 0 } } }))
dataOf(
  await admin.PUT('/Policy', {
    params: { header: marker },
    body: { idx: policy.idx, fileExport: 2, revision: policy.revision },
  }),
)
const found = dataOf(await admin.GET('/Users/Search', { params: { query: { id: EMPLOYEE } } }))
const userIdx = found.items[0]?.idx
if (userIdx === undefined) throw new Error('the employee is not found')
dataOf(await admin.PUT('/Users/Group', { params: { header: marker }, body: { idxes: [userIdx], groupIdx } }))

const agent = createClient<paths>({ baseUrl: BASE_URL })
const { token } = dataOf(
  await agent.POST('/Agent/Login', {
    params: { header: marker },
    body: { id: EMPLOYEE, pw: EMPLOYEE_PASSWORD, deviceId: 'generated-pc', deviceName: 'PC', clientVersion: '4.2.0.1' },
  }),
)
agent.use({
  onRequest({ request }) {
    request.headers.set('Authorization', `Bearer ${token}`)
  },
})
const bytes = Buffer.from('approved by a generated client')
const sha256 = createHash('sha256').update(bytes).digest('hex')
const request = dataOf(
  await agent.POST('/Agent/FileEximport', {
    params: { header: marker },
    body: { type: 1, purpose: 'for the customer', files: [{ name: 'note.txt', size: bytes.length, sha256 }] },
  }),
)
const fileIdx = request.files[0]?.idx ?? 0
dataOf(
  await agent.PUT('/Agent/FileEximport/File', {
    params: { header: marker, query: { fileEximport: request.idx, file: fileIdx, offset: 0 } },
    headers: { 'Content-Type': 'application/octet-stream' },
    body: '',
    bodySerializer: () => bytes,
  }),
)
dataOf(
  await admin.POST('/FileEximport/Approval', {
    params: { header: marker },
    body: { idx: request.idx, state: 1, purpose: 'agreed' },
  }),
)
const file = await agent.GET('/Agent/FileEximport/Download', {
  params: { query: { fileEximport: request.idx, file: fileIdx } },
  parseAs: 'text',
})
process.stdout.write(JSON.stringify({ request: request.idx, text: file.data }))
