// People that calls may change: oneself, system administrators and other managers (spec S1 §6).
import { api } from '@acc/contract'
import { localDayOf } from '@acc/contract/labels/formats'
import { describe, expect, test } from 'vitest'
import { days, later } from '../../src/clock.ts'
import { startTestApp } from '../app.ts'
import { buildManager } from '../build/authorities.ts'
import { buildGroups } from '../build/groups.ts'
import { buildPolicy } from '../build/policies.ts'
import { buildUser } from '../build/users.ts'
import { registered } from '../otp.ts'

const { app, as, clock } = await startTestApp()
const { db } = app
const { sales, east } = await buildGroups(db, 'sales', 'sales/east')

type Person = { idx: number }
type Calls = ReturnType<typeof as>
type Refusal = 'SELF_ACTION' | 'ADMIN_SELECTED' | 'NOT_ALLOWED'
/** The errors for managers and for system administrators who name somebody. */
type Refusals = { byManager: Refusal | undefined; byAdmin: Refusal | undefined }
type Case = { call: (calls: Calls, idx: number) => Promise<unknown>; own: Refusals; admin: Refusals }

const NEVER = {
  own: { byManager: 'SELF_ACTION', byAdmin: 'SELF_ACTION' },
  admin: { byManager: 'ADMIN_SELECTED', byAdmin: 'ADMIN_SELECTED' },
} as const
const BY_ADMINS = {
  own: { byManager: 'SELF_ACTION', byAdmin: undefined },
  admin: { byManager: 'ADMIN_SELECTED', byAdmin: undefined },
} as const
const OWN_TOO = { ...BY_ADMINS, own: { byManager: undefined, byAdmin: undefined } } as const
const SETTING = { byManager: 'NOT_ALLOWED', byAdmin: 'ADMIN_SELECTED' } as const

const expireDT = localDayOf(later(clock.now(), days(9)))
const sessionOf = async (idx: number) => (await as({ idx }).users.find({ idx })).sessions[0]?.idx ?? 0
const policyOf = (userIdx: number) =>
  db.read.selectFrom('policies').select('idx').where('userIdx', '=', userIdx).executeTakeFirstOrThrow()

const CASES: Record<string, Case> = {
  'PUT /User': { call: ({ users }, idx) => users.update({ idx, email: `${idx}@example.org` }), ...OWN_TOO },
  'PUT /User, group': { call: ({ users }, idx) => users.update({ idx, groupIdx: east.idx }), ...BY_ADMINS },
  'PUT /User, last day': {
    call: ({ users }, idx) => users.update({ idx, isMortal: 1, expireDT }),
    own: { byManager: 'SELF_ACTION', byAdmin: 'ADMIN_SELECTED' },
    admin: NEVER.admin,
  },
  'PUT /User, OTP': {
    call: ({ users }, idx) => users.update({ idx, useOtp: 0 }),
    own: { byManager: 'NOT_ALLOWED', byAdmin: 'SELF_ACTION' },
    admin: NEVER.admin,
  },
  'PUT /User/State/Disabled': { call: ({ users }, idx) => users.setDisabled({ idx, state: 2 }), ...NEVER },
  'PUT /Users/State/Disabled': {
    call: ({ users }, idx) => users.setDisabledOfMany({ idxes: [idx], state: 0 }),
    ...NEVER,
  },
  'PUT /Users/Expiry': { call: ({ users }, idx) => users.setExpiry({ idxes: [idx], isMortal: 0 }), ...NEVER },
  'POST /User/ResetPw': { call: ({ users }, idx) => users.resetPw({ idx }), ...NEVER },
  'POST /User/ResetTotpSecret': {
    call: ({ users }, idx) => users.resetTotpSecret({ idx }),
    own: NEVER.own,
    admin: BY_ADMINS.admin,
  },
  'POST /User/ResetLicense': { call: ({ users }, idx) => users.resetLicense({ idx }), ...BY_ADMINS },
  'PUT /User/IsSinglePC': { call: ({ users }, idx) => users.setIsSinglePC({ idx, isSinglePC: 1 }), ...BY_ADMINS },
  'PUT /User/IsMyPolicy': { call: ({ users }, idx) => users.setIsMyPolicy({ idx, isMyPolicy: 1 }), ...BY_ADMINS },
  'PUT /Users/Group': { call: ({ users }, idx) => users.move({ idxes: [idx], groupIdx: east.idx }), ...BY_ADMINS },
  'DELETE /Users': { call: ({ users }, idx) => users.remove({ idxes: [idx] }), ...NEVER },
  'DELETE /User/Session': {
    call: async ({ users }, idx) => users.endSession({ idx, sessionIdx: await sessionOf(idx) }),
    ...OWN_TOO,
  },
  'PUT /Policy': {
    call: async ({ policies }, idx) => policies.update({ ...(await policyOf(idx)), print: 1 }),
    own: BY_ADMINS.own,
    admin: { byManager: 'NOT_ALLOWED', byAdmin: undefined },
  },
  'POST /Sso/UserPolicy': {
    call: ({ sso }, idx) => sso.setUserPolicy({ userIdxes: [idx], loginType: 2 }),
    own: SETTING,
    admin: SETTING,
  },
  'POST /LoginPolicy/OtpExceptionUsers': {
    call: ({ loginPolicy }, idx) => loginPolicy.addOtpExceptions({ userIdxes: [idx], useOtp: 0 }),
    own: SETTING,
    admin: SETTING,
  },
}

const rowOf = ({ idx }: Person) => db.read.selectFrom('users').selectAll().where('idx', '=', idx).executeTakeFirst()

async function expectRefusal(call: Case['call'], actor: Person, named: Person, refusal: Refusal | undefined) {
  const before = await rowOf(named)
  if (refusal === undefined) return expect(call(as(actor), named.idx)).resolves.toBeDefined()
  await expect(call(as(actor), named.idx)).rejects.toMatchObject({ error: refusal })
  expect(await rowOf(named)).toEqual(before)
}

describe.each(Object.entries(CASES))('%s', (_, { call, own, admin }) => {
  const equip = async (user: Person): Promise<Person> => {
    await buildPolicy(db, { user })
    await registered(app, user)
    return user
  }
  const buildSalesManager = async () =>
    equip(await buildManager(db, { groups: [sales], user: 2, policy: 2, as: { group: sales } }))
  const buildAdmin = async () => equip(await buildUser(db, { group: sales, isAdmin: 1 }))

  test('names oneself', async () => {
    const [manager, administrator] = [await buildSalesManager(), await buildAdmin()]
    await expectRefusal(call, manager, manager, own.byManager)
    await expectRefusal(call, administrator, administrator, own.byAdmin)
  })

  test('names a system administrator', async () => {
    await expectRefusal(call, await buildSalesManager(), await buildAdmin(), admin.byManager)
    await expectRefusal(call, await buildAdmin(), await buildAdmin(), admin.byAdmin)
  })

  test('names another manager', async () => {
    await expectRefusal(call, await buildSalesManager(), await buildSalesManager(), 'NOT_ALLOWED')
  })
})

test('every call that changes users is among them', () => {
  const writes = Object.values(api.users).filter(({ method }) => method !== 'GET')
  const named = writes.map(({ method, path }) => `${method} ${path}`).filter((name) => name !== 'POST /User')
  expect(Object.keys(CASES)).toEqual(expect.arrayContaining(named))
})
