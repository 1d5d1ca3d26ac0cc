// Setting a new password: rules, temporary passwords, ended sessions, history and mail.
import { SignInType } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser, type UserToBuild } from '../../../test/build/users.ts'
import { overtake } from '../../../test/overtake.ts'
import { hours } from '../../clock.ts'
import { hashPassword } from '../credentials/hashing.ts'

const { app, anonymous, as, clock } = await startTestApp()
const { db } = app

const OLD = 'Qa9!zebra-Lm'
const NEW = 'Nb7#violet-Kp'
const owner = (columns: UserToBuild = {}) => buildUser(db, { password: OLD, ...columns })
const signInsOf = async (idx: number) => {
  const rows = await db.read.selectFrom('signIns').select('type').where('userIdx', '=', idx).orderBy('idx').execute()
  return rows.map(({ type }) => type)
}
const historyOf = (idx: number) =>
  db.read.selectFrom('history').select(['kind', 'type', 'result', 'groupIdx']).where('subjectIdx', '=', idx).execute()

test('a new password replaces the old one, ends the sessions and is announced to its owner by mail', async () => {
  const person = await owner()
  const browser = as(person)
  await browser.session.find({})
  await anonymous.account.changePw({ id: person.id, pw: OLD, newPw: NEW })
  await expect(browser.session.find({})).rejects.toMatchObject({ code: 962 })
  await expect(anonymous.session.login({ id: person.id, pw: OLD })).rejects.toMatchObject({ code: 100 })
  await anonymous.session.login({ id: person.id, pw: NEW })
  expect(await historyOf(person.idx)).toEqual([{ kind: 'account', type: 2, result: 0, groupIdx: 1 }])
  const mails = await db.read.selectFrom('mails').select('receiver').where('receiver', '=', person.email).execute()
  expect(mails).toHaveLength(1)
})

test('of simultaneous changes of one password exactly one succeeds', async () => {
  const { id } = await owner()
  const passwords = Array.from({ length: 4 }, (_, at) => `Nb7#violet-${at}-Kp`)
  const tries = await Promise.allSettled(passwords.map((newPw) => anonymous.account.changePw({ id, pw: OLD, newPw })))
  const changed = passwords.filter((_, at) => tries[at]?.status === 'fulfilled')
  expect(changed).toHaveLength(1)
  await anonymous.session.login({ id, pw: changed[0] ?? '' })
})

test.each([
  ['too few characters of a kind', 'qa9!zebra-lm'],
  ['a pattern', 'Qa!zebra-777'],
  ['the password it replaces', OLD],
])('a password with %s is refused', async (_, newPw) => {
  const person = await owner()
  await expect(anonymous.account.changePw({ id: person.id, pw: OLD, newPw })).rejects.toMatchObject({ code: 108 })
  expect(await historyOf(person.idx)).toEqual([])
})

test.each([
  ['resets the password', { pwHash: null, state: 1 }, 100],
  ['asks for a code', { useOtp: 1 }, 107],
  ['leaves single sign-on only', { loginType: 2 }, 180],
] as const)('nothing changes if an administrator %s while the password is proven', async (_, change, code) => {
  const person = await owner()
  const tried = await overtake(db, {
    lock: (tx) => tx.updateTable('users').set(change).where('idx', '=', person.idx).execute(),
    call: () => anonymous.account.changePw({ id: person.id, pw: OLD, newPw: NEW }),
  })
  expect(tried).toMatchObject({ code })
  expect(await historyOf(person.idx)).toEqual([])
})

test('an account with single sign-on only can set no password and register no authenticator', async () => {
  const person = await owner({ loginType: 2 })
  const change = anonymous.account.changePw({ id: person.id, pw: OLD, newPw: NEW })
  await expect(change).rejects.toMatchObject({ code: 180 })
  const register = anonymous.account.registerOtp({ id: person.id, pw: OLD, otp: '000000' })
  await expect(register).rejects.toMatchObject({ code: 180 })
  expect(await historyOf(person.idx)).toEqual([])
})

test('an unsuitable new password reveals nothing about the current one and uses no attempt', async () => {
  const person = await owner()
  for (const pw of [OLD, 'wrong', 'wrong', 'wrong', 'wrong', 'wrong', 'wrong']) {
    const same = anonymous.account.changePw({ id: person.id, pw, newPw: pw })
    await expect(same).rejects.toMatchObject({ code: 108 })
    const weak = anonymous.account.changePw({ id: person.id, pw, newPw: 'weak' })
    await expect(weak).rejects.toMatchObject({ code: 108 })
    const ownId = anonymous.account.changePw({ id: person.id, pw, newPw: `${NEW}${person.id}` })
    await expect(ownId).rejects.toMatchObject({ code: 108 })
  }
  expect(await signInsOf(person.idx)).toEqual([])
  await anonymous.session.login({ id: person.id, pw: OLD })
})

test.each<[string, UserToBuild, number]>([
  ['suspended', { state: 2 }, 102],
  ['expired', { isMortal: 1, expireDT: '2020-01-01' }, 103],
  ['for single sign-on only', { loginType: 2 }, 180],
])('a correct password of an account that is %s leaves a row, as at sign-in', async (_, columns, code) => {
  const person = await owner(columns)
  const change = anonymous.account.changePw({ id: person.id, pw: OLD, newPw: NEW })
  await expect(change).rejects.toMatchObject({ code })
  expect(await signInsOf(person.idx)).toEqual([SignInType.REFUSED])
  expect(await historyOf(person.idx)).toEqual([])
})

test('a temporary password never becomes the new one, also with the own one as proof', async () => {
  const tmp = 'Tm8?silver-Qx'
  const valid = { tmpPwHash: await hashPassword(tmp), tmpPwExpireDT: new Date(clock.now().getTime() + hours(24)) }
  const person = await owner(valid)
  const change = anonymous.account.changePw({ id: person.id, pw: OLD, newPw: tmp })
  await expect(change).rejects.toMatchObject({ code: 108, data: { reason: 'temporary' } })
  expect(await signInsOf(person.idx)).toEqual([SignInType.REFUSED])
  await anonymous.session.login({ id: person.id, pw: OLD })
  clock.advance(hours(25))
  await anonymous.account.changePw({ id: person.id, pw: OLD, newPw: tmp })
  await anonymous.session.login({ id: person.id, pw: tmp })
})
