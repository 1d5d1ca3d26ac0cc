// Temporary tokens: the sessions they open, their lifetime, and which sessions end together.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser, type UserToBuild } from '../../../test/build/users.ts'
import { callsWithToken, openDesktopClient } from '../../../test/desktopClients.ts'
import { days, hours, minutes } from '../../clock.ts'
import { hashToken } from '../../crypto/token.ts'

const testApp = await startTestApp()
const { app, anonymous, as, clock, admin, baseUrl } = testApp
const { db } = app

const PASSWORD = 'Qa9!zebra-Lm'
const person = (columns: UserToBuild = {}) => buildUser(db, { password: PASSWORD, ...columns })

/** A browser that keeps its cookie. */
function browser() {
  let cookie = ''
  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const headers = { 'x-requested-with': 'XMLHttpRequest', 'content-type': 'application/json', cookie }
    const response = await fetch(baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const set = response.headers.get('set-cookie')?.split(';')[0]
    if (set !== undefined) cookie = set
    return response.json()
  }
  return {
    get cookie() {
      return cookie
    },
    signIn: (id: string) => call('POST', '/Account/Login', { id, pw: PASSWORD }),
    consume: (tmpToken: string, replaces?: 0 | 1) => call('POST', '/Account/ConsumeTmpToken', { tmpToken, replaces }),
    createToken: async (purpose?: 'portal' | 'dms') =>
      (await call('POST', '/Account/CreateTmpToken', { purpose })).data.tmpToken as string,
    session: () => call('GET', '/Account/Session'),
    use: () => call('GET', '/Account/Sessions'),
    signOut: () => call('POST', '/Account/Logout', {}),
  }
}
/** Builds a browser that signed in, and another one that signed in with its token. */
async function parentAndChild(id: string) {
  const [parent, child] = [browser(), browser()]
  await parent.signIn(id)
  expect(await child.consume(await parent.createToken())).toMatchObject({ data: { result: 'signedIn' } })
  return { parent, child }
}
const rowOf = (cookie: string) =>
  db.read
    .selectFrom('sessions')
    .selectAll()
    .where('tokenHash', '=', hashToken(cookie.slice(cookie.indexOf('=') + 1)))
    .executeTakeFirstOrThrow()

test('a temporary token opens one session, once, within a minute', async () => {
  const someone = await person()
  const { tmpToken } = await as(someone).session.createTmpToken({})
  const tries = await Promise.allSettled(
    Array.from({ length: 10 }, () => anonymous.session.consumeTmpToken({ tmpToken })),
  )
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const open = db.read
    .selectFrom('sessions')
    .select('idx')
    .where('userIdx', '=', someone.idx)
    .where('endDT', 'is', null)
  expect(await open.execute()).toHaveLength(2)
  const inTime = await as(someone).session.createTmpToken({})
  clock.advance(59_000)
  await anonymous.session.consumeTmpToken(inTime)
  const late = await as(someone).session.createTmpToken({})
  clock.advance(61_000)
  await expect(anonymous.session.consumeTmpToken(late)).rejects.toMatchObject({ code: 960 })
})

test('a person creates 60 temporary tokens a minute over all sessions, also at once', async () => {
  const someone = await person()
  const [here, elsewhere] = [as(someone), as(someone)]
  const make = (session: typeof here) => session.session.createTmpToken({})
  const made = await Promise.allSettled(Array.from({ length: 70 }, (_, i) => make(i % 2 === 0 ? here : elsewhere)))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(60)
  await expect(make(here)).rejects.toMatchObject({ error: 'TOO_MANY_REQUESTS', data: { retryAfter: 60 } })
  clock.advance(60_000)
  await make(here)
})

test("signing out voids the session's temporary tokens", async () => {
  const someone = await person()
  const made = await as(someone).session.createTmpToken({})
  const elsewhere = as(someone)
  const other = await elsewhere.session.createTmpToken({})
  const { sessions } = await elsewhere.session.search({})
  const first = sessions.find(({ isCurrent }) => isCurrent === 0)
  await elsewhere.session.end({ idx: first?.idx ?? 0 })
  await expect(anonymous.session.consumeTmpToken(made)).rejects.toMatchObject({ code: 960 })
  await anonymous.session.consumeTmpToken(other)
})

test('ending all sessions or a required new password voids a temporary token', async () => {
  const someone = await person()
  const before = await as(someone).session.createTmpToken({})
  await as(admin).users.resetPw({ idx: someone.idx })
  await expect(anonymous.session.consumeTmpToken(before)).rejects.toMatchObject({ code: 960 })
  const during = await as(someone).session.createTmpToken({})
  await expect(anonymous.session.consumeTmpToken(during)).rejects.toMatchObject({ code: 104 })
})

