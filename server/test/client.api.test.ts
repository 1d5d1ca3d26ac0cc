// `acc-client` as users run it, against the real server: sign-in, policy, reports, errors, sign-out.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignInType } from '@acc/contract/labels/history'
import { FileExport } from '@acc/contract/labels/policies'
import { UserState } from '@acc/contract/labels/users'
import { afterAll, expect, test } from 'vitest'
import { accClient } from './accClient.ts'
import { startTestApp } from './app.ts'
import { buildGroups } from './build/groups.ts'
import { buildUser } from './build/users.ts'
import { historyOf } from './history.ts'
import { registered, SECRET, totpOf, wrongTotpOf } from './otp.ts'

const { app, as, admin, baseUrl, clock } = await startTestApp()
const folder = await mkdtemp(join(tmpdir(), 'acc-client-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const PASSWORD = 'Qa9!zebra-Lm'
const NEW_PASSWORD = 'Nb7#violet-Kp'
const { sales } = await buildGroups(app.db, 'sales')
await as(admin).groups.setIsMyPolicy({ idx: sales.idx, isMyPolicy: 1 })
const { idx: policyIdx } = await as(admin).policies.find({ ownerIdx: sales.idx, ownerType: 0 })
await as(admin).policies.update({ idx: policyIdx, fileExport: FileExport.APPROVAL })
const hong = await buildUser(app.db, { group: sales, name: '홍길동', password: PASSWORD })
const pc = accClient(baseUrl, folder)

const signInsOf = (userIdx: number) =>
  app.db.read
    .selectFrom('signIns')
    .select(['kind', 'type', 'clientVersion', 'deviceName', 'logoutType'])
    .where('userIdx', '=', userIdx)
    .orderBy('idx')
    .execute()
const devicesOf = (userIdx: number) =>
  app.db.read.selectFrom('devices').select(['deviceId', 'deviceName']).where('userIdx', '=', userIdx).execute()

test('a wrong password is reported in words or as JSON, and opens nothing', async () => {
  const result = await pc.login(hong.id, 'wrong')
  expect(result).toEqual({
    status: 1,
    output: '',
    errors: 'acc-client: The ID or password is incorrect. Check both and try again.\n',
  })
  const login = ['login', hong.id, '--password-stdin']
  const { status, document } = await pc.json(login, { input: 'wrong' })
  expect({ status, document }).toEqual({
    status: 1,
    document: { errorCode: 100, message: 'The ID or password is incorrect. Check both and try again.' },
  })
  const korean = await accClient(baseUrl, folder, 'ko_KR.UTF-8').run(login, { input: 'wrong' })
  expect(korean.errors).toBe('acc-client: 아이디 또는 비밀번호가 일치하지 않습니다. 다시 확인해 주세요.\n')
  expect(await readFile(pc.state, 'utf8')).not.toContain('token')
  expect(await devicesOf(hong.idx)).toEqual([])
  expect((await signInsOf(hong.idx)).map(({ type }) => type)).toEqual(Array(3).fill(SignInType.PW_FAILED))
})

test('without a sign-in every command says so', async () => {
  expect(await pc.json(['policy'])).toMatchObject({ status: 1, document: { errorCode: 960 } })
})

test('signing in registers the PC once and keeps the token where only its owner reads it', async () => {
  const options = ['--device-name', '노트북', '--client-version', '2.1']
  const login = ['login', hong.id, '--password-stdin', ...options]
  const first = await pc.json<{ deviceId: string }>(login, { input: PASSWORD })
  expect(first).toMatchObject({ status: 0, document: { server: baseUrl, user: { id: hong.id, groupName: 'sales' } } })
  const second = await pc.json(login, { input: `${PASSWORD}\r\n` })
  expect(second.document).toMatchObject({ deviceId: first.document.deviceId })
  const { session } = JSON.parse(await readFile(pc.state, 'utf8'))
  expect((await stat(pc.state)).mode & 0o777).toBe(0o600)
  expect(JSON.stringify([first, second])).not.toContain(session.token)
  expect(await devicesOf(hong.idx)).toEqual([{ deviceId: first.document.deviceId, deviceName: '노트북' }])
  expect((await signInsOf(hong.idx)).slice(-2)).toMatchObject([
    { kind: 'client', type: SignInType.LOGIN, clientVersion: '2.1', logoutType: 0 },
    { kind: 'client', type: SignInType.LOGIN, logoutType: null },
  ])
})

test('the policy is the one of the group', async () => {
  const { status, document } = await pc.json(['policy'])
  expect(status).toBe(0)
  expect(document).toMatchObject({ ownerName: 'sales', policy: { fileExport: FileExport.APPROVAL } })
  expect((await pc.run(['policy'])).output).toMatch(/File export +Approval required/)
})

test('exceptions and shortcuts are printed below the values', async () => {
  const web = await as(admin).shortcuts.createWeb({ name: 'Wiki', url: 'https://wiki.example.com' })
  const rule = { idx: -1, description: 'Lab', type: 1, ip1: '10.0.0.1', ip2: '10.0.0.9', port: 0, access: 1 } as const
  await as(admin).policies.update({ idx: policyIdx, policyNetworkExceptions: [rule], shortcutWebIdxes: [web.idx] })
  const { document } = await pc.json(['policy'])
  expect(document).toMatchObject({ policyNetworkExceptions: [{ ip1: '10.0.0.1' }], shortcutWebs: [{ name: 'Wiki' }] })
  const { output } = await pc.run(['policy'])
  expect(output).toMatch(/^Virtual network exceptions\n {2}Lab +10\.0\.0\.1 – 10\.0\.0\.9 +\* +Allowed$/m)
  expect(output).toMatch(/^Web shortcuts\n {2}Wiki +https:\/\/wiki\.example\.com$/m)
  expect(output).not.toContain('Loopback exceptions')
  expect(output).not.toContain('siteConfig')
  await as(admin).configTexts.setSiteConfig({ siteConfig: '<site>\n  <host>{{HOST}}</host>\n</site>' })
  const { host } = new URL(app.env.publicUrl)
  expect((await pc.run(['policy'])).output).toContain(`siteConfig\n  <site>\n    <host>${host}</host>\n  </site>`)
})

test('a report of blocked connections counts once', async () => {
  const report = join(folder, 'blocks.json')
  const block = { type: 1, targetIp: '203.0.113.7', blockDT: '2026-01-31T09:30:00+09:00', processName: 'curl.exe' }
  await writeFile(report, JSON.stringify(Array(1001).fill(block)))
  const sent = { batches: 2, blocks: 1001 }
  expect(await pc.json(['report-blocks', report])).toEqual({ status: 0, document: { ...sent, accepted: 1001 } })
  expect(await pc.json(['report-blocks', report])).toEqual({ status: 0, document: { ...sent, accepted: 0 } })
  const kept = await historyOf(app.db, 'networkAccess')
  expect(kept).toHaveLength(1001)
  await writeFile(report, '[{"type": 7}]')
  expect(await pc.json(['report-blocks', report])).toMatchObject({ status: 1, document: { errorCode: 1000 } })
  expect(await historyOf(app.db, 'networkAccess')).toHaveLength(1001)
})

test('supplier staff replace a temporary password with the client and sign in with their own', async () => {
  const { suppliers } = await buildGroups(app.db, 'makers/suppliers')
  const { makers } = await buildGroups(app.db, 'makers')
  await as(admin).groups.setIsDmsParent({ idx: makers.idx })
  const partner = await buildUser(app.db, { group: suppliers, state: UserState.NEW, password: PASSWORD })
  const own = accClient(baseUrl, await mkdtemp(join(folder, 'partner-')))
  const login = ['login', partner.id, '--password-stdin']
  expect(await own.json(login, { input: PASSWORD })).toMatchObject({ status: 1, document: { errorCode: 104 } })
  const change = ['password', partner.id, '--password-stdin']
  expect(await own.run(change, { input: PASSWORD })).toMatchObject({ status: 2 })
  const unsuitable = await own.json(change, { input: `${PASSWORD}\nshort` })
  expect(unsuitable).toMatchObject({ status: 1, document: { errorCode: 108 } })
  expect(await own.run(change, { input: `${PASSWORD}\n${NEW_PASSWORD}\n` })).toEqual({
    status: 0,
    output: 'The password was changed. Sign in with the new one.\n',
    errors: '',
  })
  expect(await historyOf(app.db, 'account')).toMatchObject([{ subjectIdx: partner.idx }])
  expect(await own.json(login, { input: NEW_PASSWORD })).toMatchObject({ status: 0 })
  // A former password is refused.
  const former = await own.json(change, { input: `${NEW_PASSWORD}\n${PASSWORD}` })
  expect(former).toMatchObject({ status: 1, document: { errorCode: 108 } })
  expect(await own.run(change, { input: `${NEW_PASSWORD}\nRt5&copper-Wm` })).toMatchObject({ status: 0 })
  expect(JSON.parse(await readFile(own.state, 'utf8'))).not.toHaveProperty('session')
})

test('the exit status distinguishes a wrong command line and a missing server', async () => {
  expect((await pc.run(['polcy'])).status).toBe(2)
  const nowhere = accClient('http://127.0.0.1:1', folder)
  expect((await nowhere.login(hong.id, PASSWORD)).status).toBe(3)
  const login = ['login', hong.id, '--password-stdin']
  expect(await nowhere.json(login, { input: PASSWORD })).toMatchObject({ status: 1, document: { errorCode: 1000 } })
})

test('signing out ends the session, and the token is gone', async () => {
  expect(await pc.json(['logout'])).toEqual({ status: 0, document: { server: baseUrl, signedOut: 1 } })
  const { deviceId, session } = JSON.parse(await readFile(pc.state, 'utf8'))
  expect([typeof deviceId, session]).toEqual(['string', undefined])
  expect((await signInsOf(hong.idx)).at(-1)).toMatchObject({ logoutType: 0 })
  expect(await pc.json(['logout'])).toEqual({ status: 0, document: { server: baseUrl, signedOut: 0 } })
})

test('people with an authenticator pass a code to sign in and to change the password, each code once', async () => {
  const user = await buildUser(app.db, { group: sales, password: PASSWORD })
  await registered(app, user)
  const login = ['login', user.id, '--password-stdin']
  const requested = await pc.run(login, { input: PASSWORD })
  expect(requested.errors).toBe('acc-client: The code from your authenticator app is required. Pass it with --otp.\n')
  const code = await totpOf(SECRET, clock)
  const wrong = await pc.json([...login, '--otp', await wrongTotpOf(SECRET, clock)], { input: PASSWORD })
  expect(wrong).toMatchObject({ status: 1, document: { errorCode: 106 } })
  const used = await pc.run([...login, '--otp', code], { input: PASSWORD })
  expect(used).toMatchObject({ status: 0, errors: '' })
  const repeated = await pc.run([...login, '--otp', code], { input: PASSWORD })
  expect(repeated.errors).toContain('has expired or was used')
  const change = ['password', user.id, '--password-stdin']
  const input = `${PASSWORD}\n${NEW_PASSWORD}\n`
  expect(await pc.json(change, { input })).toMatchObject({ status: 1, document: { errorCode: 112 } })
  clock.advance(60_000)
  const changed = await pc.run([...change, '--otp', await totpOf(SECRET, clock)], { input })
  expect(changed).toMatchObject({ status: 0, output: 'The password was changed. Sign in with the new one.\n' })
  const types = (await signInsOf(user.idx)).map(({ type }) => type)
  expect(types).toEqual([SignInType.OTP_FAILED, SignInType.OTP_SUCCESS])
})

test('people who have to register an authenticator are sent to the portal', async () => {
  const user = await buildUser(app.db, { group: sales, password: PASSWORD, useOtp: 1 })
  const { errors } = await pc.run(['login', user.id, '--password-stdin'], { input: PASSWORD })
  expect(errors).toBe('acc-client: No authenticator app is registered. Sign in to the portal to register one.\n')
  const change = ['password', user.id, '--password-stdin']
  const { output } = await pc.run(change, { input: `${PASSWORD}\n${NEW_PASSWORD}\n` })
  expect(output).toContain('Sign in to the portal with the new one to register an authenticator app.')
})
