// Single sign-on against a real provider: people who are signed in, created, refreshed or refused.
import { SignInType, UserManage } from '@acc/contract/labels/history'
import { LoginType, UserState } from '@acc/contract/labels/users'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { mailsTo } from '../../../test/mails.ts'
import { CALLBACK, openBrowser, PORTAL } from '../../../test/oidc/browser.ts'
import { CLIENT, type Person, startRealProvider } from '../../../test/oidc/realProvider.ts'
import { days, later, minutes } from '../../clock.ts'
import { hashToken } from '../../crypto/token.ts'

const provider = await startRealProvider({ redirectUri: CALLBACK })
afterAll(() => provider.close())
const { app, as, admin, anonymous, baseUrl, clock } = await startTestApp({
  ACC_OIDC_ISSUER: provider.issuer,
  ACC_OIDC_CLIENT_ID: CLIENT.id,
  ACC_OIDC_CLIENT_SECRET: CLIENT.secret,
})
const { db } = app
const LOGIN = `${baseUrl}/Sso/Login`

let count = 0
const personOf = (claims: Partial<Person> = {}): Person => {
  const sub = claims.sub ?? `sub-${++count}`
  return {
    sub,
    preferred_username: sub.toLowerCase(),
    name: `Person ${sub}`,
    email: `${sub}@sso.example.com`,
    ...claims,
  }
}
/** Signs a person in with a browser and returns where the portal opens. */
async function signIn(person: Person | null, browser = openBrowser(baseUrl)): Promise<string> {
  provider.person = person
  const portal = await browser.follow(await browser.follow(LOGIN, CALLBACK), PORTAL)
  return portal.slice(PORTAL.length)
}
const userOf = (key: string) => db.read.selectFrom('users').selectAll().where('key', '=', key).executeTakeFirst()
const sessionsOf = (userIdx: number) =>
  db.read.selectFrom('sessions').select(['idx', 'endDT']).where('userIdx', '=', userIdx).execute()
const signInsOf = (userId: string) =>
  db.read
    .selectFrom('signIns')
    .select(['type', 'kind', 'userIdx'])
    .where('userId', '=', userId)
    .orderBy('idx')
    .execute()
const changesOf = async (userIdx: number) =>
  (await historyOf(db, 'userManage')).filter(({ subjectIdx }) => subjectIdx === userIdx)
const buildSsoUser = (over: Partial<Parameters<typeof buildUser>[1]> = {}) =>
  buildUser(db, { key: `key-${++count}`, loginType: LoginType.SSO, ...over })
const asPerson = (user: { key: string; id: string; name: string; email: string }, claims: Partial<Person> = {}) =>
  personOf({ sub: user.key, preferred_username: user.id, name: user.name, email: user.email, ...claims })
const sessionOf = async (browser: ReturnType<typeof openBrowser>) =>
  JSON.parse((await browser.open(`${baseUrl}/Account/Session`)).text) as { errorCode: number; data: { id: string } }

test('the console shows single sign-on if it is available', async () => {
  expect((await anonymous.configs.find({})).hasSso).toBe(1)
})

test('an unknown person becomes a user with single sign-on in the group of the policy', async () => {
  const { newcomers } = await buildGroups(db, 'newcomers')
  await as(admin).sso.setPolicy({ userCreateGroupIdx: newcomers.idx })
  const browser = openBrowser(baseUrl)
  const person = personOf({ preferred_username: 'Kim.Haneul@corp.example', name: '김하늘', group: 'unknown-group' })
  expect(await signIn(person, browser)).toBe('?sso=done')
  const user = await userOf(person.sub)
  expect(user).toMatchObject({
    id: 'kim.haneul',
    name: '김하늘',
    email: person.email,
    groupIdx: newcomers.idx,
    loginType: LoginType.SSO,
    state: UserState.NORMAL,
    isAdmin: 0,
    pwHash: null,
    tmpPwHash: null,
  })
  expect(await sessionOf(browser)).toMatchObject({ errorCode: 0, data: { id: 'kim.haneul' } })
  expect(await signInsOf('kim.haneul')).toEqual([{ type: SignInType.SSO_LOGIN, kind: 'web', userIdx: user?.idx }])
  expect(await changesOf(user?.idx ?? 0)).toMatchObject([
    {
      type: UserManage.CREATE,
      actorIdx: user?.idx,
      groupIdx: newcomers.idx,
      detail: { targetId: 'kim.haneul', targetLoginType: LoginType.SSO, targetOldId: null },
    },
  ])
  await expect(anonymous.session.login({ id: 'kim.haneul', pw: 'x' })).rejects.toMatchObject({
    error: 'WRONG_CREDENTIALS',
  })
})