test('a chain of sessions by tokens lasts no longer than the sign-in that began it', async () => {
  const someone = await person()
  let current = browser()
  await current.signIn(someone.id)
  const { limitDT } = await rowOf(current.cookie)
  expect(limitDT).toEqual(new Date(clock.now().getTime() + days(1)))
  for (let link = 0; link < 3; link++) {
    for (let half = 0; half < 16; half++) {
      clock.advance(minutes(25))
      await current.use()
    }
    const next = browser()
    await next.consume(await current.createToken())
    expect((await rowOf(next.cookie)).limitDT).toEqual(limitDT)
    current = next
  }
  while (clock.now().getTime() < limitDT.getTime() - minutes(25)) {
    clock.advance(minutes(25))
    await current.use()
  }
  expect((await current.session()).errorCode).toBe(0)
  clock.set(limitDT)
  expect((await current.session()).errorCode).toBe(961)
})

test('a chain of sessions by tokens has a maximum length', async () => {
  const someone = await person()
  let current = browser()
  await current.signIn(someone.id)
  for (let link = 0; link < 4; link++) {
    const next = browser()
    await next.consume(await current.createToken())
    current = next
  }
  expect((await browser().consume(await current.createToken())).errorCode).toBe(980)
  expect(await browser().consume(await current.createToken('dms'))).toMatchObject({ data: { result: 'identity' } })
})

