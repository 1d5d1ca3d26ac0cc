// Calls that take an ID or an address do the same work with and without an account, so that durations reveal nothing.
// Work is counted in password hashes and processor time, since durations depend on other work of the machine.
import { type Api, api } from '@acc/contract'
import { type Client, createClient } from '@acc/contract/core/client'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'
import { mailsTo } from '../../../test/mails.ts'
import { registered } from '../../../test/otp.ts'
import { hashesSoFar } from '../credentials/hashing.ts'

const { app, baseUrl } = await startTestApp({
  ACC_MAX_LOGIN_FAILS: '100',
  ACC_TRUST_PROXY: '127.0.0.1',
})

let network = 0
const elsewhere = (): Client<Api> => {
  const ip = `10.${++network >> 8}.${network & 255}.1`
  return createClient(api, { baseUrl, headers: () => ({ 'X-Forwarded-For': ip }) })
}
const codeOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 0,
    (error: { code: number }) => error.code,
  )
const medianOf = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

type Target = { id: string; name: string; email: string }
const wrong = { pw: 'wrong', otp: '000000' }
const PC = { deviceId: 'pc', deviceName: 'PC', clientVersion: '1.0.0' }
const holder = await buildUser(app.db, { password: 'Qa9!zebra-Lm' })
await registered(app, holder)
const unknown: Target = { id: 'unknown.id', name: 'Unknown', email: 'unknown@example.com' }

/** Calls whose code does not show whether the account exists, and how many passwords they hash. */
const CALLS: [string, number, (calls: Client<Api>, target: Target) => Promise<unknown>][] = [
  ['Login', 2, (calls, { id }) => calls.session.login({ id, ...wrong })],
  ['Agent/Login', 2, (calls, { id }) => calls.agent.login({ id, ...wrong, ...PC })],
  ['ChangePW', 2, (calls, { id }) => calls.account.changePw({ id, ...wrong, newPw: 'Nb7#violet-Kp' })],
  ['RegisterOtp', 2, (calls, { id }) => calls.account.registerOtp({ id, ...wrong })],
  // The address of an account with another name.
  ['FindID', 0, (calls, { email }) => calls.account.findId({ name: 'Someone', email, otp: '000000' })],
]

test.each(CALLS)(
  '%s works as much for an unknown account as for one with an authenticator',
  async (_, hashes, call) => {
    const spent = { known: [] as number[], unknown: [] as number[] }
    // A call without a hash takes about a millisecond, so that the median needs many calls.
    for (let round = 0; round < (hashes === 0 ? 60 : 10); round++) {
      for (const [kind, target] of [
        ['known', holder],
        ['unknown', unknown],
      ] as const) {
        const calls = elsewhere()
        const [counted, begun] = [hashesSoFar(), process.cpuUsage()]
        expect(await codeOf(call(calls, target))).toBe(100)
        const { user, system } = process.cpuUsage(begun)
        spent[kind].push(user + system)
        expect(hashesSoFar() - counted).toBe(hashes)
      }
    }
    const ratio = medianOf(spent.known) / medianOf(spent.unknown)
    expect(ratio).toBeGreaterThan(0.7)
    expect(ratio).toBeLessThan(1.4)
  },
)

test('ResetPW reveals by its code whether an ID exists, as specified, but always hashes', async () => {
  const without = await buildUser(app.db, { password: 'Qa9!zebra-Lm', useOtp: 0 })
  for (const [target, code] of [
    [without, 0],
    [holder, 112],
    [unknown, 100],
  ] as const) {
    const counted = hashesSoFar()
    expect(await codeOf(elsewhere().account.resetPw({ id: target.id }))).toBe(code)
    expect(hashesSoFar() - counted).toBe(1)
  }
})

test('100 requests from 100 networks send one mail a minute to an account, and none for an unknown address', async () => {
  const person = await buildUser(app.db)
  const flood = ({ name, email }: Target) =>
    Promise.all(Array.from({ length: 100 }, () => codeOf(elsewhere().account.findId({ name, email }))))
  const codes = await flood(person)
  expect(codes.filter((code) => code === 105)).toHaveLength(1)
  expect(new Set(codes)).toEqual(new Set([105, 114]))
  expect(await mailsTo(app, person.email)).toHaveLength(1)
  expect(new Set(await flood(unknown))).toEqual(new Set([100]))
  expect(await mailsTo(app, unknown.email)).toEqual([])
})
