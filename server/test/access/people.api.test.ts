// People that calls may change: oneself, system administrators and other managers (spec S1 §6).
import type { Route } from '@acc/contract/core/route'
import { localDayOf } from '@acc/contract/labels/formats'
import { describe, expect, test } from 'vitest'
import { days, later } from '../../src/clock.ts'
import { startTestApp } from '../app.ts'
import { buildManager } from '../build/authorities.ts'
import { buildGroups } from '../build/groups.ts'
import { buildUser } from '../build/users.ts'
import { registered } from '../otp.ts'
import { CALLS, type CallName } from './callers.ts'
import { buildRowsOf, callByName, hasRow, inputOf } from './samples.ts'

const testApp = await startTestApp()
const { app, as, clock } = testApp
const { db } = app
const { sales, east } = await buildGroups(db, 'sales', 'sales/east')

type Person = { idx: number }
type Refusal = 'SELF_ACTION' | 'ADMIN_SELECTED' | 'NOT_ALLOWED'
/** The errors for managers and for system administrators who name somebody. */
type Refusals = { byManager: Refusal | undefined; byAdmin: Refusal | undefined }
/** `fields` are sent in addition to the sample of the call. */
type Case = { own: Refusals; admin: Refusals; fields?: object }

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
const isOfManagers = ({ method, access }: Route) =>
  method !== 'GET' && typeof access === 'object' && access.pages.some((page) => page === 'user' || page === 'policy')
const CHANGES = CALLS.filter(({ name, route }) => isOfManagers(route) && hasRow(name, { user: 1, users: [1] }))
/** Changes that name users are tried in every domain. Calls with other rules, or several, have cases. */
const CASES: Record<string, Case> = {
  ...Object.fromEntries(CHANGES.map(({ name }) => [name, BY_ADMINS])),
  'users.update': OWN_TOO,
  'users.update, group': { ...BY_ADMINS, fields: { groupIdx: east.idx } },
  'users.update, last day': {
    fields: { isMortal: 1, expireDT },
    own: { byManager: 'SELF_ACTION', byAdmin: 'ADMIN_SELECTED' },
    admin: NEVER.admin,
  },
  'users.update, OTP': {
    fields: { useOtp: 0 },
    own: { byManager: 'NOT_ALLOWED', byAdmin: 'SELF_ACTION' },
    admin: NEVER.admin,
  },
  'users.setDisabled': NEVER,
  'users.setDisabledOfMany': NEVER,
  'users.setExpiry': NEVER,
  'users.resetPw': NEVER,
  'users.resetTotpSecret': { own: NEVER.own, admin: BY_ADMINS.admin },
  'users.remove': NEVER,
  'users.endSession': OWN_TOO,
  'policies.update': { own: BY_ADMINS.own, admin: { byManager: 'NOT_ALLOWED', byAdmin: undefined } },
  'sso.setUserPolicy': { own: SETTING, admin: SETTING },
  'loginPolicy.addOtpExceptions': { own: SETTING, admin: SETTING },
}

const rowOf = ({ idx }: Person) => db.read.selectFrom('users').selectAll().where('idx', '=', idx).executeTakeFirst()

type Try = { call: string; fields?: object; actor: Person; named: Person }

async function expectRefusal({ call, fields, actor, named }: Try, refusal: Refusal | undefined) {
  const name = call.split(', ')[0] as CallName
  const rows = { ...(await buildRowsOf(testApp, named)), target: east.idx }
  const before = await rowOf(named)
  const made = callByName(as(actor), name, { ...inputOf(name, rows), ...fields })
  if (refusal === undefined) return expect(made).resolves.toBeDefined()
  await expect(made).rejects.toMatchObject({ error: refusal })
  expect(await rowOf(named)).toEqual(before)
}

describe.each(Object.entries(CASES))('%s', (call, { fields, own, admin }) => {
  const equip = async (user: Person): Promise<Person> => {
    await registered(app, user)
    return user
  }
  const buildSalesManager = async () =>
    equip(await buildManager(db, { groups: [sales], user: 2, policy: 2, as: { group: sales } }))
  const buildAdmin = async () => equip(await buildUser(db, { group: sales, isAdmin: 1 }))

  test('names oneself', async () => {
    const [manager, administrator] = [await buildSalesManager(), await buildAdmin()]
    await expectRefusal({ call, fields, actor: manager, named: manager }, own.byManager)
    await expectRefusal({ call, fields, actor: administrator, named: administrator }, own.byAdmin)
  })

  test('names a system administrator', async () => {
    const named = await buildAdmin()
    await expectRefusal({ call, fields, actor: await buildSalesManager(), named }, admin.byManager)
    await expectRefusal({ call, fields, actor: await buildAdmin(), named: await buildAdmin() }, admin.byAdmin)
  })

  test('names another manager', async () => {
    const [actor, named] = [await buildSalesManager(), await buildSalesManager()]
    await expectRefusal({ call, fields, actor, named }, 'NOT_ALLOWED')
  })
})
