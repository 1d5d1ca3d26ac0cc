// `acc-admin` suspends, releases and removes system administrators next to a running server, never the last one.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@acc/contract'
import { createClient } from '@acc/contract/core/client'
import { UserManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { accAdminJson } from './accAdmin.ts'
import { createDataDir } from './dataDir.ts'
import { startServer } from './process.ts'
import { endedAfterAll } from './processes.ts'
import { signIn } from './signIn.ts'

const ADMIN_PASSWORD = 'Adm1n!strator'
const OWN_PASSWORD = 'Nb7#violet-Kp'
const root = await mkdtemp(join(tmpdir(), 'acc-leave-'))
const running = endedAfterAll(root)
const ENV = { ACC_DATA_DIR: join(root, 'data') }
const PC = { deviceId: 'pc-1', deviceName: 'PC', clientVersion: '1.0.0' }
const LAST = 'is the last system administrator who can sign in'

type Result = { id?: string; error?: string; temporaryPassword?: string }
const operate = (...args: string[]) => accAdminJson<Result>(['admin', ...args], ENV)
const done = (id: string) => ({ status: 0, document: { id } })
const refused = (error: string) => ({ status: 1, document: { error: expect.stringContaining(error) } })

test('a system administrator is suspended, released and removed, and the last one stays', {
  timeout: 240_000,
}, async () => {
  createDataDir(ENV.ACC_DATA_DIR)
  const server = await startServer({ ...ENV, ACC_ADMIN_PASSWORD: ADMIN_PASSWORD })
  running.push(server)
  const { baseUrl } = server
  const anonymous = createClient(api, { baseUrl })
  /** Adds an administrator with a password of their own. */
  const add = async (id: string) => {
    const { document } = await operate('add', id, '--name', id, '--email', `${id}@example.com`)
    await anonymous.account.changePw({ id, pw: document.temporaryPassword ?? '', newPw: OWN_PASSWORD })
    return signIn(baseUrl, id, OWN_PASSWORD)
  }
  const first = await signIn(baseUrl, 'admin', ADMIN_PASSWORD)
  for (const action of ['suspend', 'remove']) expect(await operate(action, 'admin')).toMatchObject(refused(LAST))
  const second = await add('second.admin')
  const { token } = await anonymous.agent.login({ id: 'second.admin', pw: OWN_PASSWORD, ...PC })
  const pc = createClient(api, { baseUrl, headers: () => ({ Authorization: `Bearer ${token}` }) })
  await pc.agent.findPolicy({})

  expect(await operate('suspend', 'SECOND.admin')).toEqual(done('second.admin'))
  for (const call of [second.session.find({}), pc.agent.findPolicy({})])
    await expect(call).rejects.toMatchObject({ error: 'SESSION_ENDED' })
  await expect(signIn(baseUrl, 'second.admin', OWN_PASSWORD)).rejects.toMatchObject({ error: 'ACCOUNT_DISABLED' })
  expect(await operate('suspend', 'second.admin')).toMatchObject(refused(`second.admin is suspended already`))
  expect(await operate('reset-password', 'second.admin')).toMatchObject(refused('release it first'))
  // Of two administrators one is suspended: the other one is the last.
  expect(await operate('remove', 'admin')).toMatchObject(refused(LAST))
  const { items } = await first.users.search({ id: 'second.admin' })
  const idx = items[0]?.idx ?? 0
  await expect(first.users.setDisabled({ idx, state: 0 })).rejects.toMatchObject({ error: 'ADMIN_SELECTED' })
  expect(await operate('release', 'second.admin')).toEqual(done('second.admin'))
  expect(await operate('release', 'second.admin')).toMatchObject(refused('is not suspended'))
  await signIn(baseUrl, 'second.admin', OWN_PASSWORD)

  expect(await operate('remove', 'second.admin')).toEqual(done('second.admin'))
  await expect(signIn(baseUrl, 'second.admin', OWN_PASSWORD)).rejects.toMatchObject({ error: 'WRONG_CREDENTIALS' })
  expect(await operate('remove', 'second.admin')).toMatchObject(refused('There is no user'))
  const rows = (await first.history.userManage({ sort: 'idx', sortOrder: 0 })).items
  expect(rows.filter(({ targetId }) => targetId === 'second.admin')).toMatchObject(
    [UserManage.CREATE, UserManage.DISABLED, UserManage.ENABLED, UserManage.DELETE].map((type) => ({
      type,
      actorId: '[acc-admin]',
    })),
  )

  await first.users.create({ id: 'plain.user', name: 'Plain', email: 'plain@example.com', groupIdx: 1, isMortal: 0 })
  for (const action of ['suspend', 'release', 'remove'])
    expect(await operate(action, 'plain.user')).toMatchObject(refused('not a system administrator'))
  await add('third.admin')
  const both = await Promise.all([operate('remove', 'admin'), operate('remove', 'third.admin')])
  expect(both.map(({ status }) => status).toSorted()).toEqual([0, 1])
  expect(both.find(({ status }) => status === 1)).toMatchObject(refused(LAST))
})
