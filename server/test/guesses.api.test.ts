// What several server processes are asked at once: limits, tokens and licenses apply to all processes together.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, api } from '@acc/contract'
import { ApiError, type Client, createClient } from '@acc/contract/core/client'
import { afterAll, expect, test } from 'vitest'
import { type Connection, openDatabase } from '../src/db/open.ts'
import { EVALUATION_DEVICES } from '../src/domains/licenses/licenses.status.ts'
import { buildUser } from './build/users.ts'
import { createTestDatabase } from './database.ts'
import { startServer } from './process.ts'
import { endedAfterAll } from './processes.ts'

const PASSWORD = 'Qa9!zebra-Lm'
const GUESSES = 120
const MAX_FAILS = 5

const root = await mkdtemp(join(tmpdir(), 'acc-guesses-'))
const running = endedAfterAll(root)
const database = await createTestDatabase()
const db = openDatabase(database.connection, { warn: () => undefined })
afterAll(async () => {
  for (const { child } of running) child.kill('SIGTERM')
  await Promise.all(running.map(({ ended }) => ended))
  await db.close()
  await database.drop()
})

/** Returns the database URL for the setting. */
function addressOf(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString
  const { host, port, user, database: name } = connection
  return `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
}

async function startNode(folder: string) {
  const server = await startServer({
    ACC_DATA_DIR: join(root, folder),
    ACC_DATABASE_URL: addressOf(database.connection),
    ACC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ACC_ADMIN_PASSWORD: 'Adm1n!strator',
    ACC_TRUST_PROXY: '127.0.0.1',
  })
  running.push(server)
  expect(server.output()).toContain('ready')
  return server.baseUrl
}
const nodes = [await startNode('one'), await startNode('two')]

/** Calls to one of the nodes, each from a separate network. */
const from = (index: number): Client<Api> =>
  createClient(api, {
    baseUrl: nodes[index % nodes.length] ?? '',
    headers: () => ({ 'X-Forwarded-For': `10.0.${index}.1` }),
  })
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 0,
    (error: unknown) => (error instanceof ApiError ? error.code : 1),
  )

test.each([0, 1] as const)(
  'no more guesses are judged than are allowed, whatever the process (admin: %i)',
  { timeout: 120_000 },
  async (isAdmin) => {
    const person = await buildUser(db, { isAdmin, password: PASSWORD })
    const guesses = Array.from({ length: GUESSES }, (_, i) => {
      const pw = i === GUESSES - 1 ? PASSWORD : `guess-${i}`
      const calls = from(i)
      return codeOf(
        i % 3 === 0
          ? calls.account.changePw({ id: person.id, pw, newPw: 'Nb7#violet-Kp' })
          : calls.session.login({ id: person.id, pw }),
      )
    })
    const codes = await Promise.all(guesses)
    expect(codes.at(-1)).toBe(101)
    expect(codes.filter((code) => code === 100).length).toBeLessThan(MAX_FAILS)
    const row = await db.read
      .selectFrom('users')
      .select(['loginFails', 'pwHash', 'state'])
      .where('idx', '=', person.idx)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject(isAdmin === 1 ? { loginFails: 0, state: 0 } : { loginFails: MAX_FAILS, state: 2 })
    const sessions = await db.read.selectFrom('sessions').select('idx').where('userIdx', '=', person.idx).execute()
    expect(sessions).toEqual([])
  },
)

test('a temporary token is consumed once, whatever the process', { timeout: 60_000 }, async () => {
  const person = await buildUser(db, { password: PASSWORD })
  const header = async () => {
    const response = await fetch(`${nodes[0]}/Account/Login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
      body: JSON.stringify({ id: person.id, pw: PASSWORD }),
    })
    return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  const headers = await header()
  const own = createClient(api, { baseUrl: nodes[1] ?? '', headers: () => headers })
  const { tmpToken } = await own.session.createTmpToken({})
  const codes = await Promise.all(
    Array.from({ length: 50 }, (_, i) => codeOf(from(i).session.consumeTmpToken({ tmpToken }))),
  )
  expect(codes.filter((code) => code === 0)).toHaveLength(1)
  expect(codes.filter((code) => code === 960)).toHaveLength(49)
})

test('the last license is taken once, whatever the process', { timeout: 60_000 }, async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => buildUser(db, { password: PASSWORD })))
  const taken = { userIdx: people[0]?.idx ?? 0, deviceName: 'PC', ip: '', clientVersion: '1.0', useDT: new Date() }
  const rows = Array.from({ length: EVALUATION_DEVICES - 1 }, (_, at) => ({ ...taken, deviceId: `taken-${at}` }))
  await db.write.insertInto('devices').values(rows).execute()
  const pc = (at: number) => ({ deviceId: `new-${at}`, deviceName: 'PC', clientVersion: '1.0' })
  const signIns = Array.from({ length: 50 }, (_, at) =>
    codeOf(from(at).agent.login({ id: people[1 + (at % 4)]?.id ?? '', pw: PASSWORD, ...pc(at) })),
  )
  const codes = await Promise.all(signIns)
  expect(codes.filter((code) => code === 0)).toHaveLength(1)
  expect(codes.filter((code) => code === 160)).toHaveLength(49)
  expect(await db.read.selectFrom('devices').select('idx').execute()).toHaveLength(EVALUATION_DEVICES)
})
