// Two server processes restarted one after the other under load, and what one node knows of the other: live events,
// changed settings, interrupted uploads.
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Api, api } from '@acc/contract'
import { type Client, createClient } from '@acc/contract/core/client'
import { FileExport } from '@acc/contract/labels/policies'
import { afterAll, expect, test } from 'vitest'
import { ADMIN_PASSWORD } from './app.ts'
import { buildUser } from './build/users.ts'
import { callsWithToken } from './desktopClients.ts'
import { openNodes } from './nodes.ts'
import { freePort, type ServerProcess } from './process.ts'

const PASSWORD = 'Qa9!zebra-Lm'
const MIB = 1024 * 1024

const { db, startNode } = await openNodes()
const PORTS = [String(await freePort()), String(await freePort())]
/** What a load balancer needs to see that a node ends, in seconds. */
const DRAIN = 2
const CALLS_PER_SECOND = 100
/** Calls at once at most, so that a slow machine gets fewer calls rather than a queue. */
const LANES = 5
const startAt = (at: number) => startNode(`node-${at}`, { ACC_PORT: PORTS[at] ?? '', ACC_DRAIN_SECONDS: String(DRAIN) })
const nodes: ServerProcess[] = [await startAt(0), await startAt(1)]
const urlOf = (at: number) => nodes[at]?.baseUrl ?? ''

async function signIn(at: number): Promise<string> {
  const response = await fetch(`${urlOf(at)}/Account/Login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify({ id: 'admin', pw: ADMIN_PASSWORD }),
  })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}
const cookie = await signIn(0)
const admin = (at: number): Client<Api> => createClient(api, { baseUrl: urlOf(at), headers: () => ({ cookie }) })

/** What each node says of itself, asked again and again as a load balancer does. */
const states = [200, 200]
const seen = new Set<string>()
let isWatched = true
const watching = PORTS.map(async (port, at) => {
  while (isWatched) {
    const ready = await fetch(`http://127.0.0.1:${port}/Health/Ready`).catch(() => undefined)
    states[at] = ready?.status ?? 0
    seen.add(`${states[at]} ${(await ready?.text().catch(() => '')) ?? ''}`)
    await wait(50)
  }
})
afterAll(async () => {
  isWatched = false
  await Promise.all(watching)
})

/** Sends each call to a node that says it is ready. */
let turn = 0
const balanced: Client<Api> = createClient(api, {
  baseUrl: '',
  headers: () => ({ cookie }),
  fetch: (path, init) => {
    const ready = PORTS.filter((_, at) => states[at] === 200)
    return fetch(`http://127.0.0.1:${ready[turn++ % ready.length]}${path}`, init)
  },
})

test('a rolling restart under 100 calls a second refuses none, and loses nothing that it acknowledged', {
  timeout: 240_000,
}, async () => {
  const made: number[] = []
  const refused: string[] = []
  let isLoaded = true
  let requested = 0
  const lanes = Array.from({ length: LANES }, async () => {
    while (isLoaded) {
      const [call] = await Promise.allSettled([
        balanced.groups.create({ name: `group ${requested++}`, parentIdx: 1 }),
        wait((1000 * LANES) / CALLS_PER_SECOND),
      ])
      if (call.status === 'fulfilled') made.push(call.value.idx)
      else refused.push(String(call.reason))
    }
  })
  for (const at of [0, 1]) {
    const stream = await admin(at).events.stream({}, { timeout: 0 })
    const text = stream.text()
    nodes[at]?.child.kill('SIGTERM')
    expect(await nodes[at]?.ended).toBe(0)
    expect(await text).toMatch(/retry: \d{3,4}\n\n$/)
    nodes[at] = await startAt(at)
    await expect.poll(() => states[at], { timeout: 45_000 }).toBe(200)
  }
  isLoaded = false
  await Promise.all(lanes)
  expect(refused).toEqual([])
  expect(made.length).toBeGreaterThan(100)
  expect([...seen].filter((text) => text.startsWith('503')).join()).toContain('"faults":["draining"]')
  const rows = await db.read.selectFrom('groups').select('idx').where('name', 'like', 'group %').execute()
  expect(rows.map(({ idx }) => idx).toSorted((one, other) => one - other)).toEqual(
    made.toSorted((one, other) => one - other),
  )
})

test('a change on one node reaches the other at once', async () => {
  const stop = new AbortController()
  const stream = await admin(0).events.stream({}, { timeout: 0, signal: stop.signal })
  const { idx } = await admin(1).groups.create({ name: 'heard', parentIdx: 1 })
  let text = ''
  for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    if (text.includes(`"topic":"groups","idx":${idx},`)) break
  }
  expect(text).toContain(`"topic":"groups","idx":${idx},`)
  stop.abort()
  for (const overdueHours of [7, 8]) {
    await admin(overdueHours % 2).notices.setOverdue({ overdueHours })
    expect(await admin((overdueHours + 1) % 2).notices.findOverdue({})).toMatchObject({ overdueHours })
  }
})

test('an upload that one node began continues at another', async () => {
  await db.write.updateTable('policies').set({ fileExport: FileExport.APPROVAL }).execute()
  const { id } = await buildUser(db, { password: PASSWORD })
  const device = { deviceId: 'pc-1', deviceName: 'PC', clientVersion: '1.0' }
  const { token } = await createClient(api, { baseUrl: urlOf(0) }).agent.login({ id, pw: PASSWORD, ...device })
  const pc = (at: number) => callsWithToken(urlOf(at), token).requests
  const bytes = randomBytes(4 * MIB)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const files = [{ name: 'a.bin', size: bytes.length, sha256 }]
  const request = await pc(0).create({ type: 1, purpose: 'x', files })
  const place = { fileEximport: request.idx, file: request.files[0]?.idx ?? 0 }
  const receivedAt = async (at: number) => {
    const { items } = await pc(at).searchOwn({ idx: place.fileEximport })
    return items[0]?.files[0]?.received ?? 0
  }
  const stop = new AbortController()
  async function* firstHalf() {
    yield new Uint8Array(bytes.subarray(0, 2 * MIB))
    await new Promise<never>(() => undefined)
  }
  const cut = pc(0).upload({ ...place, offset: 0 }, firstHalf(), { timeout: 0, signal: stop.signal })
  const isCut = expect(cut).rejects.toThrow()
  await expect.poll(() => receivedAt(1)).toBeGreaterThan(MIB)
  // While it runs, the other node takes no byte of the same file.
  const busy = pc(1).upload({ ...place, offset: await receivedAt(1) }, new Blob(['x']))
  await expect(busy).rejects.toThrow()
  stop.abort()
  await isCut
  const rest = async () => {
    const offset = await receivedAt(1)
    return pc(1).upload({ ...place, offset }, new Blob([new Uint8Array(bytes.subarray(offset))]))
  }
  await expect.poll(() => rest().catch((error: unknown) => error)).toMatchObject({ isUploaded: 1, isFileUploaded: 1 })
})
