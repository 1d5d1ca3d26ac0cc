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

test('a backup is made in the data directory and verified, and the system status warns of its disk', async () => {
  expect(root).toBe(join(app.env.dataDir, 'backups'))
  expect((await readStatus()).faults).toEqual([])
  await backUpNightly(app)
  expect(await readdir(root)).toHaveLength(1)
  expect(await readStatus()).toMatchObject({
    faults: ['backupOnSameDisk'],
    backup: { missing: 0, isOnSameDisk: 1, checkDT: clock.now().toISOString(), failure: null },
  })
  const history = await historyOf(app.db, 'settingManage')
  expect(history.map(({ type }) => type)).toEqual([SettingManage.MAKE_BACKUP, SettingManage.VERIFY_BACKUP])
})

test('seven are kept, and none is made where the operator wants none', async () => {
  const [made = ''] = await readdir(root)
  const earlier = Array.from({ length: 7 }, (_, day) => `2025010${day + 1}T000000000Z`)
  for (const name of earlier) await mkdir(join(root, name))
  await mkdir(join(root, 'acc-verify-interrupted'))
  await backUpNightly(app)
  const kept = (await readdir(root)).sort()
  expect(kept).toEqual([...earlier.slice(2), made, kept.at(-1)])
  await backUpNightly({ ...app, env: { ...app.env, backupDir: undefined } })
  expect((await readdir(root)).sort()).toEqual(kept)
})