test('a new user is created in the first known group of the identity, of 200 at most', async () => {
  const { lab, shop } = await buildGroups(db, 'lab', 'shop')
  const keyOf = async ({ idx }: { idx: number }) =>
    (await db.read.selectFrom('groups').select('key').where('idx', '=', idx).executeTakeFirstOrThrow()).key
  const one = personOf({ group: (await keyOf(lab)).toUpperCase() })
  const several = personOf({ group: ['other', await keyOf(shop), await keyOf(lab)] })
  const others = (count: number) => Array.from({ length: count }, () => 'other')
  const last = personOf({ group: [...others(199), await keyOf(lab)] })
  const late = personOf({ group: [...others(200), await keyOf(lab)] })
  for (const person of [one, several, last, late]) await signIn(person)
  const groupOf = async ({ sub }: Person) => (await userOf(sub))?.groupIdx
  expect(await Promise.all([one, several, last].map(groupOf))).toEqual([lab.idx, shop.idx, lab.idx])
  expect(await groupOf(late)).not.toBe(lab.idx)
})

test('a known user is found by key alone and refreshed, and the old address gets a notice', async () => {
  const { north, south } = await buildGroups(db, 'north', 'south')
  const user = await buildSsoUser({ group: north, name: 'Old name' })
  const southKey = (await db.read.selectFrom('groups').select('key').where('idx', '=', south.idx).executeTakeFirst())
    ?.key
  const person = asPerson(user, {
    preferred_username: 'renamed.user',
    name: `New name ${'x'.repeat(22)}`,
    email: 'renamed@sso.example.com',
    group: southKey,
  })
  const name = `New name ${'x'.repeat(21)}`
  expect(await signIn(person)).toBe('?sso=done')
  expect(await userOf(user.key)).toMatchObject({
    idx: user.idx,
    id: 'renamed.user',
    name,
    email: 'renamed@sso.example.com',
    groupIdx: south.idx,
  })
  expect(await changesOf(user.idx)).toMatchObject([
    {
      type: UserManage.UPDATE,
      actorIdx: user.idx,
      detail: { targetName: name, targetOldName: 'Old name', targetOldId: user.id, targetOldGroupName: 'north' },
    },
  ])
  expect(await mailsTo(app, user.email)).toHaveLength(1)
  await signIn(person)
  expect(await changesOf(user.idx)).toHaveLength(1)
  expect(await sessionsOf(user.idx)).toHaveLength(2)
})

test('a key in another case is another person', async () => {
  const user = await buildSsoUser()
  expect(await signIn(asPerson({ ...user, key: user.key.toUpperCase() }))).toBe('?ssoError=182')
  expect(await sessionsOf(user.idx)).toEqual([])
  expect(await changesOf(user.idx)).toEqual([])
})

test('missing and unusable claims leave the fields unchanged', async () => {
  const user = await buildSsoUser({ name: 'Kept' })
  const bad = { preferred_username: 'a', name: '\u202e', email: 'no address', group: { of: 'nothing' } }
  expect(await signIn(asPerson(user, bad))).toBe('?sso=done')
  expect(await signIn({ sub: user.key })).toBe('?sso=done')
  expect(await signIn(asPerson(user, { email: 'forged@sso.example.com', email_verified: false }))).toBe('?sso=done')
  expect(await userOf(user.key)).toMatchObject({
    id: user.id,
    name: 'Kept',
    email: user.email,
    groupIdx: user.groupIdx,
  })
  expect(await changesOf(user.idx)).toEqual([])
})

test('people are never matched by email or ID', async () => {
  const user = await buildSsoUser()
  const byId = personOf({ preferred_username: user.id })
  const byEmail = personOf({ email: user.email.toUpperCase() })
  expect(await signIn(byId)).toBe('?ssoError=120')
  expect(await signIn(byEmail)).toBe('?ssoError=121')
  expect([await userOf(byId.sub), await userOf(byEmail.sub)]).toEqual([undefined, undefined])
  const other = await buildSsoUser()
  expect(await signIn(asPerson(other, { preferred_username: user.id }))).toBe('?ssoError=120')
  expect(await signIn(asPerson(other, { email: user.email }))).toBe('?ssoError=121')
  expect(await userOf(other.key)).toMatchObject({ id: other.id, email: other.email })
  expect([await sessionsOf(user.idx), await sessionsOf(other.idx)]).toEqual([[], []])
  expect((await signInsOf(other.id)).map(({ type }) => type)).toEqual([SignInType.REFUSED, SignInType.REFUSED])
})

