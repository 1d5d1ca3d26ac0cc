// The steps that a request keeps: those of the policy in force when its last file arrives, seen by its requester.
import { createHash } from 'node:crypto'
import { FileExport } from '@acc/contract/labels/policies'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { withImports } from '../../../test/consoleConfig.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { mailsTo } from '../../../test/mails.ts'
import { overtake } from '../../../test/overtake.ts'
import { notifyRequesters } from '../notices/notices.requesters.ts'

const testApp = await startTestApp({ ACC_CONSOLE_CONFIG: await withImports() })
const { app, as, admin } = testApp
const { db } = app
const { sales, far } = await buildGroups(db, 'sales', 'far')
const { idx: policyIdx } = await buildPolicy(db, { group: sales, fileExport: FileExport.APPROVAL })
const employee = await buildUser(db, { group: sales })
const lead = await buildManager(db, { groups: [sales], fileExportApprove: 2, fileImportApprove: 2 })
const guard = await buildUser(db, { group: far, name: '이보안' })
const security = await buildAuthority(db, { name: '보안팀', groups: [far], users: [guard], fileExportApprove: 2 })
const board = await buildAuthority(db, { name: '경영진', groups: [far], fileExportApprove: 2 })
const pc = await openDesktopClient(testApp, employee)

const bytes = Buffer.from('plan')
const file = { name: 'plan.txt', size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
async function create(type: Transfer = Transfer.EXPORT) {
  const { idx, files } = await pc.requests.create({ type, purpose: 'test', files: [file] })
  const place = { fileEximport: idx, file: files[0]?.idx ?? 0, offset: 0 }
  return { idx, complete: () => pc.requests.upload(place, new Blob([new Uint8Array(bytes)])) }
}
const setSteps = async (...authorities: { idx: number }[]) => {
  await db.write.deleteFrom('policyApprovalSteps').where('policyIdx', '=', policyIdx).execute()
  for (const [at, { idx }] of authorities.entries())
    await db.write
      .insertInto('policyApprovalSteps')
      .values({ policyIdx, type: Transfer.EXPORT, step: at === 0 ? 2 : 3, authorityIdx: idx })
      .execute()
}
const stepsOf = async (idx: number) => {
  const row = await db.read.selectFrom('fileEximports').select(['step', 'steps']).where('idx', '=', idx).execute()
  const later = await db.read
    .selectFrom('requestSteps')
    .select(['step', 'authorityName'])
    .where('fileEximportIdx', '=', idx)
    .orderBy('step')
    .execute()
  return [...row, ...later.map(({ authorityName }) => authorityName)]
}

test('a policy that changes during the upload counts, and one that changes afterwards does not', async () => {
  await setSteps()
  const request = await create()
  await setSteps(security, board)
  expect(await stepsOf(request.idx)).toEqual([{ step: 1, steps: 1 }])
  await request.complete()
  await setSteps(security)
  expect(await stepsOf(request.idx)).toEqual([{ step: 1, steps: 3 }, '보안팀', '경영진'])
  await db.write.updateTable('authorities').set({ name: '보안실' }).where('idx', '=', security.idx).execute()
  expect(await stepsOf(request.idx)).toEqual([{ step: 1, steps: 3 }, '보안팀', '경영진'])
  await db.write.updateTable('authorities').set({ name: '보안팀' }).where('idx', '=', security.idx).execute()
})

test('an allowed request keeps no steps until a stricter policy makes it wait', async () => {
  await setSteps(security)
  await as(admin).policies.update({ idx: policyIdx, fileExport: FileExport.ALLOW })
  const { idx, complete } = await create()
  await complete()
  expect(await stepsOf(idx)).toEqual([{ step: 1, steps: 1 }])
  await as(admin).policies.update({ idx: policyIdx, fileExport: FileExport.APPROVAL })
  const { items } = await pc.requests.searchOwn({ idx })
  const download = pc.requests.downloadOwn({ fileEximport: idx, file: items[0]?.files[0]?.idx ?? 0 })
  await expect(download).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  expect(await stepsOf(idx)).toEqual([{ step: 1, steps: 2 }, '보안팀'])
})

test('steps of exports are none of imports', async () => {
  await setSteps(security)
  const { idx, complete } = await create(Transfer.IMPORT)
  await complete()
  expect(await stepsOf(idx)).toEqual([{ step: 1, steps: 1 }])
})

test('a request that completes while its authority is deleted waits for that, and keeps no step of it', async () => {
  const brief = await buildAuthority(db, { groups: [far], users: [guard], fileExportApprove: 2 })
  await setSteps(brief)
  const { idx, complete } = await create()
  await overtake(db, {
    lock: (tx) => tx.selectFrom('authorities').select('idx').where('idx', '=', brief.idx).forUpdate().execute(),
    call: complete,
    change: async (tx) => {
      await tx.deleteFrom('policyApprovalSteps').where('policyIdx', '=', policyIdx).execute()
      await tx.deleteFrom('authorities').where('idx', '=', brief.idx).execute()
    },
  })
  expect(await stepsOf(idx)).toEqual([{ step: 1, steps: 1 }])
})

test('the requester sees the step and who can decide it, in the client and by mail', async () => {
  await setSteps(security)
  const { idx, complete } = await create()
  await complete()
  const find = async () => (await pc.requests.searchOwn({ idx })).items[0]
  expect((await pc.requests.searchOwn({})).items.find((one) => one.idx === idx)).toMatchObject({ deciders: null })
  expect(await find()).toMatchObject({ step: 1, stepCount: 2, deciders: { count: 2 } })
  await as(lead).requests.decide({ idx, state: 1 })
  const people = [{ name: '이보안', forName: null }]
  expect(await find()).toMatchObject({ state: RequestState.REQUESTED, step: 2, deciders: { count: 1, people } })
  await notifyRequesters(app)
  const [mail] = await mailsTo(app, employee.email)
  expect(mail?.text).toContain(`#${idx} 반출 · 다음 승인 단계: 승인 2/2단계 · 결정할 수 있는 사람: 이보안`)
  await as(guard).requests.decide({ idx, state: 1 })
  expect(await find()).toMatchObject({ state: RequestState.APPROVED, deciders: null })
})
