// Overload: sign-ins give way to other calls and are refused first.
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { api } from '@acc/contract'
import { createClient } from '@acc/contract/core/client'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'
import { AT_ONCE, hashPassword, LOW_PRIORITY, MAX_WAITING, withHashingSlot } from './hashing.ts'

const METRICS_TOKEN = 'the-token-of-metrics-1234567890'
const { app, admin, as, baseUrl, nodeUrl } = await startTestApp({
  ACC_TRUST_PROXY: '127.0.0.1',
  ACC_METRICS_TOKEN: METRICS_TOKEN,
})
const PASSWORD = 'Qa9!zebra-Lm'
const at = (ip: string) => createClient(api, { baseUrl, headers: () => ({ 'X-Forwarded-For': ip }) })
const countRows = async () => {
  const count = (table: 'signIns' | 'history') =>
    app.db.read
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  return [await count('signIns'), await count('history')]
}
const refusals = async () => {
  const text = await (
    await fetch(new URL('/Metrics', nodeUrl), { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  ).text()
  return Number(/^acc_sign_ins_refused_total (\d+)$/m.exec(text)?.[1])
}

/** Fills the queue with sign-ins of an address while `work` runs; returns how many were refused. */
async function whileFull(ip: string, work: () => Promise<unknown>): Promise<number> {
  const full = Promise.withResolvers<void>()
  const fill = (length: number, from?: string) =>
    Array.from({ length }, () => withHashingSlot(() => full.promise, from))
  const settled = Promise.allSettled([...fill(AT_ONCE), ...fill(MAX_WAITING, ip)])
  await work()
  full.resolve()
  return (await settled).filter(({ status }) => status === 'rejected').length
}

test('sign-ins above the limit are refused with a time to wait and leave no row; other calls are served', async () => {
  const user = await buildUser(app.db, { password: PASSWORD })
  const administrator = as(admin)
  // Opens the session.
  await administrator.users.search({})
  const [rows, counted] = [await countRows(), await refusals()]
  await whileFull('10.0.0.1', async () => {
    const login = { id: user.id, pw: 'wrong' }
    const body = JSON.stringify(login)
    const headers = {
      'Content-Type': 'application/json',
      'X-Requested-With': 'XMLHttpRequest',
      'X-Forwarded-For': '10.0.0.1',
    }
    const response = await fetch(`${baseUrl}/Account/Login`, { method: 'POST', headers, body })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.json()).toEqual({ errorCode: 503, message: 'SERVER_BUSY', data: { retryAfter: 5 } })
    const busy = { error: 'SERVER_BUSY', data: { retryAfter: 5 } }
    const device = { deviceId: 'overload-device-1', deviceName: 'PC', clientVersion: '1.0.0' }
    await expect(at('10.0.0.1').agent.login({ ...login, ...device })).rejects.toMatchObject(busy)
    await expect(at('10.0.0.1').account.resetPw({ id: user.id })).rejects.toMatchObject(busy)
    await administrator.users.search({})
  })
  expect(await countRows()).toEqual(rows)
  expect(await refusals()).toBe(counted + 3)
  const { loginFails } = await app.db.read
    .selectFrom('users')
    .select('loginFails')
    .where('idx', '=', user.idx)
    .executeTakeFirstOrThrow()
  expect(loginFails).toBe(0)
})

test('a network that fills the queue displaces its own sign-ins only', async () => {
  const user = await buildUser(app.db, { password: PASSWORD })
  let signedIn: Promise<unknown> | undefined
  const refused = await whileFull('10.0.0.1', async () => {
    const before = await refusals()
    signedIn = at('10.0.0.2').session.login({ id: user.id, pw: PASSWORD })
    await expect.poll(refusals).toBe(before + 1)
  })
  expect(refused).toBe(1)
  await signedIn
})

test('while the event loop is busy, sign-ins begin one after the other, and the work of administrators at once', async () => {
  const keepBusy = () => {
    const end = performance.now() + 200
    while (performance.now() < end);
  }
  keepBusy()
  // Ends the measurement that includes earlier, idle time.
  await withHashingSlot(() => Promise.resolve(), '10.0.0.3')
  keepBusy()
  let running = 0
  const ended = Promise.withResolvers<void>()
  const work = () => {
    running++
    return ended.promise
  }
  const works = [withHashingSlot(work, '10.0.0.3'), withHashingSlot(work, '10.0.0.3'), withHashingSlot(work)]
  await new Promise(setImmediate)
  const begun = running
  ended.resolve()
  expect(begun).toBe(2)
  await Promise.all(works)
  expect(running).toBe(3)
})

/** Niceness of each thread of this process (proc_pid_stat(5), field 19). */
const niceness = () =>
  readdirSync('/proc/self/task').map((thread) => {
    const [, fields = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')
    return Number(fields.split(' ')[16])
  })

test('passwords are hashed by threads of a lower priority than that of calls', async () => {
  await hashPassword(PASSWORD)
  expect(niceness()).toContain(getPriority() + LOW_PRIORITY)
})
