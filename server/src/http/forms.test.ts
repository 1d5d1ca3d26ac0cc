// Forms: one file of limited size with a few texts, from every kind of sender. The tests of the domains cover the calls
// with forms and who may send them.
import { type AddressInfo, connect } from 'node:net'
import { createClient } from '@acc/contract/core/client'
import { form, streamedForm } from '@acc/contract/core/route'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Failure } from '../core/errors.ts'
import { readBodies } from './bodies.ts'
import { handleErrors } from './errorHandler.ts'
import { readForm } from './forms.ts'

const MAX_FILE = 100_000
const LARGE = 50_000_000
const probes = {
  send: form('/Form', {
    input: z.object({ title: z.string().optional(), idxes: z.array(z.int()).optional() }),
    data: z.object({ name: z.string(), size: z.int(), parts: z.array(z.tuple([z.string(), z.array(z.string())])) }),
    access: 'admin',
    errors: [],
    changes: [],
    audit: { none: 'a probe' },
    maxFile: MAX_FILE,
  }),
  stream: streamedForm('/Stream', {
    input: z.object({ title: z.string().optional() }),
    data: z.object({ name: z.string(), announced: z.int(), size: z.int() }),
    access: 'admin',
    errors: [],
    changes: [],
    audit: { none: 'a probe' },
    maxFile: 2 * LARGE,
    filePart: 'client',
  }),
}
const lines: string[] = []
const log: FastifyBaseLogger = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
const http = Fastify({ loggerInstance: log })
readBodies(http, 200, 100)
handleErrors(http, log)
http.post('/Form', { config: { route: probes.send } }, async (request) => {
  const { file, parts } = await readForm(request, probes.send)
  if (!('bytes' in file)) throw new Error('a form in memory')
  return { errorCode: 0, data: { name: file.name, size: file.bytes.length, parts: [...parts] } }
})
let most = 0
http.post('/Stream', { config: { route: probes.stream } }, async (request) => {
  const { file, close } = await readForm(request, probes.stream)
  if (!('chunks' in file)) throw new Error('a streamed form')
  let size = 0
  try {
    for await (const chunk of file.chunks) {
      size += chunk.length
      most = Math.max(most, chunk.length)
      // Slower than the sender: the rest must wait in the network.
      if (size < 2_000_000) await new Promise(setImmediate)
      if (file.name === 'left.exe') throw new Failure('INVALID_CLIENT_FILE')
    }
    return { errorCode: 0, data: { name: file.name, announced: file.size, size } }
  } finally {
    await close()
  }
})
http.post('/Json', { config: { route: { kind: 'json' } } }, async () => ({ errorCode: 0 }))
await http.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => http.close())
const { port } = http.server.address() as AddressInfo
const baseUrl = `http://127.0.0.1:${port}`
const client = createClient({ probes }, { baseUrl })

const BOUNDARY = 'x-boundary'
const part = (head: string, body: string) => `--${BOUNDARY}\r\n${head}\r\n\r\n${body}\r\n`
const filePart = (body = 'bytes', head = 'name="file"; filename="a.png"') =>
  part(`Content-Disposition: form-data; ${head}\r\nContent-Type: image/png`, body)
const field = (name: string, body: string) => part(`Content-Disposition: form-data; name="${name}"`, body)
const END = `--${BOUNDARY}--\r\n`

async function send(body: string, type = `multipart/form-data; boundary=${BOUNDARY}`, path = '/Form') {
  const response = await fetch(baseUrl + path, { method: 'POST', headers: { 'content-type': type }, body })
  const { errorCode, data } = (await response.json()) as {
    errorCode: number
    data?: { size?: number; fields?: string[] }
  }
  return { errorCode, data }
}

test('the client sends a file with its name and the input as texts', async () => {
  const file = new File([new Uint8Array(MAX_FILE)], '로고 1.png', { type: 'image/png' })
  expect(await client.probes.send({ title: '제목\n&=', idxes: [3, 5] }, file)).toEqual({
    name: '로고 1.png',
    size: MAX_FILE,
    parts: [
      ['title', ['제목\r\n&=']],
      ['idxes[0]', ['3']],
      ['idxes[1]', ['5']],
    ],
  })
})

