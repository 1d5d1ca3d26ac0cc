// The bare limit: node:http with pg and the same statements, no framework, no checks, no schema. Statements come as JSON in
// the first argument; `/NAME` runs those of NAME one after the other and answers the rows of the last.
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { verify } from '@node-rs/argon2'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

export type Statement = { sql: string; parameters: readonly (Parameter | Parameter[])[] }
/** As pg takes it; bytes travel as base64. */
export type Parameter = string | number | boolean | null | { base64: string }
export type Order = {
  connection: pg.PoolConfig
  statements: Record<string, Statement[]>
  /** A COPY ... TO STDOUT. */
  copy: string
  pwHash: string
  password: string
  /** Where the bare upload goes and the bare download comes from. */
  file: string
}

const bytesOf = (parameter: Parameter | Parameter[]) =>
  typeof parameter === 'object' && parameter !== null && 'base64' in parameter
    ? Buffer.from(parameter.base64, 'base64')
    : parameter

const order = JSON.parse(process.argv[2] ?? '{}') as Order
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ ...order.connection, max: 10 })

function answer(response: ServerResponse, data: unknown): void {
  const body = JSON.stringify({ errorCode: 0, message: '', data })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}

async function runStatements(name: string, response: ServerResponse): Promise<void> {
  let rows: unknown[] = []
  for (const { sql, parameters } of order.statements[name] ?? []) {
    rows = (await pool.query(sql, parameters.map(bytesOf))).rows
  }
  answer(response, rows)
}

/** Takes a file as it comes and answers when the disk has it. */
async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await pipeline(request, createWriteStream(order.file))
  const handle = await open(order.file, 'r')
  await handle.sync()
  await handle.close()
  answer(response, {})
}

async function copy(response: ServerResponse): Promise<void> {
  const client = await pool.connect()
  await pipeline(client.query(copyTo(order.copy)), response).finally(() => client.release())
}

const server = createServer((request, response) => {
  const name = (request.url ?? '/').slice(1)
  const done =
    name === 'upload'
      ? take(request, response)
      : name === 'download'
        ? pipeline(createReadStream(order.file), response)
        : name === 'copy'
          ? copy(response)
          : name === 'signIn'
            ? verify(order.pwHash, order.password).then(() => answer(response, {}))
            : runStatements(name, response)
  done.catch((error: Error) => response.writeHead(500).end(error.message))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' ? address?.port : 0}\n`)
})