test('a new user without a usable ID or email is refused', async () => {
  for (const claims of [
    { preferred_username: 'abc' },
    { email: undefined },
    { email_verified: false },
    { email_verified: 'false' },
  ]) {
    const person = personOf(claims)
    expect(await signIn(person)).toBe('?ssoError=182')
    expect(await userOf(person.sub)).toBeUndefined()
  }
})

test('a system administrator never signs in this way', async () => {
  const boss = await buildSsoUser({ isAdmin: 1, loginType: 3 })
  expect(await signIn(asPerson(boss, { name: 'Taken over' }))).toBe('?ssoError=182')
  expect(await userOf(boss.key)).toMatchObject({ name: boss.name })
  expect(await sessionsOf(boss.idx)).toEqual([])
  expect(await signInsOf(boss.id)).toMatchObject([{ type: SignInType.REFUSED, userIdx: boss.idx }])
})

test('the state of the account refuses a sign-in as with a password', async () => {
  const { suppliers, team } = await buildGroups(db, 'suppliers', 'suppliers/team')
  await db.write.updateTable('groups').set({ isDmsParent: 1 }).where('idx', '=', suppliers.idx).execute()
  const cases = [
    [{ loginType: LoginType.DEFAULT }, 182],
    [{ loginType: LoginType.NONE }, 182],
    [{ state: UserState.DISABLED }, 102],
    [{ state: UserState.DISABLED, loginFails: 5 }, 101],
    [{ state: UserState.DISABLED, otpFails: 5 }, 109],
    [{ isMortal: 1 as const, expireDT: '2020-01-01' }, 103],
    [{ group: team }, 181],
  ] as const
  for (const [over, code] of cases) {
    const user = await buildSsoUser(over)
    expect(await signIn(asPerson(user, { name: 'Changed' }))).toBe(`?ssoError=${code}`)
    expect(await sessionsOf(user.idx)).toEqual([])
    expect(await userOf(user.key)).toMatchObject({ name: user.name })
    expect((await signInsOf(user.id)).map(({ type }) => type)).toEqual([SignInType.REFUSED])
  }
  await db.write.updateTable('groups').set({ isDmsParent: 0 }).where('idx', '=', suppliers.idx).execute()
})

test('an account may have both password and single sign-on', async () => {
  const both = await buildSsoUser({ loginType: 3 })
  expect(await signIn(asPerson(both))).toBe('?sso=done')
})

test('a manager keeps exactly the rights of their authorities', async () => {
  const { office, branch } = await buildGroups(db, 'office', 'branch')
  const manager = await buildManager(db, { groups: [office], policy: 2, as: { key: 'manager-key', loginType: 2 } })
  const branchKey = (await db.read.selectFrom('groups').select('key').where('idx', '=', branch.idx).executeTakeFirst())
    ?.key
  const granted = () => db.read.selectFrom('authorityGroups').selectAll().where('groupIdx', '=', branch.idx).execute()
  await signIn(
    asPerson({ ...manager, key: 'manager-key' }, { group: branchKey, role: 'admin', isAdmin: 1, loginType: 3 }),
  )
  expect(await userOf('manager-key')).toMatchObject({ groupIdx: branch.idx, isAdmin: 0, loginType: 2 })
  expect(await granted()).toEqual([])
})

test('two first sign-ins at once both succeed, with one user', async () => {
  const person = personOf()
  const [one, other] = [openBrowser(baseUrl), openBrowser(baseUrl)]
  provider.person = person
  const callbacks = [await one.follow(LOGIN, CALLBACK), await other.follow(LOGIN, CALLBACK)]
  const portals = await Promise.all([one, other].map((browser, at) => browser.follow(callbacks[at] ?? '', PORTAL)))
  expect(portals).toEqual([`${PORTAL}?sso=done`, `${PORTAL}?sso=done`])
  const user = await userOf(person.sub)
  expect(await sessionsOf(user?.idx ?? 0)).toHaveLength(2)
  expect(await changesOf(user?.idx ?? 0)).toHaveLength(1)
})

test("signing in replaces the browser's session", async () => {
  const browser = openBrowser(baseUrl)
  const [first, second] = [await buildSsoUser(), await buildSsoUser()]
  await signIn(asPerson(first), browser)
  const before = browser.cookie(baseUrl, 'acc')
  browser.forget(provider.issuer)
  await signIn(asPerson(second), browser)
  expect(browser.cookie(baseUrl, 'acc')).not.toBe(before)
  expect((await sessionsOf(first.idx)).every(({ endDT }) => endDT !== null)).toBe(true)
  expect(await sessionOf(browser)).toMatchObject({ data: { id: second.id } })
})

