// The real app on a real database, a clone of the migrated template for each test file, called over HTTP by the typed
// client: `const { as, db, clock } = await startTestApp()`.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, api } from '@acc/contract'
import { type Client, createClient } from '@acc/contract/core/client'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { type Logger, pino } from 'pino'
import { afterAll, inject } from 'vitest'
import { buildServer } from '../src/buildServer.ts'
import type { Clock } from '../src/clock.ts'
import type { Services } from '../src/core/services.ts'
import { makeSecretKey } from '../src/crypto/secretKey.ts'
import { type Connection, openDatabase } from '../src/db/open.ts'
import { keepPartitions } from '../src/db/partitions.ts'
import type { DB } from '../src/db/schema.gen.ts'
import { findAccount } from '../src/domains/credentials/credentials.queries.ts'
import { openSession } from '../src/domains/session/session.service.ts'
import { type Env, readEnv } from '../src/env.ts'
import { startBucket } from '../src/files/bucket.fixture.ts'
import { fillEmptyDatabase } from '../src/firstStart.ts'
import { assembleServices } from '../src/openServices.ts'
import { createTestDatabase } from './database.ts'
import { IS_PAIR, openBalancer } from './pair.ts'
import { IS_IN_BUCKET } from './storedFiles.ts'
import { recordThrownErrors } from './thrownErrors.ts'

recordThrownErrors(inject('thrownErrors'))

/** A clock that only tests set and advance. */
export type TestClock = Clock & { set(moment: Date): void; advance(milliseconds: number): void }
function testClock(): TestClock {
  let at = Math.floor(Date.now() / 1000) * 1000
  return {
    now: () => new Date(at),
    set: (moment) => {
      at = moment.getTime()
    },
    advance: (milliseconds) => {
      at += milliseconds
    },
  }
}

export const ADMIN_PASSWORD = 'Adm1n!strator'

export type TestApp = {
  app: Services
  /** `app`, and with ACC_TEST_PAIR=1 the other instance: a test that replaces a part of the server does so in each. */
  nodes: readonly Services[]
  /** The database as the owner of its schema: for what the server's own role may not do. */
  owner: Kysely<DB>
  http: FastifyInstance
  clock: TestClock
  baseUrl: string
  /** The address of `app` itself, past HAProxy: for what an instance knows of itself alone. */
  nodeUrl: string
  /** The typed calls without a session. */
  anonymous: Client<Api>
  /** The typed calls of a signed-in person, from a browser. */
  as(user: { idx: number }): Client<Api>
  /** Untyped calls of a signed-in person, by path: for CSV, downloads and bad input. */
  fetchAs(user: { idx: number }): (path: string, init?: RequestInit) => Promise<Response>
  /** The administrator of the first start. */
  admin: { idx: number; id: string }
}

/** Drops the log, unless ACC_TEST_LOG names a level to show. */
const testLog = (): Logger =>
  process.env.ACC_TEST_LOG === undefined
    ? pino({ level: 'warn' }, { write: () => undefined })
    : pino({ level: process.env.ACC_TEST_LOG })

/** Starts the app for a test file and stops it after the file's last test. `env` adds operator settings. */
export async function startTestApp(env: Record<string, string> = {}, log = testLog()): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'acc-test-'))
  const bucket = IS_IN_BUCKET ? await startBucket() : undefined
  const database = await createTestDatabase()
  const clock = testClock()
  const settings: Env = readEnv({
    ACC_DATA_DIR: dataDir,
    ACC_ADMIN_PASSWORD: ADMIN_PASSWORD,
    ACC_CALLS_PER_SECOND: '1000000',
    ...(bucket && { ACC_FILES_URL: bucket.url }),
    ...env,
  })
  const closers: (() => Promise<unknown>)[] = [
    async () => bucket?.close(),
    () => rm(dataDir, { recursive: true, force: true }),
    () => database.drop(),
  ]
  afterAll(async () => {
    for (const close of closers.reverse()) await close()
  })
  const open = () => openInstance({ env: settings, connection: database.connection, clock, log }, closers)
  const { app, http, url } = await open()
  const owner = openDatabase(database.owner, log, 1)
  closers.push(owner.close)
  const { db } = app
  await keepPartitions(db, settings.logRetentionDays)
  await fillEmptyDatabase(db, settings, clock, async () => undefined)
  const other = IS_PAIR ? await open() : undefined
  const balancer = other && (await openBalancer(dataDir, [url, other.url]))
  if (balancer !== undefined) closers.push(balancer.close)
  const baseUrl = balancer?.url ?? url
  const admin = await findAccount(db.read, { id: 'admin' })
  if (admin === undefined) throw new Error('the first start made no administrator')
  return {
    app,
    nodes: other === undefined ? [app] : [app, other.app],
    owner: owner.write,
    http,
    clock,
    baseUrl,
    nodeUrl: url,
    anonymous: createClient(api, { baseUrl }),
    as: (user) => createClient(api, { baseUrl, fetch: fetchWithSession(app, user) }),
    fetchAs: (user) => {
      const fetchIt = fetchWithSession(app, user)
      return (path, init) => fetchIt(baseUrl + path, init)
    },
    admin: { idx: admin.idx, id: admin.id },
  }
}

type Parts = { env: Env; connection: Connection; clock: Clock; log: Logger }
/** Opens a server with connections and caches of its own; `closers` receives how it is closed. */
async function openInstance({ env, connection, clock, log }: Parts, closers: (() => Promise<unknown>)[]) {
  const db = openDatabase(connection, log, 6)
  closers.push(() => db.close())
  const key = makeSecretKey(Buffer.alloc(32, 7))
  const app = await assembleServices({ env, db, clock, key, log, isStrict: true }, closers)
  const http = await buildServer(app)
  const url = await http.listen({ host: '127.0.0.1', port: 0 })
  http.phase.now = 'serving'
  closers.push(async () => {
    // Closing would wait for connections that the tests' fetch keeps alive.
    http.server.closeAllConnections()
    await http.close()
  })
  return { app, http, url }
}

/** Returns a fetch with a session inserted into the database, so that other tests need no password. */
function fetchWithSession(app: Services, user: { idx: number }): typeof fetch {
  let token: Promise<string> | undefined
  const open = async () => {
    const account = await findAccount(app.db.read, { idx: user.idx })
    if (account === undefined) throw new Error(`there is no user ${user.idx}`)
    const from = { ip: '127.0.0.1', userAgent: 'test' }
    return app.db.write.transaction().execute((tx) => openSession(tx, app, account, from))
  }
  return async (input, init) => {
    token ??= open()
    return fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), cookie: `acc=${await token}` },
    })
  }
}
