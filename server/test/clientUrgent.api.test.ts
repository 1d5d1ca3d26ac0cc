// Urgent exports through `acc-client`: downloaded before anybody approves them, and closed by an objection.
import { FileExport } from '@acc/contract/labels/policies'
import { RequestState, Review } from '@acc/contract/labels/requests'
import type { OwnRequest } from '@acc/contract/requests'
import { expect, test } from 'vitest'
import { accClient } from './accClient.ts'
import { buildExportScenario, expectSaved } from './exportScenario.ts'

const { app, admin, proxy, folder, setFileExport, pc, makeFile } = await buildExportScenario()
const REASON = 'The customer waits for the drawing at the site.'
const setUrgent = (urgentExport: 0 | 1) => app.db.write.updateTable('policies').set({ urgentExport }).execute()
const requestUrgent = async (reason = REASON) =>
  ['request', '--purpose', 'for the customer', '--urgent', reason, (await makeFile('a.dwg', 10)).path] as const

test('a wrong reason, an import and a resumed request are refused before anything is sent', async () => {
  const { path } = await makeFile('b.dwg', 10)
  for (const args of [
    ['--purpose', 'p', '--urgent', 'too short', path],
    ['--purpose', 'p', '--urgent', 'x'.repeat(201), path],
    ['--purpose', 'p', '--type', 'import', '--urgent', REASON, path],
    ['--resume', '1', '--urgent', REASON, path],
  ])
    expect(await pc.run(['request', ...args])).toMatchObject({ status: 2, output: '' })
  expect(await app.db.read.selectFrom('fileEximports').select('idx').execute()).toEqual([])
})

test('without the switch of the policy the advice is to request it without --urgent', async () => {
  await setFileExport(FileExport.APPROVAL)
  const { status, errors } = await pc.run(await requestUrgent())
  expect([status, errors]).toEqual([1, expect.stringContaining('Request the export without --urgent.')])
  const korean = await accClient(proxy.url, folder, 'ko_KR.UTF-8').run(await requestUrgent())
  expect(korean.errors).toContain('--urgent 없이 요청해 주세요.')
})

test('it is downloaded at once, names its reviewers and their time, and is closed by an objection', async () => {
  await setUrgent(1)
  const file = await makeFile('plan.dwg', 20)
  const request = ['request', '--purpose', 'site', '--urgent', REASON, file.path]
  const { status, document } = await pc.json<OwnRequest>(request)
  expect({ status, ...document }).toMatchObject({ status: 0, state: RequestState.ALLOWED, urgentReason: REASON })
  const { idx } = document
  const { output } = await pc.run(['status', String(idx)])
  expect(output).toContain(`Request ${idx}: export, to review`)
  expect(output).toMatch(/Urgent reason +The customer waits/)
  expect(output).toMatch(/Review due +\d{4}-/)
  expect(output).toMatch(/Approvers +\S/)
  const download = (to: string) => ['download', String(idx), '--to', to]
  expect(await pc.json(download(`${folder}/first`))).toMatchObject({ status: 0 })
  await expectSaved(`${folder}/first`, [file])
  await admin.urgentExports.review({ idx, decision: Review.OBJECT, purpose: 'not urgent' })
  expect(await pc.json(download(`${folder}/second`))).toMatchObject({ status: 1, document: { errorCode: 170 } })
  const after = await pc.run(['status', String(idx)])
  expect(after.output).toContain('rejected')
  expect(after.output).toContain('not urgent')
  expect(after.output).not.toContain('Review due')
})

test('too many reviews are reported, and a policy that allows exports needs none', async () => {
  for (let count = 0; count < 3; count++) await pc.json(await requestUrgent())
  expect(await pc.json(await requestUrgent())).toMatchObject({ status: 1, document: { errorCode: 174 } })
  await setFileExport(FileExport.ALLOW)
  await app.db.write.updateTable('policies').set({ fileExportSetBy: null }).execute()
  const { status, output } = await pc.run(await requestUrgent())
  expect([status, output]).toEqual([0, expect.stringContaining('so it needs no review.')])
})
