// What several server processes are asked at once: limits, tokens and licenses apply to all processes together.
import { type Api, api } from '@acc/contract'
import { ApiError, type Client, createClient } from '@acc/contract/core/client'
import { ClientManage } from '@acc/contract/labels/history'
import { RequestEvent, RequestState } from '@acc/contract/labels/requests'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { later, systemClock } from '../src/clock.ts'
import { makeSecretKey } from '../src/crypto/secretKey.ts'
import { programFile } from '../src/domains/clientVersions/clientVersions.fixture.ts'
import { EVALUATION_DEVICES } from '../src/domains/licenses/licenses.status.ts'
import { RequesterEvent } from '../src/domains/requests/requesterNotices.queries.ts'
import { openJobs } from '../src/jobs/jobs.ts'
import { updateSetting } from '../src/settings/settings.ts'
import { buildManager } from './build/authorities.ts'
import { buildGroups } from './build/groups.ts'
import { openExports } from './build/policies.ts'
import { insertWaiting } from './build/requests.ts'
import { buildUser } from './build/users.ts'
import { historyOf } from './history.ts'
import { KEY, openNodes } from './nodes.ts'
import { mailedCodes, registered, SECRET, totpOf, wrongTotpOf } from './otp.ts'

const PASSWORD = 'Qa9!zebra-Lm'
const GUESSES = 200
/** Codes over every call that takes one. Three in five use the password, which a person may 60 times a minute. */
const CODES = 90
/** Codes after the limit, on the call that hashes nothing. */
const MORE_CODES = 200
/** At once: they wait for one row, and a call that waits for longer than 5 s ends with 503. */
const AT_ONCE = 50
/** The position of the right password among the guesses. */
const RIGHT = 160
const MAX_FAILS = 5
const key = makeSecretKey(KEY)

const { db, startNode } = await openNodes()
const urlOf = async (folder: string) => (await startNode(folder)).baseUrl
const nodes = [await urlOf('one'), await urlOf('two')]
await openExports(db)

/** Calls to one of the nodes, each from a separate network. */
const from = (index: number): Client<Api> =>
  createClient(api, {
    baseUrl: nodes[index % nodes.length] ?? '',
    headers: () => ({ 'X-Forwarded-For': `10.${index >> 8}.${index & 255}.1` }),
  })
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 0,
    (error: unknown) => (error instanceof ApiError ? error.code : 1),
  )

