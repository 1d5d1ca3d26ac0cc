// The limit that the product is measured against: node:http and pg, no framework, no access checks, no schemas, and for each
// question the best statement known (statements.ts). `/NAME` runs the statement of that name with the values of the order.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { verify } from '@node-rs/argon2'
import Fastify from 'fastify'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { COPIES, type CopyName, STATEMENTS, type StatementName, type Value } from './statements.ts'

export type Order = {
  connection: { host: string; port: number; user: string; database: string }
  values: Partial<Record<StatementName, Value[]>>
  /** The first moment of the rows that each copy sends as CSV. */
  csvSince: Record<CopyName, string>
  pwHash: string
  password: string
  /** Destination of uploads and source of downloads. */
  file: string
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ ...order.connection, max: 10, options: '-c timezone=UTC' })

function send(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}
const envelope = (data: string) => `{"errorCode":0,"message":"","data":${data}}`

const isStatement = (name: string): name is StatementName => Object.hasOwn(STATEMENTS, name)

async function runStatement(name: StatementName, response: ServerResponse): Promise<void> {
  const values = (order.values[name] ?? []).map((value) =>
    typeof value === 'object' ? Buffer.from(value.base64, 'base64') : value,
  )
  const { rows } = await pool.query<{ json?: string }>({ name, text: STATEMENTS[name], values })
  send(response, envelope(rows[0]?.json ?? JSON.stringify(rows)))
}

/** Chunks of a request that are written at once, a MiB at most, and bytes that go to the disk while the next ones come in. */
const [AT_ONCE, SYNC_EVERY] = [16, 64 * 1024 ** 2]

/**
 * Stores a file as it arrives and responds when the disk has it. Writing and syncing go on while the next bytes arrive: with one
 * fsync at the end, the disk would wait for the network first, and the response for the disk afterwards.
 */
async function upload(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const handle = await open(order.file, 'w')
  let [writing, syncing]: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()]
  let chunks: Buffer[] = []
  let unsynced = 0
  const write = async () => {
    await writing
    writing = handle.writev(chunks)
    chunks = []
    if (unsynced < SYNC_EVERY) return
    unsynced = 0
    await syncing
    syncing = handle.sync()
  }
  for await (const chunk of request) {
    unsynced += chunk.length
    if (chunks.push(chunk) === AT_ONCE) await write()
  }
  await write()
  await Promise.all([writing, syncing])
  await handle.sync()
  await handle.close()
  send(response, envelope('{}'))
}

async function copy(name: CopyName, response: ServerResponse): Promise<void> {
  const client = await pool.connect()
  await pipeline(client.query(copyTo(COPIES[name](order.csvSince[name]))), response).finally(() => client.release())
}

const OTHERS: Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>> = {
  empty: async (_request, response) => send(response, envelope('{}')),
  signIn: async (_request, response) => {
    await verify(order.pwHash, order.password)
    send(response, envelope('{}'))
  },
  upload,
  download: (_request, response) => pipeline(createReadStream(order.file), response),
  copySignIns: (_request, response) => copy('copySignIns', response),
  copyEntries: (_request, response) => copy('copyEntries', response),
}

const server = createServer((request, response) => {
  const name = (request.url ?? '/').slice(1)
  const work = isStatement(name) ? runStatement(name, response) : OTHERS[name]?.(request, response)
  work?.catch((error: Error) => response.writeHead(500).end(error.message))
})
const bareFastify = Fastify()
bareFastify.get('/empty', async () => ({ errorCode: 0, message: '', data: {} }))
const fastifyUrl = await bareFastify.listen({ host: '127.0.0.1', port: 0 })
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}`, fastifyUrl })}\n`)
})
