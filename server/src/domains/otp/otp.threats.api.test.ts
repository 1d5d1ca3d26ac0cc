// One-time passwords under attack: codes used for other purposes, keys in answers and at rest, skipped steps, unknown
// IDs.
import { type Api, api } from '@acc/contract'
import { OtpRegistration } from '@acc/contract/account'
import { type ApiError, type Client, createClient } from '@acc/contract/core/client'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser, type UserToBuild } from '../../../test/build/users.ts'
import { mailsTo } from '../../../test/mails.ts'
import { mailedCodes, registered, SECRET, totpOf, wrongTotpOf } from '../../../test/otp.ts'
import { hours, minutes } from '../../clock.ts'
import { hashPassword } from '../credentials/hashing.ts'

const { app, as, clock, baseUrl } = await startTestApp({
  ACC_MAX_LOGIN_FAILS: '3',
  ACC_OTP_METHOD: 'email',
  ACC_TRUST_PROXY: '127.0.0.1',
})
const totpSite = await startTestApp({ ACC_MAX_LOGIN_FAILS: '3', ACC_TRUST_PROXY: '127.0.0.1' })
const { db } = app
const PASSWORD = 'Qa9!zebra-Lm'
const NEW = 'Nb7#violet-Kp'
const PC = { deviceId: 'pc', deviceName: 'PC', clientVersion: '1.0.0' }

let network = 0
/** Returns calls from a network that was not used before. */
const elsewhere = (url = baseUrl): Client<Api> => {
  const ip = `10.${++network >> 8}.${network & 255}.1`
  return createClient(api, { baseUrl: url, headers: () => ({ 'X-Forwarded-For': ip }) })
}
const person = (columns: UserToBuild = {}, site = app) =>
  buildUser(site.db, { password: PASSWORD, useOtp: 1, ...columns })
const codeOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 0,
    (error: { code: number }) => error.code,
  )
type Person = { idx: number; id: string; name: string; email: string }

/** Every call that takes a code, by the purpose of its mail. */
const PATHS = {
  login: (calls: Client<Api>, { id }: Person, otp?: string) => calls.session.login({ id, pw: PASSWORD, otp }),
  clientLogin: (calls: Client<Api>, { id }: Person, otp?: string) =>
    calls.agent.login({ id, pw: PASSWORD, ...PC, otp }),
  changePw: (calls: Client<Api>, { id }: Person, otp?: string) =>
    calls.account.changePw({ id, pw: PASSWORD, newPw: NEW, otp }),
  findPw: (calls: Client<Api>, { id }: Person, otp?: string) => calls.account.resetPw({ id, otp }),
  findId: (calls: Client<Api>, { name, email }: Person, otp?: string) => calls.account.findId({ name, email, otp }),
}
type Path = keyof typeof PATHS
const NAMES = Object.keys(PATHS) as Path[]

test.each(NAMES)('a code mailed for %s is void for other purposes and other people', async (mailedFor) => {
  for (const path of NAMES.filter((name) => name !== mailedFor)) {
    const user = await person()
    expect(await codeOf(PATHS[mailedFor](elsewhere(), user))).toBe(105)
    const [code = ''] = await mailedCodes(app, user.email)
    expect(await codeOf(PATHS[path](elsewhere(), user, code))).toBe(107)
    expect(await codeOf(PATHS[path](elsewhere(), user))).toBe(105)
    const own = (await mailedCodes(app, user.email)).at(-1)
    if (own !== code) expect(await codeOf(PATHS[path](elsewhere(), user, code))).toBe(106)
  }
  const [one, other] = [await person(), await person()]
  for (const user of [one, other]) await codeOf(PATHS[mailedFor](elsewhere(), user))
  const [code = ''] = await mailedCodes(app, one.email)
  const [others] = await mailedCodes(app, other.email)
  if (others !== code) expect(await codeOf(PATHS[mailedFor](elsewhere(), other, code))).toBe(106)
  expect(await codeOf(PATHS[mailedFor](elsewhere(), one, code))).toBe(0)
})