test.each(['signing out', 'ending it in the list', 'an administrator', 'signing in anew'])(
  'a session ends all that came from it: %s',
  async (how) => {
    const someone = await person()
    const { parent, child } = await parentAndChild(someone.id)
    const grandchild = browser()
    await grandchild.consume(await child.createToken())
    const unused = await child.createToken()
    const bystander = browser()
    await bystander.signIn(someone.id)
    const { idx } = await rowOf(parent.cookie)
    const ends: Record<typeof how, () => Promise<unknown>> = {
      'signing out': parent.signOut,
      'ending it in the list': () => as(someone).session.end({ idx }),
      'an administrator': () => as(admin).users.endSession({ idx: someone.idx, sessionIdx: idx }),
      'signing in anew': () => parent.signIn(someone.id),
    }
    await ends[how]?.()
    const code = how === 'an administrator' ? 962 : 960
    expect((await child.session()).errorCode).toBe(code)
    expect((await grandchild.session()).errorCode).toBe(code)
    expect((await browser().consume(unused)).errorCode).toBe(960)
    expect((await bystander.session()).errorCode).toBe(0)
    const open = await db.read
      .selectFrom('signIns')
      .innerJoin('sessions', 'sessions.signInIdx', 'signIns.idx')
      .select(sql<number>`count(*)`.as('count'))
      .where('signIns.userIdx', '=', someone.idx)
      .where('signIns.logoutDT', 'is', null)
      .where('sessions.endDT', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(Number(open.count)).toBe(0)
  },
)

test('ending a session by token leaves its parent open', async () => {
  const someone = await person()
  const { parent, child } = await parentAndChild(someone.id)
  await child.signOut()
  expect((await parent.session()).errorCode).toBe(0)
})

test('a token that its own browser consumes replaces the session that created it', async () => {
  const someone = await person()
  const own = browser()
  await own.signIn(someone.id)
  const before = await rowOf(own.cookie)
  expect(await own.consume(await own.createToken())).toMatchObject({ data: { result: 'signedIn' } })
  expect((await own.session()).errorCode).toBe(0)
  const after = await rowOf(own.cookie)
  expect(after.ancestors).toEqual([before.idx])
  expect(
    (await db.read.selectFrom('sessions').select('endDT').where('idx', '=', before.idx).executeTakeFirst())?.endDT,
  ).toEqual(clock.now())
})

test("a portal session of a client ends with the client's sign-in, and when its PC is removed", async () => {
  const someone = await person()
  const [kept, removed] = [await openDesktopClient(testApp, someone), await openDesktopClient(testApp, someone)]
  const portal = browser()
  await portal.consume((await kept.agent.tmpToken({})).tmpToken)
  await kept.agent.logout({})
  expect((await portal.session()).errorCode).toBe(960)
  const other = browser()
  await other.consume((await removed.agent.tmpToken({})).tmpToken)
  const own = browser()
  await own.signIn(someone.id)
  await as(admin).users.resetLicense({ idx: someone.idx })
  expect((await other.session()).errorCode).toBe(962)
  expect((await own.session()).errorCode).toBe(0)
  await expect(callsWithToken(baseUrl, removed.token).agent.findPolicy({})).rejects.toMatchObject({ code: 162 })
})

test("a portal session lasts a day at most, while its client's sign-in lasts a month", async () => {
  const someone = await person()
  const pc = await openDesktopClient(testApp, someone)
  const portal = browser()
  await portal.consume((await pc.agent.tmpToken({})).tmpToken)
  expect((await rowOf(portal.cookie)).limitDT).toEqual(new Date(clock.now().getTime() + days(1)))
})

test('a token of an idle session opens nothing', async () => {
  const someone = await person()
  const parent = browser()
  await parent.signIn(someone.id)
  clock.advance(minutes(29.5))
  const token = await parent.createToken()
  await db.write.updateTable('sessions').set({ expireDT: clock.now() }).where('userIdx', '=', someone.idx).execute()
  expect((await browser().consume(token)).errorCode).toBe(960)
})

test('a token replaces the session of another person only with consent', async () => {
  const [victim, attacker] = [await person(), await person({ name: 'Mallory' })]
  const theirs = browser()
  await theirs.signIn(victim.id)
  const { cookie } = theirs
  const { tmpToken } = await as(attacker).session.createTmpToken({})
  expect(await theirs.consume(tmpToken)).toMatchObject({
    errorCode: 0,
    data: { result: 'confirm', id: attacker.id, name: 'Mallory' },
  })
  expect(theirs.cookie).toBe(cookie)
  expect((await theirs.session()).data).toMatchObject({ id: victim.id })
  expect(await theirs.consume(tmpToken, 1)).toMatchObject({ data: { result: 'signedIn' } })
  expect((await theirs.session()).data).toMatchObject({ id: attacker.id })
  expect((await theirs.consume(tmpToken, 1)).errorCode).toBe(960)
})

test("a token of the browser's own person, or after their session ended, signs in at once", async () => {
  const [one, other] = [await person(), await person()]
  const same = browser()
  await same.signIn(one.id)
  const { tmpToken } = await as(one).session.createTmpToken({})
  expect(await same.consume(tmpToken)).toMatchObject({ data: { result: 'signedIn' } })
  clock.advance(hours(1))
  const token = await as(other).session.createTmpToken({})
  expect(await same.consume(token.tmpToken)).toMatchObject({ data: { result: 'signedIn' } })
})

test('a token for the document-security page returns an identity once and opens no session', async () => {
  const someone = await person({ name: '김서연', email: 'seoyeon@example.com' })
  const open = browser()
  await open.signIn(someone.id)
  const token = await open.createToken('dms')
  const dms = browser()
  expect(await dms.consume(token, 1)).toMatchObject({
    errorCode: 0,
    data: {
      result: 'identity',
      id: someone.id,
      name: '김서연',
      email: 'seoyeon@example.com',
      groupName: expect.any(String),
    },
  })
  expect(dms.cookie).toBe('')
  expect((await dms.session()).errorCode).toBe(960)
  expect((await dms.consume(token)).errorCode).toBe(960)
  const sessions = await db.read.selectFrom('sessions').select('idx').where('userIdx', '=', someone.idx).execute()
  expect(sessions).toHaveLength(1)
})

test('ending its session or account voids a token for the document-security page', async () => {
  const someone = await person()
  const open = browser()
  await open.signIn(someone.id)
  const tokens = [await open.createToken('dms'), await open.createToken('dms')]
  await db.write.updateTable('users').set({ state: 2 }).where('idx', '=', someone.idx).execute()
  expect((await browser().consume(tokens[0] ?? '')).errorCode).toBe(102)
  await db.write.updateTable('users').set({ state: 0 }).where('idx', '=', someone.idx).execute()
  await open.signOut()
  expect((await browser().consume(tokens[1] ?? '')).errorCode).toBe(960)
})

test('tokens have 256 bits and are stored as hashes', async () => {
  const someone = await person()
  const { tmpToken } = await as(someone).session.createTmpToken({})
  expect(Buffer.from(tmpToken, 'base64url')).toHaveLength(32)
  const rows = await db.read.selectFrom('tmpTokens').select('tokenHash').where('userIdx', '=', someone.idx).execute()
  expect(rows.map(({ tokenHash }) => tokenHash.toString('base64url'))).not.toContain(tmpToken)
  await expect(anonymous.session.consumeTmpToken({ tmpToken: 'A'.repeat(43) })).rejects.toMatchObject({ code: 960 })
})
