// What one person may use of a server: calls, and connections held open.
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { buildManager } from '../../test/build/authorities.ts'
import { buildGroups } from '../../test/build/groups.ts'
import { endStalled, MAX_OPEN } from './limits.ts'

const { app, as, admin, clock, fetchAs } = await startTestApp({ ACC_CALLS_PER_SECOND: '2' })
const { sales } = await buildGroups(app.db, 'sales')
const reader = await buildManager(app.db, { groups: [sales], log: 1 })
const other = await buildManager(app.db, { groups: [sales], log: 1 })
const refusal = { error: 'TOO_MANY_REQUESTS', data: { retryAfter: 1 } }

test('one person’s calls beyond the limit are refused until time has passed, those of others are not', async () => {
  const results = await Promise.allSettled(Array.from({ length: 25 }, () => as(reader).session.find({})))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toHaveLength(5)
  expect(refused[0]).toMatchObject(refusal)
  await as(other).session.find({})
  clock.advance(1000)
  await as(reader).session.find({})
  clock.advance(10_000)
})

async function openCsv(user: { idx: number }) {
  const stop = new AbortController()
  const response = await fetchAs(user)('/Logs/ClientLogin?rowsCount=2147483646', {
    headers: { accept: 'text/csv', 'accept-encoding': 'identity' },
    signal: stop.signal,
  })
  return { response, stop }
}

test('a person holds few CSV files open at once, however slowly they are read, and others keep theirs', async () => {
  await sql`
    insert into "signIns" (kind, "loginDT", "userId", "userName", "userGroupName", "groupIdx", ip, "userRole", type, "deviceName")
    select 'client', now(), 'many', 'many', 'sales', ${sales.idx}, '127.0.0.1', 2, 0, ${'x'.repeat(1000)}
    from generate_series(1, 20000)`.execute(app.db.write)
  const held = await Promise.all(Array.from({ length: MAX_OPEN.csv }, () => openCsv(reader)))
  expect(held.map(({ response }) => response.headers.get('content-type'))).toEqual(
    held.map(() => 'text/csv; charset=utf-8'),
  )
  const third = await openCsv(reader)
  expect(await third.response.json()).toMatchObject({ errorCode: 113 })
  const foreign = await openCsv(other)
  expect((await foreign.response.text()).split('\r\n')).toHaveLength(20_002)
  held[0]?.stop.abort()
  await expect.poll(async () => (await openCsv(reader)).response.headers.get('content-type')).toMatch('text/csv')
})

test('streams of one person are limited, and a closed one makes room', async () => {
  const open = async () => {
    const stop = new AbortController()
    const response = await fetchAs(admin)('/Events', { signal: stop.signal })
    // The response is kept: fetch closes the connection of one that is collected.
    return { response, type: response.headers.get('content-type'), stop }
  }
  const held = []
  for (let count = 0; count < MAX_OPEN.stream; count++) {
    clock.advance(1000)
    held.push(await open())
  }
  expect(new Set(held.map(({ type }) => type))).toEqual(new Set(['text/event-stream']))
  expect((await open()).type).toMatch('application/json')
  held[0]?.stop.abort()
  await expect
    .poll(async () => {
      clock.advance(1000)
      return (await open()).type
    })
    .toBe('text/event-stream')
  for (const { stop } of held) stop.abort()
})

test('a person sends few files at once that are held in memory, and others send theirs', async () => {
  const [sender, second] = [
    await buildManager(app.db, { groups: [sales], user: 2 }),
    await buildManager(app.db, { groups: [sales], user: 2 }),
  ]
  const open = (user: { idx: number }) => {
    const stop = new AbortController()
    // The beginning of a form, whose end never comes.
    const body = new ReadableStream({
      start: (stream) =>
        stream.enqueue(Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nid\n')),
    })
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'x-requested-with': 'XMLHttpRequest' }
    const init = { method: 'POST', headers, body, duplex: 'half', signal: stop.signal } as RequestInit
    const response = fetchAs(user)('/Users/Import', init)
    response.catch(() => undefined)
    return { response, stop }
  }
  const held: ReturnType<typeof open>[] = []
  const upload = (user: { idx: number }) => {
    clock.advance(1000)
    return as(user).userImports.upload({}, new File(['id,name\nabcde,a'], 'a.csv'))
  }
  const refused = { error: 'TOO_MANY_REQUESTS', data: { retryAfter: 10 } }
  // An upload in between takes the place of a form, so that one more is opened before each.
  const fill = () => {
    held.push(open(sender))
    return upload(sender).catch((error) => error)
  }
  await expect.poll(fill, { timeout: 20_000 }).toMatchObject(refused)
  expect(held.length).toBeGreaterThanOrEqual(MAX_OPEN.form)
  await upload(second)
  for (const { stop } of held) stop.abort()
  await expect
    .poll(() =>
      upload(sender)
        .then(() => 'done')
        .catch(({ error }) => error),
    )
    .toMatch(/done|REQUEST_STATE/)
})

test('a reader that takes no bytes loses the response', async () => {
  const ended: string[] = []
  const server = createServer((_request, response) => {
    endStalled(response, 50)
    response.once('close', () => ended.push('closed'))
    const chunk = Buffer.alloc(1024 * 1024)
    for (let count = 0; count < 64; count++) response.write(chunk)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const call = httpRequest({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  call.on('error', () => undefined)
  call.end()
  const [response] = await once(call, 'response')
  response.pause()
  await expect.poll(() => ended).toEqual(['closed'])
  server.close()
})
