// The backup of every night: made, verified, shown, and kept for a week.
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { historyOf } from '../../test/history.ts'
import { backUpNightly } from './nightly.ts'

const { app, admin, as, clock } = await startTestApp()
const readStatus = () => as(admin).systemStatus.find({})
const root = app.env.backupDir ?? ''

test('a backup is made in the data directory, verified, and the newest seven are kept', async () => {
  expect(root).toBe(join(app.env.dataDir, 'backups'))
  expect((await readStatus()).faults).toEqual([])
  const earlier = Array.from({ length: 8 }, (_, day) => `2025010${day + 1}T000000000Z`)
  for (const name of [...earlier, 'acc-verify-interrupted']) await mkdir(join(root, name), { recursive: true })
  await backUpNightly(app)
  const kept = (await readdir(root)).sort()
  const made = kept.at(-1) ?? ''
  expect(earlier).not.toContain(made)
  expect(kept).toEqual([...earlier.slice(2), made])
  expect(await readStatus()).toMatchObject({
    faults: ['backupOnSameDisk'],
    backup: { missing: 0, isOnSameDisk: 1, checkDT: clock.now().toISOString(), failure: null },
  })
  const history = await historyOf(app.db, 'settingManage')
  expect(history.map(({ type }) => type)).toEqual([SettingManage.MAKE_BACKUP, SettingManage.VERIFY_BACKUP])
})

test('none is made where the operator wants none', async () => {
  const before = await readdir(root)
  await backUpNightly({ ...app, env: { ...app.env, backupDir: undefined } })
  expect(await readdir(root)).toEqual(before)
})
