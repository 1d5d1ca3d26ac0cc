// The limit: a process with node:http, pg and the best statements known, without framework, access checks or schemas.
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { verify } from '@node-rs/argon2'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { sendBody, storeBody } from './limitFiles.ts'
import { idOf, PASSWORD, signingIn } from './people.ts'
import { ACCOUNT_OF, copyOf, OPEN_SESSION, type StatementName, statementsFor } from './statements.ts'

export type Order = {
  connection: { host: string; port: number; user: string; database: string }
  /** In base64. */
  tokenHash: string
  now: string
  /** Where the transferred file is stored. */
  file: string
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
let signInCount = 0
const pool = new pg.Pool({ ...order.connection, max: 10, options: '-c timezone=UTC' })
const statements = statementsFor(Buffer.from(order.tokenHash, 'base64'), new Date(order.now))

function send(response: ServerResponse, data: string): void {
  const body = `{"errorCode":0,"message":"","data":${data}}`
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}

async function runStatement(name: StatementName, response: ServerResponse): Promise<void> {
  const { rows } = await pool.query({ name, ...statements[name] })
  send(response, JSON.stringify(rows))
}

const OTHERS: Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>> = {
  '/empty': async (_request, response) => send(response, '{}'),
  '/signIn': async (_request, response) => {
    const id = idOf(signingIn[signInCount++ % signingIn.length] ?? 0)
    const { rows } = await pool.query({ name: 'account', text: ACCOUNT_OF, values: [id] })
    const [user] = rows
    await verify(user.pwHash, PASSWORD)
    const token = randomBytes(32)
    const values = [user.idx, new Date(), user.id, user.name, user.groupName, user.groupIdx, Number(user.isAdmin)]
    await pool.query({
      name: 'open',
      text: OPEN_SESSION,
      values: [...values, createHash('sha256').update(token).digest()],
    })
    send(response, `"${token.toString('base64url')}"`)
  },
  '/upload': async (request, response) => send(response, JSON.stringify(await storeBody(request, order.file))),
  '/download': (_request, response) => sendBody(response, order.file),
  '/csv': async (request, response) => {
    const client = await pool.connect()
    const since = String(request.headers['x-since'])
    await pipeline(client.query(copyTo(copyOf(since))), response).finally(() => client.release())
  },
}

const server = createServer((request, response) => {
  const path = request.url ?? '/'
  const name = path.slice(1)
  const work = Object.hasOwn(statements, name)
    ? runStatement(name as StatementName, response)
    : OTHERS[path]?.(request, response)
  work?.catch((error: Error) => response.writeHead(500).end(error.message))
}).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`{"url":"http://127.0.0.1:${port}"}\n`)
})