test('a code of an authenticator is used once over all calls', async () => {
  for (const first of NAMES) {
    const user = await person()
    await registered(app, user)
    const code = await totpOf(SECRET, clock)
    expect(await codeOf(PATHS[first](elsewhere(), user, code))).toBe(0)
    const others = NAMES.filter((name) => !(first === 'changePw' && /ogin|changePw/.test(name)))
    for (const path of others) expect(await codeOf(PATHS[path](elsewhere(), user, code))).toBe(107)
    // A code of an older step is void, too.
    expect(await codeOf(PATHS.findId(elsewhere(), user, await totpOf(SECRET, clock, -1)))).toBe(107)
  }
})

test('a new code, a correct password and a released password do not reset wrong codes', async () => {
  const user = await person()
  const wrongs: number[] = []
  for (const path of ['login', 'findId', 'findPw', 'changePw'] as const) {
    await codeOf(PATHS[path](elsewhere(), user))
    const own = (await mailedCodes(app, user.email)).at(-1)
    wrongs.push(await codeOf(PATHS[path](elsewhere(), user, own === '000000' ? '000001' : '000000')))
  }
  expect(wrongs).toEqual([106, 106, 109, 109])
})

test('an administrator waits instead of being suspended, and others do not delay their known network', async () => {
  const boss = await person({ isAdmin: 1 })
  await registered(app, boss)
  const home = elsewhere()
  expect(await codeOf(PATHS.login(home, boss, await totpOf(SECRET, clock)))).toBe(0)
  clock.advance(minutes(1))
  const stranger = elsewhere()
  const wrong = await wrongTotpOf(SECRET, clock)
  const codes: number[] = []
  for (let tried = 0; tried < 4; tried++) codes.push(await codeOf(PATHS.login(stranger, boss, wrong)))
  expect(codes).toEqual([106, 106, 109, 109])
  expect((await mailsTo(app, boss.email)).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('Wrong verification codes for your account'),
  ])
  const right = await totpOf(SECRET, clock)
  expect(await codeOf(PATHS.login(stranger, boss, right))).toBe(109)
  expect(await codeOf(PATHS.login(elsewhere(), boss, right))).toBe(109)
  expect(await codeOf(PATHS.login(home, boss, right))).toBe(0)
  const row = await db.read.selectFrom('users').select(['state', 'otpFails']).where('idx', '=', boss.idx).execute()
  expect(row).toEqual([{ state: 0, otpFails: 0 }])
})

test('after fifty wrong codes a day an administrator has one try an hour, also at home, and gets a mail', async () => {
  const boss = await person({ isAdmin: 1 })
  await registered(app, boss)
  const [home, away] = [elsewhere(), elsewhere()]
  const sign = async (from = home) => codeOf(PATHS.login(from, boss, await totpOf(SECRET, clock)))
  const guess = async () => codeOf(PATHS.login(home, boss, await wrongTotpOf(SECRET, clock)))
  expect(await sign()).toBe(0)
  const countMails = async () =>
    (await mailsTo(app, boss.email)).filter(({ subject }) => subject.includes('Wrong verification codes')).length
  await guess()
  await db.write.updateTable('throttles').set({ count: 47 }).where('key', 'like', `otp:day:${boss.id}:%`).execute()
  for (const mails of [0, 0, 1]) {
    clock.advance(minutes(6))
    // A sign-in does not allow more guesses.
    expect(await sign()).toBe(0)
    await guess()
    expect(await countMails()).toBe(mails)
  }
  clock.advance(minutes(30))
  expect(await sign()).toBe(109)
  expect(await sign(away)).toBe(0)
  clock.advance(minutes(31))
  expect(await sign()).toBe(0)
  clock.advance(minutes(1))
  await guess()
  clock.advance(minutes(30))
  expect(await sign()).toBe(109)
  clock.advance(hours(24))
  expect(await sign()).toBe(0)
})

