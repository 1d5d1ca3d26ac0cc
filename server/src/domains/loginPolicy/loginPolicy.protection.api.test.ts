// Account protection: its settings, their effect on new passwords, and its daily jobs.
import { DEFAULT_PROTECTION, ProtectionSetting } from '@acc/contract/accountProtection'
import { localDayOf } from '@acc/contract/labels/formats'
import { SettingManage, UserManage } from '@acc/contract/labels/history'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { announced } from '../../../test/announced.ts'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { mailsTo, temporaryPasswordIn } from '../../../test/mails.ts'
import { registered } from '../../../test/otp.ts'
import { days, later } from '../../clock.ts'
import { remindOfExpiry, suspendDormant, warnDormant } from './loginPolicy.reminders.ts'

const { app, as, fetchAs, admin, anonymous, clock } = await startTestApp()
const { db } = app
const client = as(admin)
const P = (n: number) => `Qa9!zebra-L${n}`

// The administrator's session ends when the clock moves.
const set = (over: Partial<typeof DEFAULT_PROTECTION>) =>
  as(admin).loginPolicy.setProtection({ ...DEFAULT_PROTECTION, ...over })
afterEach(() => set({}))

const changer = (id: string) => (pw: string, newPw: string) => anonymous.account.changePw({ id, pw, newPw })

test('the settings have defaults, and each change is in the history with all values', async () => {
  expect(await client.loginPolicy.findProtection({})).toEqual({ ...DEFAULT_PROTECTION, revision: 0 })
  await set({ dormantDays: 90, maxPasswordDays: 60 })
  await set({ dormantDays: 90, maxPasswordDays: 60 })
  const rows = (await historyOf(db, 'settingManage')).filter(({ type }) => type === SettingManage.UPDATE_PROTECTION)
  expect(rows).toHaveLength(1)
  const protection = rows[0]?.detail.protection
  expect(protection).toHaveLength(16)
  expect(protection).toContainEqual({ protectionName: 4, protectionValue: 0, isOld: 1 })
  expect(protection).toContainEqual({ protectionName: 4, protectionValue: 90, isOld: 0 })
  const protectionName = ProtectionSetting.MAX_PASSWORD_DAYS
  expect(protection).toContainEqual({ protectionName, protectionValue: 0, isOld: 1 })
  expect(protection).toContainEqual({ protectionName, protectionValue: 60, isOld: 0 })
})

test.each([
  ['passwordHistory', 11],
  ['minPasswordDays', 31],
  ['commonPasswords', 2],
  ['contextWords', 2],
  ['changeMails', 2],
  ['dormantDays', 29],
  ['dormantDays', 3651],
])('%s %d is refused', async (field, value) => {
  const response = await fetchAs(admin)('/LoginPolicy/AccountProtection', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify({ ...DEFAULT_PROTECTION, [field]: value }),
  })
  expect(await response.json()).toMatchObject({ errorCode: 983, data: { fields: [field] } })
})

test('the last passwords are refused, older ones are not', async () => {
  const user = await buildUser(db, { password: P(1) })
  const change = changer(user.id)
  await change(P(1), P(2))
  await change(P(2), P(3))
  for (const former of [1, 2])
    await expect(change(P(3), P(former))).rejects.toMatchObject({ code: 108, data: { reason: 'former', count: 3 } })
  await change(P(3), P(4))
  await change(P(4), P(1))
  await set({ passwordHistory: 0 })
  await change(P(1), P(4))
})

test('a reset does not allow the former password', async () => {
  const user = await buildUser(db, { password: P(1) })
  await client.users.resetPw({ idx: user.idx })
  const temporary = temporaryPasswordIn((await mailsTo(app, user.email)).at(-1)?.text ?? '')
  await expect(changer(user.id)(temporary, P(1))).rejects.toMatchObject({ code: 108, data: { reason: 'former' } })
  await changer(user.id)(temporary, P(2))
})

test('a wrong password reveals nothing about former ones', async () => {
  const user = await buildUser(db, { password: P(1) })
  await expect(changer(user.id)('wrong', P(1))).rejects.toMatchObject({ code: 100 })
})