test('only the linked screen opens after the sign-on', async () => {
  const browser = openBrowser(baseUrl)
  provider.person = asPerson(await buildSsoUser())
  const callback = await browser.follow(`${LOGIN}?go=approvals/7`, CALLBACK)
  expect(await browser.follow(callback, PORTAL)).toBe(`${PORTAL}?sso=done&go=approvals%2F7`)
  for (const go of ['https://evil.example.com', '//evil', 'users/1/2', 'x'.repeat(31)]) {
    const { text } = await browser.open(`${LOGIN}?${new URLSearchParams({ go })}`)
    expect(JSON.parse(text)).toMatchObject({ errorCode: 983 })
  }
})

test('a person who cancels at the provider returns to the portal and may try again', async () => {
  expect(await signIn(null)).toBe('?ssoError=184')
})

test('a sign-on belongs to the browser that began it and works once', async () => {
  const user = await buildSsoUser()
  provider.person = asPerson(user)
  const [victim, attacker] = [openBrowser(baseUrl), openBrowser(baseUrl)]
  const callback = await attacker.follow(LOGIN, CALLBACK)
  // Without the cookie, with that of another sign-on, with an altered one.
  expect(await victim.follow(callback, PORTAL)).toBe(`${PORTAL}?ssoError=184`)
  await victim.open(LOGIN)
  expect(await victim.follow(callback, PORTAL)).toBe(`${PORTAL}?ssoError=184`)
  victim.setCookie(baseUrl, 'acc-sso', 'AAAA')
  expect(await victim.follow(callback, PORTAL)).toBe(`${PORTAL}?ssoError=184`)
  const cookie = attacker.cookie(baseUrl, 'acc-sso') ?? ''
  expect(await attacker.follow(callback, PORTAL)).toBe(`${PORTAL}?sso=done`)
  expect(attacker.cookie(baseUrl, 'acc-sso')).toBeUndefined()
  const tokens = provider.requests.filter((request) => request === 'POST /token').length
  attacker.setCookie(baseUrl, 'acc-sso', cookie)
  const repeated = await Promise.all([1, 2, 3].map(() => attacker.follow(callback, PORTAL)))
  expect(repeated.every((portal) => portal === `${PORTAL}?ssoError=184`)).toBe(true)
  expect(provider.requests.filter((request) => request === 'POST /token')).toHaveLength(tokens)
  expect(await sessionsOf(user.idx)).toHaveLength(1)
  expect(cookie).not.toContain(new URL(callback).searchParams.get('state'))
})

test('a sign-on of more than ten minutes is void', async () => {
  const user = await buildSsoUser()
  provider.person = asPerson(user)
  const browser = openBrowser(baseUrl)
  const callback = await browser.follow(LOGIN, CALLBACK)
  clock.advance(minutes(10))
  expect(await browser.follow(callback, PORTAL)).toBe(`${PORTAL}?ssoError=184`)
  clock.advance(-minutes(10))
  expect(await sessionsOf(user.idx)).toEqual([])
})

test('a person signs on 60 times a minute, and further ones leave only a line in the log', async () => {
  const user = await buildSsoUser()
  const key = `sso:person:${hashToken(user.key).toString('base64url')}`
  await db.write
    .insertInto('throttles')
    .values({ key, count: 59, windowEndDT: later(clock.now(), minutes(1)) })
    .execute()
  expect(await signIn(asPerson(user))).toBe('?sso=done')
  expect(await signIn(asPerson(user, { name: 'Renamed' }))).toBe('?ssoError=113')
  expect(await sessionsOf(user.idx)).toHaveLength(1)
  expect(await signInsOf(user.id)).toHaveLength(1)
  expect((await userOf(user.key))?.name).toBe(user.name)
  expect(await signIn(asPerson(await buildSsoUser()))).toBe('?sso=done')
})

test('a session of single sign-on ends like any other', async () => {
  const browser = openBrowser(baseUrl)
  await signIn(asPerson(await buildSsoUser()), browser)
  clock.advance(days(1))
  expect(await sessionOf(browser)).toMatchObject({ errorCode: 961 })
  clock.advance(-days(1))
})

test('parameters that are too long or repeated are refused', async () => {
  const browser = openBrowser(baseUrl)
  for (const query of [`code=${'x'.repeat(9000)}`, 'state=a&state=b']) {
    const { text } = await browser.open(`${CALLBACK}?${query}`)
    expect(JSON.parse(text)).toMatchObject({ errorCode: 983 })
  }
})
