// Backup, verification and restore as an operator runs them, next to a real server with its embedded database.
import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SettingManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { accAdmin, accAdminJson } from './accAdmin.ts'
import { createDataDir } from './dataDir.ts'
import { COMPILED, startServer } from './process.ts'
import { endedAfterAll } from './processes.ts'
import { signIn } from './signIn.ts'

const KILLED_RESTORE = fileURLToPath(new URL('./killedRestore.ts', import.meta.url))
const ADMIN_PASSWORD = 'Adm1n!strator'
const root = await mkdtemp(join(tmpdir(), 'acc-backup-'))
const running = endedAfterAll(root)
const [dataDir, restored, backups, ownKey] = ['data', 'restored', 'backups', 'backup.key'].map((name) =>
  join(root, name),
) as [string, string, string, string]
const withKey = ['--with-key', ownKey]

async function start(folder: string) {
  const server = await startServer({ ACC_DATA_DIR: folder, ACC_ADMIN_PASSWORD: ADMIN_PASSWORD })
  running.push(server)
  expect(server.output()).toContain('ready')
  return server
}

test('a running server is backed up with a key of its own, and restored after it died', {
  timeout: 180_000,
}, async () => {
  createDataDir(dataDir)
  const server = await start(dataDir)
  const first = await signIn(server.baseUrl, 'admin', ADMIN_PASSWORD)
  await first.users.create({ id: 'kept.user', name: 'Kept', email: 'kept@example.com', groupIdx: 1, isMortal: 0 })
  expect((await accAdmin(['backup', 'keygen', '--out', ownKey])).status).toBe(0)
  expect(await accAdmin(['backup', 'keygen', '--out', ownKey])).toMatchObject({ status: 1, output: '' })
  const env = { ACC_DATA_DIR: dataDir }
  const inside = await accAdmin(['backup', '--to', join(dataDir, 'x'), ...withKey], env)
  expect(inside).toMatchObject({ status: 1, errors: expect.stringContaining("outside the server's data") })
  const full = await accAdmin(['backup', '--to', backups, ...withKey], env, 512)
  expect(full).toMatchObject({ status: 1, output: '', errors: `acc-admin: ${backups} is full (EFBIG).\n` })
  expect(await readdir(backups)).toEqual([])
  const made = await accAdminJson<{ id: string; rows: number }>(['backup', '--to', backups, ...withKey], env)
  expect(made).toMatchObject({ status: 0, document: { rows: expect.any(Number) } })
  expect(await accAdminJson(['verify', '--from', backups, ...withKey, '--in', root], env)).toMatchObject({
    status: 0,
    // Sealed by a job at every fifth minute.
    document: { rows: made.document.rows, isRecorded: true, sealed: expect.any(Number) },
  })
  const { items } = await first.history.settingManage({ sort: 'idx' })
  expect(items.map(({ type, actorId }) => [type, actorId])).toEqual([
    [SettingManage.VERIFY_BACKUP, '[acc-admin]'],
    [SettingManage.MAKE_BACKUP, '[acc-admin]'],
  ])
  expect(items[0]?.targetName).toBe(items[1]?.targetName)
  // What a disk or a hand damages so that it does not even open is recorded as well; a wrong key is not.
  const [folder = ''] = await readdir(backups)
  const manifest = join(backups, folder, 'manifest.json')
  const text = await readFile(manifest, 'utf8')
  await writeFile(manifest, text.slice(0, -5))
  expect((await accAdmin(['verify', '--from', backups, ...withKey, '--in', root], env)).status).toBe(1)
  await writeFile(manifest, text)
  expect((await accAdmin(['verify', '--from', backups, '--in', root], env)).status).toBe(1)
  const [failed, ...earlier] = (await first.history.settingManage({ sort: 'idx' })).items
  expect(failed).toMatchObject({
    type: SettingManage.VERIFY_BACKUP,
    targetValue: expect.stringContaining('altered or cut'),
  })
  expect(earlier).toHaveLength(2)
  expect((await first.systemStatus.find({})).backup?.failure).toContain('altered or cut')
  const secret = await readFile(join(dataDir, 'secret.key'))
  for (const path of await readdir(backups, { recursive: true, withFileTypes: true })) {
    if (!path.isFile()) continue
    const content = await readFile(join(path.parentPath, path.name), 'latin1')
    expect(content).not.toContain(secret.toString('latin1').trim())
    expect(content).not.toContain('kept@example.com')
  }

  server.child.kill('SIGKILL')
  await server.ended
  const refusals: [string[], Record<string, string>, string][] = [
    [['--from', backups, ...withKey], env, 'is not empty'],
    [['--from', backups], env, 'another key'],
    [['--from', backups], { ACC_DATA_DIR: restored }, 'There is no secret key'],
    [['--from', root, ...withKey], { ACC_DATA_DIR: restored }, 'holds no backup'],
  ]
  for (const [args, given, line] of refusals) {
    const refused = await accAdmin(['restore', ...args], given)
    expect(refused).toMatchObject({ status: 1, output: '', errors: expect.stringContaining(line) })
    expect(refused.errors.trim().split('\n')).toHaveLength(1)
  }
  await mkdir(restored, { recursive: true })
  await cp(join(dataDir, 'secret.key'), join(restored, 'secret.key'))
  for (const step of ['staged', 'placed']) {
    const killed = spawnSync(process.execPath, [KILLED_RESTORE, restored, step], {
      env: { NODE_COMPILE_CACHE: COMPILED },
    })
    expect(killed.signal).toBe('SIGKILL')
    const refused = await startServer({ ACC_DATA_DIR: restored })
    expect(refused.output()).toContain(`A restore into ${restored} was interrupted: run acc-admin restore again`)
    expect((await readdir(restored)).sort()).toEqual(['.restoring', 'files', 'secret.key', 'server.lock'])
  }
  expect((await readdir(join(restored, 'files'))).sort()).toEqual(['.restoring', 'ab'])
  expect(await accAdmin(['restore', '--from', backups, ...withKey], { ACC_DATA_DIR: restored })).toMatchObject({
    status: 0,
    errors: '',
  })
  expect((await readdir(restored)).sort()).toEqual(['files', 'pg', 'secret.key', 'server.lock'])
  expect(await readdir(join(restored, 'files'))).toEqual([])
  // Killed once the database was in its place.
  await mkdir(join(restored, '.restoring'))
  const copy = await start(restored)
  expect(await readdir(restored)).not.toContain('.restoring')
  const again = await signIn(copy.baseUrl, 'admin', ADMIN_PASSWORD)
  expect((await again.users.search({ id: 'kept.user' })).items).toMatchObject([{ email: 'kept@example.com' }])
  const [last] = (await again.history.settingManage({ sort: 'idx' })).items
  expect(last).toMatchObject({ type: SettingManage.RESTORE_BACKUP, actorId: '[acc-admin]' })
})