test('a password has a minimum age, a temporary one has none', async () => {
  await set({ minPasswordDays: 2 })
  const user = await buildUser(db, { password: P(1), pwSetDT: clock.now() })
  const tooSoon = changer(user.id)(P(1), P(2))
  await expect(tooSoon).rejects.toMatchObject({ code: 108, data: { reason: 'tooSoon', days: 2 } })
  await as(admin).users.resetPw({ idx: user.idx })
  const temporary = temporaryPasswordIn((await mailsTo(app, user.email)).at(-1)?.text ?? '')
  await changer(user.id)(temporary, P(2))
  await expect(changer(user.id)(P(2), P(3))).rejects.toMatchObject({ code: 108 })
  clock.advance(days(2))
  await changer(user.id)(P(2), P(3))
})

test('common passwords are refused until an administrator allows them', async () => {
  const user = await buildUser(db, { password: P(1) })
  const change = changer(user.id)
  await expect(change(P(1), 'Password!82')).rejects.toMatchObject({ code: 108, data: { reason: 'common' } })
  await set({ commonPasswords: 0 })
  await change(P(1), 'Password!82')
})

const hanna = { id: 'hanna.b', name: 'Hanna Bergström', email: 'h.lindqvist@acc.test', password: P(1) }

test('a password does not contain a name that everyone around its owner knows', async () => {
  const { id } = await buildUser(db, hanna)
  const change = changer(id)
  const refusal = (word: string) => ({ code: 108, data: { reason: 'context', word } })
  await expect(change(P(1), 'ACC-Client!9')).rejects.toMatchObject(refusal('ACC Client'))
  await expect(change(P(1), 'x9!H-a-n-n-a')).rejects.toMatchObject(refusal('hanna'))
  await expect(change(P(1), 'Lindqvist#94')).rejects.toMatchObject(refusal('lindqvist'))
  await expect(change(P(1), 'BERGSTRÖM#94x')).rejects.toMatchObject(refusal('Bergström'))
  await set({ contextWords: 0 })
  await change(P(1), 'Lindqvist#94')
})

test('the name and address of an ID are hidden from people without its password', async () => {
  const { id } = await buildUser(db, { ...hanna, id: 'h.b.2', email: 'lindqvist@acc.test' })
  for (const newPw of ['Lindqvist#94', 'Bergström#94x'])
    await expect(changer(id)('wrong', newPw)).rejects.toMatchObject({ code: 100 })
})

test.each([0, 1] as const)(
  'changes of an account are mailed to its owner (%i), temporary passwords always',
  async (changeMails) => {
    await set({ changeMails })
    const user = await buildUser(db, { password: P(1) })
    await anonymous.account.changePw({ id: user.id, pw: P(1), newPw: P(2) })
    await registered(app, user)
    await as(admin).users.resetTotpSecret({ idx: user.idx })
    await as(admin).users.update({ idx: user.idx, email: `moved.${user.email}` })
    expect(await mailsTo(app, user.email)).toHaveLength(changeMails * 3)
    await as(admin).users.resetPw({ idx: user.idx })
    expect(await mailsTo(app, `moved.${user.email}`)).toHaveLength(1)
  },
)

test('people are reminded once at 7 days and at 1 day before their account ends', async () => {
  const endsIn = (count: number) => localDayOf(later(clock.now(), days(count)))
  const user = await buildUser(db, { isMortal: 1, expireDT: endsIn(8) })
  const suspended = await buildUser(db, { isMortal: 1, expireDT: endsIn(5), state: 2 })
  const mails = async () => (await mailsTo(app, user.email)).length
  await remindOfExpiry(app)
  expect(await mails()).toBe(0)
  clock.advance(days(1))
  await Promise.all([remindOfExpiry(app), remindOfExpiry(app)])
  expect(await mails()).toBe(1)
  clock.advance(days(5))
  await remindOfExpiry(app)
  expect(await mails()).toBe(1)
  await set({ expiryReminders: 0 })
  clock.advance(days(1))
  await remindOfExpiry(app)
  expect(await mails()).toBe(1)
  await set({})
  await remindOfExpiry(app)
  expect((await mailsTo(app, user.email)).map(({ subject }) => subject)).toEqual([
    '[ACC] 계정 만료 예정 알림 / Your account expires soon',
    '[ACC] 계정 만료 예정 알림 / Your account expires soon',
  ])
  expect(await mailsTo(app, suspended.email)).toEqual([])
})