test('no step except the last sets a cookie, and each step needs the previous one', async () => {
  const send = async (body: object) => {
    const headers = { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' }
    const answer = await fetch(`${baseUrl}/Account/Login`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { code: (await answer.json()).errorCode, cookie: answer.headers.get('set-cookie') }
  }
  const user = await person()
  await registered(app, user)
  const credentials = { id: user.id, pw: PASSWORD }
  expect(await send(credentials)).toEqual({ code: 112, cookie: null })
  expect(await send({ ...credentials, otp: await wrongTotpOf(SECRET, clock) })).toEqual({ code: 106, cookie: null })
  const pw = 'Tm8?silver-Qx'
  const tmp = { tmpPwHash: await hashPassword(pw), tmpPwExpireDT: new Date(clock.now().getTime() + hours(1)) }
  const fresh = await person({ ...tmp, state: 1, password: undefined })
  expect(await send({ id: fresh.id, pw, otp: '000000' })).toEqual({ code: 104, cookie: null })
  expect(await codeOf(elsewhere().account.registerOtp({ id: fresh.id, pw, otp: '000000' }))).toBe(104)
  const code = await totpOf(SECRET, clock)
  expect(await codeOf(elsewhere().account.registerOtp({ ...credentials, otp: code }))).toBe(111)
  const open = await db.read
    .selectFrom('sessions')
    .select('idx')
    .where('userIdx', 'in', [user.idx, fresh.idx])
    .execute()
  expect(open).toEqual([])
})

test('a pending key is void after ten minutes and after a new one', async () => {
  const user = await person({}, totpSite.app)
  const challenge = async () => {
    const answer = await elsewhere(totpSite.baseUrl)
      .session.login({ id: user.id, pw: PASSWORD })
      .catch((error: { data: { otpSecret: string } }) => error.data)
    return 'otpSecret' in answer ? String(answer.otpSecret) : ''
  }
  const register = (otp: string) =>
    codeOf(elsewhere(totpSite.baseUrl).account.registerOtp({ id: user.id, pw: PASSWORD, otp }))
  const first = await challenge()
  const second = await challenge()
  expect(second).not.toBe(first)
  expect(await register(await totpOf(first, totpSite.clock))).toBe(106)
  totpSite.clock.advance(minutes(10))
  expect(await register(await totpOf(second, totpSite.clock))).toBe(110)
  expect(await register(await totpOf(await challenge(), totpSite.clock))).toBe(0)
})

/** Lists the columns of the database that hold a text, as text or as bytes. */
async function columnsWith(text: string): Promise<string[]> {
  const hex = Buffer.from(text).toString('hex')
  const { rows } = await sql<{ name: string }>`
    with c as materialized (
      select table_name, column_name from information_schema.columns where table_schema = 'public')
    select c.table_name || '.' || c.column_name as name from c where query_to_xml(
      format('select 1 from %I where %I::text ~ %L limit 1', c.table_name, c.column_name, ${`${text}|${hex}`}::text),
      true, true, '')::text like '%<row%'`.execute(db.read)
  return rows.map(({ name }) => name)
}

test('the key of a registered authenticator is in no answer, and the QR code needs a session', async () => {
  const user = await person()
  await registered(app, user)
  const answers: string[] = []
  for (const path of NAMES)
    await PATHS[path](elsewhere(), user).catch((error: unknown) => answers.push(JSON.stringify(error)))
  await as(user)
    .account.qrCode({})
    .catch((error: { code: number }) => answers.push(String(error.code)))
  expect(answers.at(-1)).toBe('111')
  expect(answers.join()).not.toMatch(/otpSecret|qrCode/)
  expect(await codeOf(elsewhere().account.qrCode({}))).toBe(960)
  const without = await person({ useOtp: 0 })
  const { otpSecret, qrCodeString } = await as(without).account.qrCode({})
  expect(new URL(qrCodeString).searchParams.get('secret')).toBe(otpSecret)
  await elsewhere().account.registerOtp({ id: without.id, pw: PASSWORD, otp: await totpOf(otpSecret, clock) })
  expect(await columnsWith(without.id)).toContain('users.id')
  expect(await columnsWith(otpSecret)).toEqual([])
})

test('a sealed key that was copied to another account or column does not open', async () => {
  const [thief, victim] = [await person(), await person()]
  await registered(app, thief)
  await registered(app, victim, 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU')
  const stolen = await db.read
    .selectFrom('users')
    .select('otpSecret')
    .where('idx', '=', thief.idx)
    .executeTakeFirstOrThrow()
  await db.write.updateTable('users').set(stolen).where('idx', '=', victim.idx).execute()
  expect(await codeOf(PATHS.login(elsewhere(), victim, await totpOf(SECRET, clock)))).toBe(115)
  const types = await db.read.selectFrom('signIns').select('type').where('userIdx', '=', victim.idx).execute()
  expect(types).toEqual([{ type: 9 }])
  await db.write
    .updateTable('users')
    .set({
      otpPending: stolen.otpSecret,
      otpPendingExpireDT: new Date(clock.now().getTime() + hours(1)),
      otpSecret: null,
    })
    .where('idx', '=', thief.idx)
    .execute()
  const otp = await totpOf(SECRET, clock)
  expect(await codeOf(elsewhere().account.registerOtp({ id: thief.id, pw: PASSWORD, otp }))).toBe(115)
})

test('an unknown ID gets the same answers as accounts with and without an authenticator', async () => {
  const calls = {
    login: (at: Client<Api>, id: string) => at.session.login({ id, pw: 'wrong', otp: '000000' }),
    clientLogin: (at: Client<Api>, id: string) => at.agent.login({ id, pw: 'wrong', otp: '000000', ...PC }),
    changePw: (at: Client<Api>, id: string) => at.account.changePw({ id, pw: 'wrong', newPw: NEW, otp: '000000' }),
    registerOtp: (at: Client<Api>, id: string) => at.account.registerOtp({ id, pw: 'wrong', otp: '000000' }),
  }
  for (const [name, call] of Object.entries(calls)) {
    const [holder, without] = [await person({}, totpSite.app), await person({}, totpSite.app)]
    await registered(totpSite.app, holder)
    const answersOf = async (id: string) => {
      const answers: number[] = []
      for (let tried = 0; tried < 4; tried++) answers.push(await codeOf(call(elsewhere(totpSite.baseUrl), id)))
      return answers.join()
    }
    const ids = [holder.id, without.id, `unknown.${name}`.toLowerCase()]
    expect(await Promise.all(ids.map(answersOf))).toEqual(Array(3).fill('100,100,101,101'))
  }
})

test('the log contains no passwords, codes or keys at any level', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
  const site = await startTestApp({ ACC_LOG_LEVEL: 'trace' }, log)
  const calls = createClient(api, { baseUrl: site.baseUrl })
  const user = await person({}, site.app)
  const key = await calls.session.login({ id: user.id, pw: PASSWORD }).catch((error: ApiError) => error.data)
  const { otpSecret, qrCodeBase64 } = OtpRegistration.parse(key)
  const code = await totpOf(otpSecret, site.clock)
  await calls.account.registerOtp({ id: user.id, pw: PASSWORD, otp: code })
  expect(await codeOf(calls.session.login({ id: user.id, pw: PASSWORD, otp: code }))).toBe(107)
  expect(await codeOf(calls.session.login({ id: user.id, pw: PASSWORD }))).toBe(112)
  expect(lines.join()).toContain('right password, code asked for')
  for (const secret of [PASSWORD, otpSecret, qrCodeBase64, `"${code}"`]) expect(lines.join()).not.toContain(secret)
})
