// The statements that a call runs, taken from the real app in this process, so that the bare server runs the very same.

import { buildApp } from '@acc/server/src/buildServer.ts'
import { systemClock } from '@acc/server/src/clock.ts'
import { makeSecretKey } from '@acc/server/src/crypto/secretKey.ts'
import { openLocks } from '@acc/server/src/db/locks.ts'
import type { Connection, Database } from '@acc/server/src/db/open.ts'
import type { DB } from '@acc/server/src/db/schema.gen.ts'
import { readEnv } from '@acc/server/src/env.ts'
import { openEventHub } from '@acc/server/src/events/eventHub.ts'
import { openFileStore } from '@acc/server/src/files/fileStore.ts'
import { openJobs } from '@acc/server/src/jobs/jobs.ts'
import { openMailTransport } from '@acc/server/src/mail/transport.ts'
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import type { Parameter, Statement } from './bare.ts'

const parameterOf = (value: unknown): Parameter | Parameter[] => {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map((one) => parameterOf(one) as Parameter)
  return value as Parameter
}
const statementOf = ({ sql, parameters }: CompiledQuery): Statement => ({
  sql,
  parameters: parameters.map(parameterOf),
})

export type Capture = {
  /** Runs a GET call as its session would, and answers the statements that it took. */
  statementsOf(path: string, headers: Record<string, string>): Promise<Statement[]>
  close(): Promise<void>
}

export async function openCapture(connection: Connection, dataDir: string): Promise<Capture> {
  let seen: Statement[] = []
  const open = () =>
    new Kysely<DB>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ ...connection, max: 2 }) }),
      log: (event) => void seen.push(statementOf(event.query)),
    })
  const sessions = new pg.Pool({ ...connection, max: 2 })
  const db: Database = {
    read: open(),
    streams: open(),
    write: open(),
    sessions,
    connection,
    close: async () => undefined,
  }
  const log = pino({ level: 'silent' })
  const key = makeSecretKey(Buffer.alloc(32))
  const events = await openEventHub(connection, log)
  const jobs = await openJobs({ connection, log })
  const locks = openLocks(connection)
  const http = await buildApp({
    env: readEnv({ ACC_DATA_DIR: dataDir }),
    db,
    clock: systemClock,
    key,
    locks,
    files: await openFileStore({ folder: `${dataDir}/capture`, secretKey: key }),
    mail: openMailTransport({ db, key, outboxDir: `${dataDir}/capture` }),
    jobs,
    events,
    log,
    isStrict: false,
  })
  return {
    statementsOf: async (path, headers) => {
      seen = []
      const response = await http.inject({ method: 'GET', url: path, headers })
      if (response.json<{ errorCode: number }>().errorCode !== 0)
        throw new Error(`${path}: ${response.body.slice(0, 200)}`)
      return seen
    },
    close: async () => {
      await http.close()
      await jobs.stop()
      await events.close()
      await locks.close()
      await Promise.all([db.read.destroy(), db.write.destroy(), sessions.end()])
    },
  }
}