test('unused accounts are suspended 7 days after a mail', async () => {
  const [gone, present] = [
    await buildUser(db, { activeDT: clock.now() }),
    await buildUser(db, { activeDT: clock.now(), password: P(1) }),
  ]
  const stateOf = async ({ idx }: { idx: number }) => (await as(admin).users.find({ idx })).state
  clock.advance(days(100))
  const runAll = async () => {
    await warnDormant(app)
    await suspendDormant(app)
  }
  await runAll()
  expect(await mailsTo(app, gone.email)).toEqual([])
  await set({ dormantDays: 30 })
  await Promise.all([runAll(), runAll()])
  expect(await mailsTo(app, gone.email)).toMatchObject([{ subject: expect.stringContaining('장기 미사용') }])
  clock.advance(days(6))
  await anonymous.session.login({ id: present.id, pw: P(1) })
  await runAll()
  expect([await stateOf(gone), await stateOf(present)]).toEqual([0, 0])
  clock.advance(days(1))
  expect(await announced(app, runAll)).toContainEqual({ topic: 'users', idx: gone.idx, groupIdx: gone.groupIdx })
  await runAll()
  expect([await stateOf(gone), await stateOf(present)]).toEqual([2, 0])
  expect(await stateOf(admin)).toBe(0)
  const logs = (await historyOf(db, 'userManage')).filter(({ subjectIdx }) => subjectIdx === gone.idx)
  expect(logs).toMatchObject([{ type: UserManage.DISABLED, actorIdx: null }])
  await as(admin).users.setDisabled({ idx: gone.idx, state: 0 })
  await runAll()
  expect(await stateOf(gone)).toBe(0)
})

test('a thousand unused accounts are suspended in a few statements, each with its row and announcement', async () => {
  await set({ dormantDays: 30 })
  const { rows } = await sql<{ idx: number }>`
    insert into users (id, name, email, "groupIdx", key, state, "activeDT")
    select 'unused.' || n, 'Unused ' || n, 'unused.' || n || '@example.com', 1, md5(n::text), n % 2, ${later(clock.now(), -days(40))}
    from generate_series(1, 1000) n returning idx`.execute(db.write)
  await sql`
    insert into "accountReminders" ("userIdx", reason, day, "sentDT")
    select idx, 'dormancy', ("activeDT" at time zone 'UTC')::date, ${later(clock.now(), -days(8))}
    from users where id like 'unused.%'`.execute(db.write)
  let statements = 0
  const write = db.write.withPlugin({
    transformQuery: ({ node }) => {
      statements++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const announcements = await announced(app, () => suspendDormant({ ...app, db: { ...db, write } }))
  expect(statements).toBeLessThan(60)
  const idxes = rows.map(({ idx }) => idx)
  const users = announcements.filter(({ topic, idx }) => topic === 'users' && idxes.includes(idx ?? 0))
  expect(users.map(({ idx }) => idx).toSorted((one, other) => (one ?? 0) - (other ?? 0))).toEqual(idxes)
  const states = await sql<{ state: number; revision: number; count: number }>`
    select state, revision, count(*)::int as count from users where id like 'unused.%' group by 1, 2 order by 1`.execute(
    db.read,
  )
  // Accounts that had to change a password still have to.
  expect(states.rows).toEqual([
    { state: 2, revision: 2, count: 500 },
    { state: 3, revision: 2, count: 500 },
  ])
  const log = (await historyOf(db, 'userManage')).filter(({ subject }) => subject.startsWith('unused.'))
  expect(log.map(({ subjectIdx }) => subjectIdx)).toEqual(idxes)
  expect(log[0]).toMatchObject({
    type: UserManage.DISABLED,
    actorIdx: null,
    groupIdx: 1,
    detail: { targetId: 'unused.1', targetState: 3, targetOldState: 1 },
  })
  await sql`delete from users where id like 'unused.%'`.execute(db.write)
})
