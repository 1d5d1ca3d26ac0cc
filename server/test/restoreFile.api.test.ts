// `acc-admin restore-file`: the copy that it takes, its record and its history.
import { randomBytes } from 'node:crypto'
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SettingManage } from '@acc/contract/labels/history'
import { expect } from 'vitest'
import { backupKeyOf } from '../src/backup/key.ts'
import { makeBackup } from '../src/backup/write.ts'
import { asSystem } from '../src/core/job.ts'
import { recordDamage } from '../src/domains/damagedFiles/damagedFiles.store.ts'
import { openMedium } from '../src/files/medium.ts'
import { pathOf } from '../src/files/names.ts'
import { updateSetting } from '../src/settings/settings.ts'
import { accAdmin, accAdminJson } from './accAdmin.ts'
import { startTestApp } from './app.ts'
import { buildGroups } from './build/groups.ts'
import { buildRequest } from './build/requests.ts'
import { buildUser } from './build/users.ts'
import { urlOf } from './postgres.ts'
import { flip, folderOf, testOnFolder } from './storedFiles.ts'

const { app, as, admin } = await startTestApp()
const { db, env } = app
const { sales } = await buildGroups(db, 'sales')
const employee = await buildUser(db, { group: sales, name: '김 대리' })
// As the start of a server does.
await asSystem(app, async (tx) => ({
  result: await updateSetting(tx, 'secretKeyFingerprint', app.key.fingerprint),
  log: 'unchanged',
}))
const backups = join(env.dataDir, 'copies')
const settings = {
  ACC_DATABASE_URL: urlOf(db.connection),
  ACC_DATA_DIR: env.dataDir,
  ACC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
}

const backUp = async () =>
  makeBackup({
    connection: db.connection,
    store: await openMedium(env.files),
    root: backups,
    key: backupKeyOf(app.key),
  })

async function buildFile(name: string) {
  const { idx, files } = await buildRequest(app, employee, { files: [{ name, bytes: randomBytes(600_000) }] })
  const storeName = files[0]?.name ?? ''
  const path = pathOf(folderOf(env), storeName)
  return { idx, storeName, path, bytes: await readFile(path) }
}

const outcomes = async (...args: string[]) => {
  const { status, document } = await accAdminJson<{ files: { fileName: string; outcome: string }[] }>(
    ['restore-file', '--from', backups, ...args],
    settings,
  )
  return { status, files: document.files.map(({ fileName, outcome }) => `${fileName}: ${outcome}`) }
}
const restored = async () =>
  (await as(admin).history.settingManage({ sort: 'idx' })).items
    .filter(({ type }) => type === SettingManage.RESTORE_FILE)
    .map(({ targetName, targetValue, actorId }) => [targetName, targetValue, actorId])

testOnFolder('recorded files get the newest intact copy of their bytes, each with a row in the history', async () => {
  const altered = await buildFile('altered.dwg')
  const lost = await buildFile('lost.dwg')
  const transient = await buildFile('transient.dwg')
  const hopeless = await buildFile('hopeless.dwg')
  await backUp()
  await flip(altered.path, 400_000)
  // The newest backup has the damaged bytes of one, and all backups those of another.
  const { folder } = await backUp()
  const copyOf = (path: string) => path.replace(folderOf(env), join(folder, 'files'))
  await rm(copyOf(altered.path))
  await cp(altered.path, copyOf(altered.path))
  await flip(copyOf(hopeless.path), 400_000)
  await flip(hopeless.path, 400_000)
  await rm(dirname(lost.path), { recursive: true })
  const unsaved = await buildFile('unsaved.dwg')
  await flip(unsaved.path, 400_000)
  // A command that was killed.
  await writeFile(`${altered.path}.new`, 'half')
  for (const { storeName } of [altered, lost, transient, hopeless, unsaved])
    await recordDamage(app, storeName, 'damaged')

  expect(await outcomes()).toEqual({
    status: 1,
    files: [
      'altered.dwg: restored',
      'lost.dwg: restored',
      'transient.dwg: intact',
      'hopeless.dwg: damaged',
      'unsaved.dwg: missing',
    ],
  })
  for (const { path, bytes } of [altered, lost, transient]) expect(await readFile(path)).toEqual(bytes)
  for (const { path, bytes } of [hopeless, unsaved]) expect(await readFile(path)).not.toEqual(bytes)
  expect(await readdir(dirname(altered.path))).toEqual([altered.storeName])
  expect((await stat(lost.path)).mode & 0o777).toBe(0o600)
  const left = (await as(admin).systemStatus.find({})).damagedFiles.items.map(({ fileName }) => fileName)
  expect(left.sort()).toEqual(['hopeless.dwg', 'unsaved.dwg'])
  expect(await restored()).toEqual([
    ['lost.dwg', `request ${lost.idx} of 김 대리`, '[acc-admin]'],
    ['altered.dwg', `request ${altered.idx} of 김 대리`, '[acc-admin]'],
  ])

  // What is in the store by now is no copy of a backup, and a name that no row has is no path.
  await flip(hopeless.path, 400_000)
  expect(await outcomes('--file', hopeless.storeName)).toEqual({ status: 0, files: ['hopeless.dwg: intact'] })
  const unknown = await accAdmin(['restore-file', '--from', backups, '--file', '../../etc/passwd'], settings)
  expect(unknown).toMatchObject({ status: 1, output: '', errors: expect.stringContaining('has a stored file') })
  expect(await restored()).toHaveLength(2)
})

testOnFolder(
  'a file that is not recorded is restored by its name, and nothing is written without the key',
  async () => {
    const { path, storeName, bytes } = await buildFile('named.dwg')
    await backUp()
    await flip(path, 400_000)
    const args = ['restore-file', '--from', backups, '--file', storeName]
    const { ACC_SECRET_KEY: _, ...keyless } = settings
    expect(await accAdmin(args, keyless)).toMatchObject({ status: 1, errors: expect.stringContaining('no secret key') })
    const otherKey = { ...settings, ACC_SECRET_KEY: Buffer.alloc(32, 8).toString('base64') }
    expect(await accAdmin(args, otherKey)).toMatchObject({
      status: 1,
      errors: expect.stringContaining('not the one given'),
    })
    expect(await readFile(path)).not.toEqual(bytes)
    const { status, output } = await accAdmin(args, settings)
    expect({ status, output }).toEqual({
      status: 0,
      output: expect.stringMatching(/^named\.dwg of request \d+ of 김 대리: restored from .*\/files\n$/),
    })
    expect(await readFile(path)).toEqual(bytes)
  },
)