/** Signs in on the first node; returns the session's cookie. */
async function signIn(id: string): Promise<string> {
  const response = await fetch(`${nodes[0]}/Account/Login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify({ id, pw: PASSWORD }),
  })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

type Guess = { id: string; pw: string }
const PC = { deviceId: 'guessing-pc', deviceName: 'PC', clientVersion: '1.0.0' }
/** Every call that takes a password. */
const PASSWORD_PATHS = [
  (calls: Client<Api>, guess: Guess): Promise<unknown> => calls.session.login(guess),
  (calls: Client<Api>, guess: Guess): Promise<unknown> => calls.account.changePw({ ...guess, newPw: 'Nb7#violet-Kp' }),
  (calls: Client<Api>, guess: Guess): Promise<unknown> => calls.account.registerOtp({ ...guess, otp: '123456' }),
  (calls: Client<Api>, guess: Guess): Promise<unknown> => calls.agent.login({ ...guess, ...PC }),
] as const

test.each([0, 1] as const)(
  'no more guesses are judged than are allowed, whatever the process (admin: %i)',
  { timeout: 120_000 },
  async (isAdmin) => {
    const person = await buildUser(db, { isAdmin, password: PASSWORD })
    const guesses = Array.from({ length: GUESSES }, (_, i) => {
      const guess = { id: person.id, pw: i === RIGHT ? PASSWORD : `guess-${i}` }
      const path = PASSWORD_PATHS[i % PASSWORD_PATHS.length] ?? PASSWORD_PATHS[0]
      return codeOf(path(from(i), guess))
    })
    const codes = await Promise.all(guesses)
    expect(codes[RIGHT]).toBe(101)
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

test('a temporary token is consumed once by all processes', { timeout: 60_000 }, async () => {
  const person = await buildUser(db, { password: PASSWORD })
  const headers = { cookie: await signIn(person.id) }
  const own = createClient(api, { baseUrl: nodes[1] ?? '', headers: () => headers })
  const { tmpToken } = await own.session.createTmpToken({})
  const codes = await Promise.all(
    Array.from({ length: 50 }, (_, i) => codeOf(from(i).session.consumeTmpToken({ tmpToken }))),
  )
  expect(codes.filter((code) => code === 0)).toHaveLength(1)
  expect(codes.filter((code) => code === 960)).toHaveLength(49)
})

test('the last license is taken once by all processes', { timeout: 60_000 }, async () => {
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

/** An account with an authenticator. */
async function holder() {
  const person = await buildUser(db, { password: PASSWORD })
  await registered({ db, key }, person)
  return person
}

test('no more codes are checked than allowed, over all calls and processes, and none after a restart', {
  timeout: 150_000,
}, async () => {
  const person = await holder()
  const wrong = await wrongTotpOf(SECRET, systemClock)
  const credentials = { id: person.id, pw: PASSWORD }
  const paths = [
    (calls: Client<Api>, otp?: string) => calls.session.login({ ...credentials, otp }),
    (calls: Client<Api>, otp?: string) => calls.agent.login({ ...credentials, ...PC, otp }),
    (calls: Client<Api>, otp?: string) => calls.account.changePw({ ...credentials, newPw: 'Nb7#violet-Kp', otp }),
    (calls: Client<Api>, otp?: string) => calls.account.resetPw({ id: person.id, otp }),
    (calls: Client<Api>, otp?: string) => calls.account.findId({ name: person.name, email: person.email, otp }),
  ]
  // Every other call asks for a code, which must not forget the wrong ones.
  const codes = await Promise.all(
    Array.from({ length: CODES }, (_, i) => {
      const call = paths[i % paths.length] ?? paths[0]
      return codeOf(call?.(from(i), i % 2 === 0 ? wrong : undefined) ?? Promise.reject(new Error('no path')))
    }),
  )
  expect(codes.filter((code) => code === 106)).toHaveLength(MAX_FAILS - 1)
  expect(codes.filter((code) => ![106, 109, 112].includes(code))).toEqual([])
  const now = await totpOf(SECRET, systemClock)
  const { name, email } = person
  for (let sent = 0; sent < MORE_CODES; sent += AT_ONCE) {
    const late = Array.from({ length: AT_ONCE }, (_, i) =>
      codeOf(from(sent + i).account.findId({ name, email, otp: i % 2 === 0 ? wrong : now })),
    )
    expect(new Set(await Promise.all(late))).toEqual(new Set([109]))
  }
  const restarted = await urlOf('one-again')
  const right = await totpOf(SECRET, systemClock)
  for (const call of paths) expect(await codeOf(call(createClient(api, { baseUrl: restarted }), right))).toBe(109)
  const row = await db.read
    .selectFrom('users')
    .select(['otpFails', 'loginFails', 'state'])
    .where('idx', '=', person.idx)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ otpFails: MAX_FAILS, loginFails: 0, state: 2 })
})

/** Asserts that of uses at once one succeeded and the others found the code used. */
async function expectOneUse(uses: readonly Promise<number>[]): Promise<void> {
  const codes = await Promise.all(uses)
  expect(codes.toSorted((one, other) => one - other)).toEqual([0, ...Array<number>(uses.length - 1).fill(107)])
}

test('of 50 uses of one code at a sign-in at once, on both processes, one succeeds', async () => {
  const { id } = await holder()
  const otp = await totpOf(SECRET, systemClock)
  await expectOneUse(Array.from({ length: 50 }, (_, i) => codeOf(from(i).session.login({ id, pw: PASSWORD, otp }))))
})

test('of 50 uses of one mailed code at once, on both processes, one succeeds', async () => {
  const { name, email } = await buildUser(db)
  expect(await codeOf(from(0).account.findId({ name, email }))).toBe(105)
  const [otp] = await mailedCodes({ db, key }, email)
  await expectOneUse(Array.from({ length: 50 }, (_, i) => codeOf(from(i).account.findId({ name, email, otp }))))
})

test('in 60 rounds no code is used twice, on a call that hashes nothing', { timeout: 120_000 }, async () => {
  for (let round = 0; round < 60; round++) {
    const person = await buildUser(db)
    await registered({ db, key }, person)
    const requested = { name: person.name, email: person.email, otp: await totpOf(SECRET, systemClock) }
    await expectOneUse(Array.from({ length: 6 }, (_, i) => codeOf(from(round * 6 + i).account.findId(requested))))
  }
})

test('a request is decided or canceled once by all processes', { timeout: 120_000 }, async () => {
  await db.write.deleteFrom('devices').execute()
  const requester = await buildUser(db, { password: PASSWORD })
  const approver = await buildUser(db, { isAdmin: 1, password: PASSWORD })
  const pc = { deviceId: 'decides', deviceName: 'PC', clientVersion: '1.0' }
  const { token } = await from(0).agent.login({ id: requester.id, pw: PASSWORD, ...pc })
  const cookie = await signIn(approver.id)
  const calls = (at: number, headers: Record<string, string>) =>
    createClient(api, { baseUrl: nodes[at % nodes.length] ?? '', headers: () => headers })
  for (let round = 0; round < 5; round++) {
    const idx = await insertWaiting(db, requester)
    const attempts = Array.from({ length: 50 }, (_, at) =>
      codeOf(
        at % 5 === 0
          ? calls(at, { Authorization: `Bearer ${token}` }).requests.cancel({ idx })
          : calls(at, { cookie }).requests.decide({ idx, state: at % 2 === 0 ? 1 : 0, purpose: '' }),
      ),
    )
    const codes = await Promise.all(attempts)
    expect(codes.filter((code) => code === 0)).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set([0, 170]))
    const { state } = await db.read
      .selectFrom('fileEximports')
      .select('state')
      .where('idx', '=', idx)
      .executeTakeFirstOrThrow()
    const steps = (await historyOf(db, 'fileExport')).filter(({ subjectIdx }) => subjectIdx === idx)
    expect(steps.map(({ type }) => type)).toEqual([state])
    const notices = await db.read
      .selectFrom('requesterNotices')
      .select('event')
      .where('fileEximportIdx', '=', idx)
      .execute()
    // Who cancels an own request is not notified of it.
    expect(notices).toEqual(state === RequestState.CANCELED ? [] : [{ event: RequesterEvent.DECIDED }])
  }
})

test('the news of decisions is one mail, although both processes look at once', { timeout: 120_000 }, async () => {
  const requester = await buildUser(db)
  const approver = await buildUser(db, { isAdmin: 1, password: PASSWORD })
  const cookie = await signIn(approver.id)
  const calls = createClient(api, { baseUrl: nodes[0] ?? '', headers: () => ({ cookie }) })
  for (const state of [0, 1] as const) {
    const idx = await insertWaiting(db, requester)
    await calls.requests.decide({ idx, state, purpose: '' })
  }
  const mails = db.read.selectFrom('mails').select('idx').where('receiver', '=', requester.email)
  const pending = db.read
    .selectFrom('requesterNotices')
    .select('idx')
    .where('userIdx', '=', requester.idx)
    .where('sentDT', 'is', null)
  const jobs = await openJobs({ connection: db.connection, db, log: { warn: () => undefined, error: () => undefined } })
  await db.write.transaction().execute(async (tx) => {
    // As if the job of the minute had not come between the decisions.
    await tx.deleteFrom('mails').where('receiver', '=', requester.email).execute()
    const unannounced = { requesterDT: null, mailDay: null, mailCount: 0 }
    await tx.updateTable('personNotices').set(unannounced).where('userIdx', '=', requester.idx).execute()
    await tx.updateTable('requesterNotices').set({ sentDT: null }).where('userIdx', '=', requester.idx).execute()
    // One for each process, at the same moment.
    for (const _ of nodes) await jobs.enqueue(tx, 'notifyRequesters', {})
  })
  // What is announced while a node does not listen is found when it next looks by itself, after 15 s.
  await expect.poll(() => pending.execute(), { timeout: 40_000 }).toEqual([])
  const left = sql<{ count: number }>`
    select count(*) as count from jobs.job where name = 'notifyRequesters' and state in ('created', 'active')`
  await expect.poll(async () => (await left.execute(db.read)).rows[0]?.count, { timeout: 40_000 }).toBe(0)
  await jobs.stop()
  expect(await mails.execute()).toHaveLength(1)
})

test('a request is decided or expires once by all processes', { timeout: 120_000 }, async () => {
  const requester = await buildUser(db)
  const approver = await buildUser(db, { isAdmin: 1, password: PASSWORD })
  const cookie = await signIn(approver.id)
  const ago = (hours: number) => later(systemClock.now(), -hours * 3_600_000)
  const idxes: number[] = []
  for (let count = 0; count < 60; count++) idxes.push(await insertWaiting(db, requester))
  const jobs = await openJobs({ connection: db.connection, db, log: { warn: () => undefined, error: () => undefined } })
  await db.write.transaction().execute(async (tx) => {
    await updateSetting(tx, 'requestExpiry', { days: 1, changeDT: ago(90).toISOString() })
    await tx
      .updateTable('fileEximports')
      .set({ waitDT: ago(50) })
      .where('idx', 'in', idxes)
      .execute()
    const warning = { userIdx: requester.idx, event: RequesterEvent.EXPIRES_UNDECIDED, createDT: ago(25) }
    const warnings = idxes.map((fileEximportIdx) => ({ fileEximportIdx, ...warning }))
    await tx.insertInto('requesterNotices').values(warnings).execute()
    for (const _ of nodes) await jobs.enqueue(tx, 'expireRequests', {})
  })
  const codes: number[] = []
  // Only some are decided, one after the other, while both processes look for expired ones.
  for (const [at, idx] of idxes.slice(0, 50).entries()) {
    const { requests } = createClient(api, { baseUrl: nodes[at % 2] ?? '', headers: () => ({ cookie }) })
    codes.push(await codeOf(requests.decide({ idx, state: 1, purpose: '' })))
  }
  const rows = () =>
    db.read.selectFrom('fileEximports').select(['idx', 'state']).where('idx', 'in', idxes).orderBy('idx').execute()
  const countOpen = async () => (await rows()).filter(({ state }) => state === RequestState.REQUESTED).length
  // What is announced while a node does not listen is found when it next looks by itself, after 15 s.
  await expect.poll(countOpen, { timeout: 40_000 }).toBe(0)
  await jobs.stop()
  const states = (await rows()).map(({ state }) => state)
  expect(codes).toEqual(states.slice(0, 50).map((state) => (state === RequestState.APPROVED ? 0 : 170)))
  expect(states.slice(50)).toEqual(Array(10).fill(RequestState.CANCELED))
  const history = await historyOf(db, 'fileExport')
  const events = idxes.map((idx) => history.filter(({ subjectIdx }) => subjectIdx === idx).map(({ type }) => type))
  expect(events).toEqual(
    states.map((state) => [state === RequestState.APPROVED ? RequestEvent.APPROVED : RequestEvent.EXPIRED]),
  )
})

test('of 50 changes of client versions at once, on both processes, each is whole', async () => {
  const admin = await buildUser(db, { isAdmin: 1, password: PASSWORD })
  const cookie = await signIn(admin.id)
  const calls = (at: number) => createClient(api, { baseUrl: nodes[at % 2] ?? '', headers: () => ({ cookie }) })
  const versions = ['7.0.0.0', '7.0.0.1', '7.0.0.2', '7.0.0.3']
  const uploads = versions.flatMap((version) =>
    Array.from({ length: 4 }, (_, at) => codeOf(calls(at).clientVersions.upload({}, programFile(version)))),
  )
  expect((await Promise.all(uploads)).sort()).toEqual([...Array(4).fill(0), ...Array(12).fill(140)])
  const codes = await Promise.all(
    Array.from({ length: 50 }, (_, at) => {
      const version = { version: versions[at % 4] ?? '' }
      const { deploy, remove } = calls(at >> 2).clientVersions
      return codeOf(at % 3 === 0 ? remove(version) : deploy(version))
    }),
  )
  // Deployed where it was to be deleted, or deleted where it was to be deployed.
  expect(codes.every((code) => [0, 170, 980].includes(code))).toBe(true)
  const left = await db.read.selectFrom('clientVersions').select(['version', 'isDeploy']).execute()
  expect(left.filter(({ isDeploy }) => isDeploy === 1)).toHaveLength(1)
  const rows = (await historyOf(db, 'clientManage')).filter(({ detail }) =>
    versions.includes(String(detail.targetVersion)),
  )
  const count = (type: number) => rows.filter((row) => row.type === type).length
  expect(count(ClientManage.CREATE)).toBe(4)
  expect(count(ClientManage.DELETE)).toBe(4 - left.length)
  const deployments = rows.filter(({ type }) => type === ClientManage.UPDATE).map(({ detail }) => detail)
  // Each deployment continues from the previous one.
  for (const [at, { targetOldVersion }] of deployments.entries())
    expect(targetOldVersion).toBe(deployments[at - 1]?.targetVersion ?? null)
  expect(left.find(({ isDeploy }) => isDeploy === 1)?.version).toBe(deployments.at(-1)?.targetVersion)
  expect(await calls(0).clientVersions.findDeployed({})).toEqual(await calls(1).clientVersions.findDeployed({}))
})

test('of 50 BIM servers with one ID one is created, and its reports to both processes replace each other whole', async () => {
  const admin = await buildUser(db, { isAdmin: 1, password: PASSWORD })
  const cookie = await signIn(admin.id)
  const calls = (at: number, headers: Record<string, string>) =>
    createClient(api, { baseUrl: nodes[at % 2] ?? '', headers: () => headers })
  const id = 'bim-0123456789abcdef'
  const codes = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      codeOf(calls(at, { cookie }).bim.createServer({ id, pcName: `BIM-${at}`, ip: `10.60.0.${at}` })),
    ),
  )
  expect(codes.sort()).toEqual([0, ...Array(49).fill(120)])
  const { ip } = await db.read.selectFrom('bimServers').select('ip').executeTakeFirstOrThrow()
  const server = { authorization: `Bearer ${id}`, 'x-forwarded-for': ip }
  const connectDT = new Date(0).toISOString()
  const reports = Array.from({ length: 20 }, (_, at) => {
    const connections = Array.from({ length: 30 }, (_, n) => ({
      userId: `of.${at}`,
      ip: `10.61.${at}.${n}`,
      connectDT,
    }))
    return codeOf(calls(at, server).bimServer.heartbeat({ connections }))
  })
  expect(new Set(await Promise.all(reports))).toEqual(new Set([0]))
  const live = await db.read.selectFrom('bimConnections').select('userId').execute()
  expect(live).toHaveLength(30)
  expect(new Set(live.map(({ userId }) => userId)).size).toBe(1)
})

test('after a suspension on one node nothing is written for that person on either', async () => {
  const { sales } = await buildGroups(db, 'sales')
  const admin = await buildUser(db, { isAdmin: 1, password: PASSWORD })
  const boss = await signIn(admin.id)
  const calls = (at: number, cookie: string) =>
    createClient(api, { baseUrl: nodes[at % 2] ?? '', headers: () => ({ cookie }) })
  for (let round = 0; round < 10; round++) {
    const manager = await buildManager(db, { groups: [sales], user: 2, as: { password: PASSWORD } })
    const target = await buildUser(db, { group: sales })
    const cookie = await signIn(manager.id)
    const write = (at: number) => codeOf(calls(at, cookie).users.update({ idx: target.idx, name: `Name ${at}` }))
    const suspension = { idx: manager.idx, state: 2 } as const
    const codes = await Promise.all([
      ...Array.from({ length: 4 }, (_, at) => write(at)),
      codeOf(calls(round, boss).users.setDisabled(suspension)),
      ...Array.from({ length: 4 }, (_, at) => write(4 + at)),
    ])
    expect(codes[4]).toBe(0)
    expect([0, 102, 960, 962, 980]).toEqual(expect.arrayContaining([...new Set(codes)]))
    expect([102, 962]).toContain(await write(round))
    const subjects = [manager.idx, target.idx]
    const rows = await db.read
      .selectFrom('history')
      .select('subjectIdx')
      .where('kind', '=', 'userManage')
      .where('subjectIdx', 'in', subjects)
      .orderBy('idx')
      .execute()
    expect(rows.at(-1)?.subjectIdx).toBe(manager.idx)
    expect(rows).toHaveLength(codes.filter((code) => code === 0).length)
  }
})
