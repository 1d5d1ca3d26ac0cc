// Reports of blocked connections: logged once, repeated batches recognized for 90 days.
import { randomUUID } from 'node:crypto'
import { NetworkBlock } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { historyOf } from '../../../test/history.ts'
import { overtake } from '../../../test/overtake.ts'
import { days } from '../../clock.ts'
import { MAX_PER_DAY, networkBlockJobs } from './networkBlocks.service.ts'

const testApp = await startTestApp()
const { app, as, admin, clock } = testApp
const { db } = app
const employee = await buildUser(db, { id: 'haneul' })

test('blocked connections are logged once, however often their batch comes', async () => {
  const pc = await openDesktopClient(testApp, employee)
  const block = (targetIp: string) => ({
    type: NetworkBlock.BLOCK_LOCAL,
    targetIp,
    blockDT: '2026-01-31T09:30:00+09:00',
    processName: 'curl.exe',
  })
  const batch = { batchId: randomUUID(), blocks: [block('203.0.113.7'), block('203.0.113.8')] }
  const answers = await Promise.all([
    pc.networkBlocks.report(batch),
    pc.networkBlocks.report(batch),
    pc.networkBlocks.report(batch),
  ])
  expect(answers.map(({ accepted }) => accepted).toSorted()).toEqual([0, 0, 2])
  expect(await historyOf(db, 'networkAccess')).toMatchObject([
    {
      type: NetworkBlock.BLOCK_LOCAL,
      actorIdx: employee.idx,
      subject: '203.0.113.7',
      groupIdx: employee.groupIdx,
      detail: { userId: 'haneul', processName: 'curl.exe', blockDT: '2026-01-31T00:30:00.000Z' },
    },
    { subject: '203.0.113.8' },
  ])
  const other = await openDesktopClient(testApp, await buildUser(db))
  expect(await other.networkBlocks.report(batch)).toEqual({ accepted: 2 })
})

test.each(['9999-12-31T23:59:59-23:59', '0001-01-01T00:00:00+23:59', '0000-01-01T00:00:00Z'])(
  'a PC whose clock shows %s is refused, and the history remains readable',
  async (blockDT) => {
    const pc = await openDesktopClient(testApp, employee)
    const block = { type: NetworkBlock.BLOCK_LOCAL, targetIp: '203.0.113.10', blockDT }
    const report = pc.networkBlocks.report({ batchId: randomUUID(), blocks: [block] })
    await expect(report).rejects.toMatchObject({ error: 'INVALID_INPUT', data: { fields: ['blocks.0.blockDT'] } })
    expect((await as(admin).history.networkAccess({ userId: employee.id })).items).not.toEqual([])
  },
)

test('a report of a PC that is removed during the call is refused', async () => {
  const pc = await openDesktopClient(testApp, employee)
  const block = { type: 0, targetIp: '203.0.113.9', blockDT: '2026-01-01T00:00:00Z' } as const
  const answer = await overtake(db, {
    lock: (tx) => tx.deleteFrom('devices').where('idx', '=', pc.deviceIdx).execute(),
    call: () => pc.networkBlocks.report({ batchId: randomUUID(), blocks: [block] }),
  })
  expect(answer).toMatchObject({ error: 'DEVICE_REMOVED' })
})

test('batches of blocked connections are forgotten after 90 days', async () => {
  const pc = await openDesktopClient(testApp, employee)
  const batch = {
    batchId: '00000000-0000-4000-8000-000000000001',
    blocks: [{ type: 0, targetIp: '203.0.113.1', blockDT: '2026-01-01T00:00:00Z' }],
  } as const
  await pc.networkBlocks.report({ ...batch, blocks: [...batch.blocks] })
  const job = networkBlockJobs.find(({ name }) => name === 'dropOldBatches')
  clock.advance(days(89))
  await job?.run(app, {})
  const kept = () =>
    db.read.selectFrom('networkBlockBatches').select('batchId').where('batchId', '=', batch.batchId).execute()
  expect(await kept()).toHaveLength(1)
  clock.advance(days(2))
  await job?.run(app, {})
  expect(await kept()).toEqual([])
})

test('only a limited number of connections of a device is logged within a day', async () => {
  const user = await buildUser(db)
  const pc = await openDesktopClient(testApp, user)
  const batchOf = (count: number) => ({
    batchId: randomUUID(),
    blocks: Array.from({ length: count }, () => ({
      type: NetworkBlock.BLOCK_VIRTUAL,
      targetIp: '203.0.113.9',
      blockDT: '2026-01-31T09:30:00Z',
    })),
  })
  const report = (count: number) => pc.networkBlocks.report(batchOf(count))
  const countRows = async () =>
    (await historyOf(db, 'networkAccess')).filter(({ actorIdx }) => actorIdx === user.idx).length
  const answers = []
  for (let batch = 0; batch < 4; batch++) answers.push((await report(1000)).accepted)
  answers.push(...(await Promise.all([report(600), report(600)])).map(({ accepted }) => accepted))
  expect(answers.slice(0, 4)).toEqual([1000, 1000, 1000, 1000])
  expect(answers.slice(4).toSorted()).toEqual([400, 600])
  const countBatches = async () =>
    (await db.read.selectFrom('networkBlockBatches').select('batchId').where('userIdx', '=', user.idx).execute()).length
  expect(await report(1)).toEqual({ accepted: 0 })
  expect(await countBatches()).toBe(6)
  expect(await countRows()).toBe(MAX_PER_DAY)
  const other = await openDesktopClient(testApp, user)
  expect(await other.networkBlocks.report(batchOf(1))).toEqual({ accepted: 1 })
  clock.advance(days(1))
  const nextDay = await openDesktopClient(testApp, user)
  await db.write.updateTable('networkBlockBatches').set({ deviceIdx: nextDay.deviceIdx }).execute()
  expect(await nextDay.networkBlocks.report(batchOf(1))).toEqual({ accepted: 1 })
})