test('a value that is not a file fails in the client before anything is sent', async () => {
  const notAFile: Blob = JSON.parse('{}')
  await expect(client.probes.send({}, notAFile)).rejects.toMatchObject({ type: 'client', code: 1000 })
})

test('a file of one byte too many is 413, wherever the bytes are', async () => {
  expect(await send(filePart('x'.repeat(MAX_FILE)) + END)).toMatchObject({ errorCode: 0, data: { size: MAX_FILE } })
  expect(await send(filePart('x'.repeat(MAX_FILE + 1)) + END)).toMatchObject({ errorCode: 413 })
  const much = 'x'.repeat(MAX_FILE + 70_000)
  expect(await send(`${much}\r\n${filePart()}${END}`)).toMatchObject({ errorCode: 413 })
  expect(await send(`${filePart()}${END}${much}`)).toMatchObject({ errorCode: 413 })
  expect(await send(part(`X-Long: ${much}`, '') + filePart() + END)).toMatchObject({ errorCode: 413 })
})

test('an empty file arrives as one', async () => {
  expect(await send(filePart('') + END)).toMatchObject({ errorCode: 0, data: { size: 0 } })
})

test.each([
  ['no file', field('title', 'x') + END],
  ['a file in another part', filePart('x', 'name="logo"; filename="a.png"') + END],
  ['a text in place of the file', field('file', 'x') + END],
  ['two files', filePart() + filePart() + END],
  ['a name that disguises its end', filePart('x', 'name="file"; filename="a\u202egnp.png"') + END],
  ['a name that is a directory', filePart('x', 'name="file"; filename=".."') + END],
  ['no name', filePart('x', 'name="file"; filename=""') + END],
])('a form with %s is 983', async (_, body) => {
  expect(await send(body)).toEqual({ errorCode: 983, data: { fields: ['file'] } })
})

test.each([
  ['a long text', `${field('title', 'x'.repeat(20_000))}${filePart()}${END}`],
  ['no end', filePart()],
  ['no end within the head', `--${BOUNDARY}\r\nContent-Disp`],
  ['no parts', 'nothing'],
  ['only an end', END],
  ['nothing', ''],
])('a form with %s is refused', async (_, body) => {
  expect(await send(body)).toMatchObject({ errorCode: 983 })
})

test('a form with too many parts, or too many bytes besides its file, is refused', async () => {
  const fields = (count: number, text = 'x') => Array.from({ length: count }, (_, i) => field(`f${i}`, text)).join('')
  expect(await send(fields(20) + filePart() + END)).toMatchObject({ errorCode: 0 })
  expect(await send(fields(21) + filePart() + END)).toMatchObject({ errorCode: 413 })
  // 64 KiB besides the file.
  const [text, whole] = ['x'.repeat(15_000), filePart('x'.repeat(MAX_FILE))]
  expect(await send(fields(4, text) + whole + END)).toMatchObject({ errorCode: 0 })
  expect(await send(fields(5, text) + whole + END)).toMatchObject({ errorCode: 413 })
})

test('a path in the name of a file is dropped', async () => {
  expect(await send(filePart('x', 'name="file"; filename="../../etc/a.png"') + END)).toMatchObject({
    data: { name: 'a.png' },
  })
})

test('another type of body is 415, and so is a form on another call', async () => {
  expect(await send('{}', 'application/json')).toMatchObject({ errorCode: 415 })
  expect(await send('x', 'application/octet-stream')).toMatchObject({ errorCode: 415 })
  expect(await send('x=1', 'application/x-www-form-urlencoded')).toMatchObject({ errorCode: 415 })
  expect(await send(filePart() + END, 'multipart/form-data')).toMatchObject({ errorCode: 415 })
  expect(await send(filePart() + END, `multipart/form-data; boundary=${BOUNDARY}`, '/Json')).toMatchObject({
    errorCode: 415,
  })
})

