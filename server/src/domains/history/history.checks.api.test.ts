// The server verifies its history itself: new rows every day, all rows every week, with a row, a fault and gauges.
import { SettingManage } from '@acc/contract/labels/history'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { forging, keepHistory } from '../../../test/build/forgery.ts'
import { historyWriter } from '../../../test/build/historyRows.ts'
import { days, hours } from '../../clock.ts'
import { checkHistory } from './history.checks.ts'
import { sealHistory } from './history.sealing.ts'

const { app, owner, as, admin, clock, nodeUrl } = await startTestApp()
const { add } = historyWriter(app.db, clock)
const status = () => as(admin).systemStatus.find({})
const gauges = async () => (await fetch(new URL('/Metrics', nodeUrl))).text()
const rows = async () => {
  const found = await app.db.read
    .selectFrom('history')
    .select(['subject', sql<string>`detail ->> 'targetValue'`.as('value')])
    .where('type', '=', SettingManage.VERIFY_HISTORY)
    .where('kind', '=', 'settingManage')
    .orderBy('idx')
    .execute()
  return found.map(({ subject, value }) => `${subject} ${value}`)
}

beforeAll(async () => {
  await add(3)
  await sealHistory(app)
})

test('the first run verifies everything, and no other one follows on the same day', async () => {
  expect(await status()).toMatchObject({ history: { checkDT: null, finding: null } })
  await Promise.all([checkHistory(app), checkHistory(app)])
  await checkHistory(app)
  expect(await rows()).toEqual(['1-1 OK (3)'])
  expect(await status()).toMatchObject({ history: { checkDT: clock.now().toISOString(), finding: null } })
  expect(await gauges()).toMatch(/^acc_history_check_seconds 0$/m)
  expect(await gauges()).toMatch(/^acc_history_intact 1$/m)
})

test('a day later the new seals are verified, and a week later older rows that were altered are found', async () => {
  await add(1)
  await sealHistory(app)
  clock.advance(days(1))
  const { putTables } = await keepHistory(owner, app.env)
  await forging(owner, (tx) => sql`update history set subject = 'forged' where idx = 2`.execute(tx))
  await checkHistory(app)
  expect((await rows()).at(-1)).toMatch(/^2-\d+ OK/)
  expect((await status()).faults).not.toContain('historyAltered')
  clock.advance(days(6))
  await checkHistory(app)
  expect((await rows()).at(-1)).toMatch(/row 2 is not as seal 1 has it$/)
  expect((await status()).faults[0]).toBe('historyAltered')
  expect((await status()).history.finding).toBe('row 2 is not as seal 1 has it')
  clock.advance(hours(1))
  expect(await gauges()).toMatch(/^acc_history_intact 0$/m)
  await putTables()
})

test('what the database alone says of verifications is not believed', async () => {
  clock.advance(days(2))
  await owner
    .updateTable('settings')
    .set({ value: JSON.stringify({ text: Buffer.from('x').toString('base64') }) })
    .where('name', '=', 'historyChecks')
    .execute()
  expect((await status()).history.checkDT).toBeNull()
  await checkHistory(app)
  expect((await rows()).at(-1)).toMatch(/^1-\d+ OK/)
})
