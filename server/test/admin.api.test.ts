// `acc-admin` as operators run it, while a real server runs and while it is stopped.
import { cp, mkdtemp, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@acc/contract'
import { DEFAULT_PROTECTION } from '@acc/contract/accountProtection'
import { createClient } from '@acc/contract/core/client'
import { UserManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { accAdmin, accAdminJson } from './accAdmin.ts'
import { createDataDir } from './dataDir.ts'
import { startServer } from './process.ts'
import { endedAfterAll } from './processes.ts'
import { signIn } from './signIn.ts'

const ADMIN_PASSWORD = 'Adm1n!strator'
const OWN_PASSWORD = 'Nb7#violet-Kp'

const root = await mkdtemp(join(tmpdir(), 'acc-admin-'))
const running = endedAfterAll(root)
const dataDir = join(root, 'data')

test.each([
  [['verify-history', '--expect', '1:abc'], 2, '--expect takes'],
  [['verify-history', '--public-key', 'x'], 2, '--public-key takes'],
  [['admin', 'remove'], 2, 'Missing ID'],
  [['admin', 'reomve', 'x'], 2, 'is it "admin remove"?'],
  [['admin', 'add', 'X', '--name', 'x', '--email', 'x@example.com'], 2, 'ID takes'],
  [['admin', 'add', 'second', '--name', 'x', '--email', 'nowhere'], 2, '--email takes'],
  [['admin', 'reset-password', 'admin', '--force'], 2, '--force'],
  [['admin', 'reset-password', 'admin'], 1, 'holds no database'],
] as const)('%j ends with a line that says why', async (args, status, line) => {
  const outcome = await accAdmin(args, { ACC_DATA_DIR: join(root, 'nowhere') })
  expect(outcome).toMatchObject({ status, output: '' })
  expect(outcome.errors).toContain(line)
  expect(outcome.errors.trim().split('\n')).toHaveLength(1)
})

test('a setting that cannot be used ends with 78; help and version need none', async () => {
  expect((await accAdmin(['admin', 'reset-password', 'admin'], { ACC_PORT: 'x' })).status).toBe(78)
  expect((await accAdmin(['--help'])).output).toContain('backup keygen')
  expect((await accAdmin(['--version'])).output).toMatch(/^\d+\.\d+\.\d+\n$/)
})

const ENV = { ACC_DATA_DIR: dataDir, ACC_ADMIN_PASSWORD: ADMIN_PASSWORD }
async function start() {
  const server = await startServer(ENV)
  running.push(server)
  expect(server.output()).toContain('ready')
  return server
}

type Credentials = { id: string; temporaryPassword: string }
const operate = async (args: readonly string[]) => (await accAdminJson<Credentials>(args, ENV)).document

test('administrators are added and get back their access while the server runs and while it does not', {
  timeout: 120_000,
}, async () => {
  createDataDir(dataDir)
  const server = await start()
  const { baseUrl } = server
  const first = await signIn(baseUrl, 'admin', ADMIN_PASSWORD)

  const add = ['admin', 'add', 'second.admin', '--name', '둘째 관리자', '--email', 'second@example.com']
  const added = await operate(add)
  expect(added).toMatchObject({ id: 'second.admin', temporaryPassword: expect.stringMatching(/^\S{16}$/) })
  expect(await accAdminJson(add, ENV)).toEqual({ status: 1, document: { error: 'This ID is already in use.' } })
  const temporary = { id: added.id, pw: added.temporaryPassword }
  await expect(signIn(baseUrl, temporary.id, temporary.pw)).rejects.toMatchObject({ code: 104 })
  await createClient(api, { baseUrl }).account.changePw({ ...temporary, newPw: OWN_PASSWORD })
  const second = await signIn(baseUrl, added.id, OWN_PASSWORD)
  expect((await second.session.find({})).role).toBe(0)
  await second.loginPolicy.setProtection({ ...DEFAULT_PROTECTION, passwordHistory: 1 })

  const reset = await operate(['admin', 'reset-password', 'ADMIN'])
  await expect(first.session.find({})).rejects.toMatchObject({ code: 962 })
  await expect(signIn(baseUrl, 'admin', ADMIN_PASSWORD)).rejects.toMatchObject({ code: 100 })
  await expect(signIn(baseUrl, 'admin', reset.temporaryPassword)).rejects.toMatchObject({ code: 104 })

  await second.users.create({ id: 'plain.user', name: 'Plain', email: 'plain@example.com', groupIdx: 1, isMortal: 0 })
  for (const [id, why] of [
    ['plain.user', 'not a system administrator'],
    ['nobody.here', 'no user'],
  ] as const) {
    const refused = await accAdminJson<{ error: string }>(['admin', 'reset-password', id], ENV)
    expect(refused).toMatchObject({ status: 1, document: { error: expect.stringContaining(why) } })
  }
  expect(await accAdminJson(['admin', 'reset-otp', 'admin'], ENV)).toEqual({
    status: 1,
    document: { error: 'admin has no authenticator.' },
  })
  // Proven once the first seal is made, which a job does every five minutes.
  const verified = await accAdminJson<{ isProven: boolean }>(['verify-history'], ENV)
  expect(verified).toMatchObject({ document: { rows: expect.any(Number), isProven: expect.any(Boolean) } })
  expect(verified.status).toBe(verified.document.isProven ? 0 : 3)
  const accepted = await accAdminJson(['accept-history'], ENV)
  expect(accepted).toMatchObject({ status: 0, document: { no: expect.any(Number) } })
  const forged = await accAdminJson<{ error: string }>(['verify-history', '--expect', `999:${'0'.repeat(64)}`], ENV)
  expect(forged).toMatchObject({
    status: 1,
    document: { error: expect.stringContaining('seal 999 is not the expected') },
  })
  const { items } = await second.history.userManage({ sort: 'idx' })
  const rows = items.filter(({ actorId }) => actorId === '[acc-admin]')
  expect(rows).toMatchObject([
    { type: UserManage.RESET_PW, targetId: 'admin', actorName: expect.stringMatching(/./) },
    { type: UserManage.CREATE, targetId: 'second.admin' },
  ])
  expect(JSON.stringify(items)).not.toContain(added.temporaryPassword)

  const nextKey = join(dataDir, 'secret.key.next')
  const refusedRotation = async (line: string) => {
    const refused = await accAdmin(['rotate-key'], ENV)
    expect(refused).toMatchObject({ status: 1, output: '', errors: expect.stringContaining(line) })
    expect(refused.errors.trim().split('\n')).toHaveLength(1)
  }
  await refusedRotation('There is no next key')
  await writeFile(nextKey, 'a'.repeat(43), { mode: 0o600 })
  await refusedRotation('must be 32 bytes in base64')
  await cp(join(dataDir, 'secret.key'), nextKey)
  await refusedRotation('the next key is the same')
  // Stopped, the server does not take up the key by itself before the command runs.
  server.child.kill('SIGSTOP')
  await writeFile(nextKey, Buffer.alloc(32, 9).toString('base64'))
  await refusedRotation('do not hold the next key')

  server.child.kill('SIGCONT')
  server.child.kill('SIGTERM')
  await server.ended
  expect(await accAdminJson(['rotate-key'], ENV)).toMatchObject({
    status: 0,
    document: { sealed: expect.any(Number), lost: 0 },
  })
  expect(await accAdminJson(['rotate-key'], ENV)).toMatchObject({ status: 0, document: { sealed: 0, lost: 0 } })
  const early = await accAdmin(['backup', '--to', join(root, 'backups')], ENV)
  expect(early).toMatchObject({ status: 1, errors: expect.stringContaining('was rotated to') })
  await rename(nextKey, join(dataDir, 'secret.key'))
  const { id, temporaryPassword: pw } = await operate(['admin', 'reset-password', 'second.admin'])
  const repeated = await start()
  await expect(signIn(repeated.baseUrl, id, OWN_PASSWORD)).rejects.toMatchObject({ code: 100 })
  await expect(signIn(repeated.baseUrl, id, pw)).rejects.toMatchObject({ code: 104 })
  // The password before is a former one.
  const reuse = createClient(api, repeated).account.changePw({ id, pw, newPw: OWN_PASSWORD })
  await expect(reuse).rejects.toMatchObject({ error: 'UNSUITABLE_PASSWORD', data: { reason: 'former' } })
})