test.each([
  ['almost boundaries', filePart(`\r\n--${BOUNDARY.slice(0, -1)}`.repeat(6000)) + END],
  ['line breaks', filePart('\r\n'.repeat(48_000)) + END],
  ['hyphens before the first part', '-'.repeat(160_000)],
  ['empty parts', `--${BOUNDARY}\r\n\r\n\r\n`.repeat(6000)],
  ['headers', `--${BOUNDARY}\r\n${'a: b\r\n'.repeat(20_000)}`],
  ['parameters of a header', filePart('x', `name="file"; ${'filename=a;'.repeat(300)}`) + END],
])('a form full of %s is read at once', async (_, body) => {
  const before = process.threadCpuUsage()
  await send(body)
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(100)
})

/** Sends the head of a form that is longer than what follows, and returns the answer once the connection is closed. */
function sendPart(body: string, then: 'wait' | 'leave'): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port })
    let answer = ''
    socket
      .on('data', (data) => {
        answer += String(data)
      })
      .on('error', () => undefined)
      .on('close', () => resolve(answer))
    const head = `content-type: multipart/form-data; boundary=${BOUNDARY}\r\ncontent-length: 90000`
    socket.write(`POST /Form HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n${body}`, () => {
      if (then === 'leave') socket.destroy()
    })
  })
}

test('a form that stops is cut off with an answer', async () => {
  expect(await sendPart(filePart(), 'wait')).toMatch(/^HTTP\/1\.1 408 /)
})

const streamed = (body: string) => send(body, undefined, '/Stream')
const clientPart = (body: string, name = 'a.exe') => filePart(body, `name="client"; filename="${name}"`)

test('a streamed file of any size arrives in small pieces', async () => {
  const file = new File([new Uint8Array(LARGE)], 'a.exe')
  const { announced, ...found } = await client.probes.stream({ title: 'x' }, file)
  expect(found).toEqual({ name: 'a.exe', size: LARGE })
  expect(announced).toBeGreaterThan(LARGE)
  expect(most).toBeLessThan(1_000_000)
})

test('a streamed form is checked to its end, and its file is its last part', async () => {
  expect(await streamed(field('title', 'x') + clientPart('') + END)).toMatchObject({ errorCode: 0, data: { size: 0 } })
  expect(await streamed(clientPart('x') + END)).toMatchObject({ errorCode: 0, data: { size: 1 } })
  for (const wrong of [
    clientPart('x'),
    clientPart('x') + field('title', 'x') + END,
    clientPart('x') + clientPart('y') + END,
    filePart('x') + END,
    field('client', 'x') + END,
    END,
    clientPart('x', 'a\u0000.exe') + END,
  ])
    expect(await streamed(wrong)).toMatchObject({ errorCode: 983 })
})

test('a streamed file that is too long gets 413, by its announced and by its actual size', async () => {
  const file = new Uint8Array(2 * LARGE + 100_000)
  await expect(client.probes.stream({}, new File([file], 'a.exe'))).rejects.toMatchObject({ code: 413 })
  const chunked = new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(clientPart('|').split('|')[0]))
      controller.enqueue(file)
      controller.enqueue(new TextEncoder().encode(`\r\n${END}`))
      controller.close()
    },
  })
  const init = { method: 'POST', headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } }
  const response = await fetch(`${baseUrl}/Stream`, { ...init, body: chunked, duplex: 'half' } as RequestInit)
  expect(response.status).toBe(413)
})

test('a streamed file that is refused early is answered while it comes', async () => {
  const file = new File([new Uint8Array(LARGE)], 'left.exe')
  await expect(client.probes.stream({}, file)).rejects.toMatchObject({ code: 987 })
})

test('a sender that leaves within a form is not a defect, and the server continues', async () => {
  for (let i = 0; i < 20; i++) await sendPart(filePart('x'.repeat(i * 1000)).slice(0, -1), 'leave')
  expect(await send(filePart() + END)).toMatchObject({ errorCode: 0 })
  expect(lines.filter((line) => line.includes('"level":50'))).toEqual([])
})
