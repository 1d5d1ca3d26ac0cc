// Setting a new password: rules, temporary passwords, what ends and what is written.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { hours } from '../../clock.ts'
import { hashPassword } from '../credentials/hashing.ts'

const { app, anonymous, as, clock } = await startTestApp()
const { db } = app

const OLD = 'Qa9!zebra-Lm'
const NEW = 'Nb7#violet-Kp'
let made = 0
async function person(fields: Record<string, unknown> = {}) {
  const id = `owner${++made}`
  const row = {
    id,
    name: 'Owner',
    email: `${id}@example.com`,
    groupIdx: 1,
    key: id,
    pwHash: await hashPassword(OLD),
    ...fields,
  }
  return db.write.insertInto('users').values(row).returning(['idx', 'id', 'email']).executeTakeFirstOrThrow()
}
const historyOf = (idx: number) =>
  db.read.selectFrom('history').select(['kind', 'type', 'result', 'groupIdx']).where('subjectIdx', '=', idx).execute()

test('a new password replaces the old one, ends the sessions, and its owner gets a mail', async () => {
  const owner = await person()
  const browser = as(owner)
  await browser.session.read({})
  await anonymous.account.changePw({ id: owner.id, pw: OLD, newPw: NEW })
  await expect(browser.session.read({})).rejects.toMatchObject({ code: 962 })
  await expect(anonymous.session.login({ id: owner.id, pw: OLD })).rejects.toMatchObject({ code: 100 })
  await anonymous.session.login({ id: owner.id, pw: NEW })
  expect(await historyOf(owner.idx)).toEqual([{ kind: 'account', type: 2, result: 0, groupIdx: 1 }])
  const mails = await db.read.selectFrom('mails').select('receiver').where('receiver', '=', owner.email).execute()
  expect(mails).toHaveLength(1)
})

test('a temporary password leads to an own one, which cannot be the same', async () => {
  const tmp = 'Tm8?silver-Qx'
  const owner = await person({
    state: 1,
    pwHash: null,
    tmpPwHash: await hashPassword(tmp),
    tmpPwExpireDT: new Date(clock.now().getTime() + hours(24)),
  })
  await expect(anonymous.session.login({ id: owner.id, pw: tmp })).rejects.toMatchObject({ code: 104 })
  await expect(anonymous.account.changePw({ id: owner.id, pw: tmp, newPw: tmp })).rejects.toMatchObject({ code: 108 })
  await anonymous.account.changePw({ id: owner.id, pw: tmp, newPw: NEW })
  await anonymous.session.login({ id: owner.id, pw: NEW })
  await expect(anonymous.session.login({ id: owner.id, pw: tmp })).rejects.toMatchObject({ code: 100 })
})

test('a temporary password is void after its day, and the old one stays good beside it', async () => {
  const tmp = 'Tm8?silver-Qx'
  const owner = await person({
    tmpPwHash: await hashPassword(tmp),
    tmpPwExpireDT: new Date(clock.now().getTime() + hours(24)),
  })
  await anonymous.session.login({ id: owner.id, pw: OLD })
  clock.advance(hours(25))
  await expect(anonymous.session.login({ id: owner.id, pw: tmp })).rejects.toMatchObject({ code: 100 })
})

test.each([
  ['no capital', 'qa9!zebra-lm'],
  ['no small letter', 'QA9!ZEBRA-LM'],
  ['no digit', 'Qa!zebra-Lmn'],
  ['no special character', 'Qa9zebraLmnp'],
  ['too short', 'Qa9!zeb'],
  ['a space', 'Qa9!zebra Lm'],
  ['digits in sequence', 'Qa!zebra-123'],
  ['digits in sequence downwards', 'Qa!zebra-987'],
  ['four letters of one keyboard row', 'Qa9!-Qwer-Lm'],
  ['three letters of one keyboard column', 'Xa9!-qAz-Lmp'],
  ['a digit three times', 'Qa!zebra-777'],
  ['a letter three times', 'Qa9!zebbbra'],
  ['the password it replaces', OLD],
])('a password with %s is refused', async (_, newPw) => {
  const owner = await person()
  await expect(anonymous.account.changePw({ id: owner.id, pw: OLD, newPw })).rejects.toMatchObject({ code: 108 })
  expect(await historyOf(owner.idx)).toEqual([])
})

test('the change of a password is guarded like a sign-in', async () => {
  const owner = await person()
  const codes: unknown[] = []
  for (let i = 0; i < 6; i++)
    await anonymous.account.changePw({ id: owner.id, pw: 'wrong', newPw: NEW }).catch((error) => codes.push(error.code))
  expect(codes).toEqual([100, 100, 100, 100, 101, 101])
  const suspended = await person({ state: 2 })
  await expect(anonymous.account.changePw({ id: suspended.id, pw: OLD, newPw: NEW })).rejects.toMatchObject({
    code: 102,
  })
})

test('a password that an administrator resets while it is proven changes nothing', async () => {
  const owner = await person()
  const isWaiting = async () => {
    const { rows } = await sql`select 1 from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(db.write)
    return rows.length > 0
  }
  const waiting = await db.write.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ pwHash: null, state: 1 }).where('idx', '=', owner.idx).execute()
    const tried = anonymous.account.changePw({ id: owner.id, pw: OLD, newPw: NEW }).catch((error: unknown) => error)
    await expect.poll(isWaiting).toBe(true)
    return { tried }
  })
  expect(await waiting.tried).toMatchObject({ code: 100 })
  expect(await historyOf(owner.idx)).toEqual([])
})

test('an account of single sign-on only has no password to set', async () => {
  const owner = await person({ loginType: 2 })
  const change = anonymous.account.changePw({ id: owner.id, pw: OLD, newPw: NEW })
  await expect(change).rejects.toMatchObject({ code: 180 })
  expect(await historyOf(owner.idx)).toEqual([])
})
