// Files into the secure workspace through `acc-client`: an import always waits, is decided by those who may decide
// imports, and only then reaches the requester's desktop, byte for byte.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FileExport } from '@acc/contract/labels/policies'
import { Decision, RequestEvent, RequestState, Transfer } from '@acc/contract/labels/requests'
import type { OwnRequest } from '@acc/contract/requests'
import { expect, test } from 'vitest'
import { notifyRequesters } from '../src/domains/notices/notices.requesters.ts'
import { buildManager } from './build/authorities.ts'
import { withImports } from './consoleConfig.ts'
import { buildExportScenario, expectSaved } from './exportScenario.ts'
import { historyOf } from './history.ts'
import { mailsTo } from './mails.ts'
import { unzip } from './unzip.ts'

const scenario = await buildExportScenario({ ACC_CONSOLE_CONFIG: await withImports() })
const { app, as, fetchAs, folder, sales, employee, setFileExport, pc, makeFile } = scenario
const importer = await buildManager(app.db, { groups: [sales], fileImportApprove: 2, log: 1 })
const exporter = await buildManager(app.db, { groups: [sales], fileExportApprove: 2 })
const viewer = await buildManager(app.db, { groups: [sales], fileImportApprove: 1 })

const requestImport = (...paths: string[]) =>
  pc.json<OwnRequest>(['request', '--type', 'import', '--purpose', '자료 반입', ...paths])
const NOT_ALLOWED = { error: 'NOT_ALLOWED' }

test('an import waits although exports are blocked or free, and reaches the desktop once it is approved', async () => {
  const files = [await makeFile('drawing.dwg', 3_000_000), await makeFile('메모.txt', 12)]
  await setFileExport(FileExport.BLOCK)
  const { status, document } = await requestImport(...files.map(({ path }) => path))
  expect({ status, ...document }).toMatchObject({
    status: 0,
    type: 0,
    state: RequestState.REQUESTED,
    isFileUploaded: 1,
  })
  const { idx } = document
  await setFileExport(FileExport.ALLOW)
  const other = await requestImport(files[1]?.path ?? '')
  expect(other.document.state).toBe(RequestState.REQUESTED)
  const to = join(folder, 'imported')
  const download = ['download', String(idx), '--to', to]
  expect(await pc.json(download)).toMatchObject({ status: 1, document: { errorCode: 170 } })

  const waiting = { type: Transfer.IMPORT, filterType: 1, state: RequestState.REQUESTED, isFileUploaded: 1 } as const
  expect((await as(importer).requests.search(waiting)).items.map((one) => one.idx)).toEqual([other.document.idx, idx])
  await expect(as(exporter).requests.search(waiting)).rejects.toMatchObject(NOT_ALLOWED)
  for (const caller of [exporter, viewer])
    await expect(as(caller).requests.decide({ idx, state: Decision.APPROVE })).rejects.toMatchObject(NOT_ALLOWED)
  await expect(as(exporter).requests.find({ idx })).rejects.toMatchObject(NOT_ALLOWED)

  const zip = await fetchAs(importer)(`/FileEximport/Download?fileEximport=${idx}`)
  expect(zip.headers.get('content-disposition')).toMatch(/Imports_\d{14}\.zip/)
  expect(unzip(Buffer.from(await zip.arrayBuffer()))).toEqual(files.map(({ name, bytes }) => ({ name, bytes })))
  for (const caller of [exporter, viewer]) {
    const refused = await fetchAs(caller)(`/FileEximport/Download?fileEximport=${idx}`)
    expect(await refused.json()).toMatchObject({ errorCode: 980 })
  }

  await as(importer).requests.decide({ idx, state: Decision.APPROVE, purpose: '확인' })
  expect((await pc.run(['status', String(idx)])).output).toContain('import, approved')
  expect(await pc.json(download)).toMatchObject({ status: 0, document: { files: Array(2).fill({ isDownloaded: 1 }) } })
  await expectSaved(to, files)
  await notifyRequesters(app)
  expect((await mailsTo(app, employee.email))[0]?.text).toContain(`#${idx} 반입 · 승인: ${importer.name} - 확인`)
})

test('the history of imports has every step, the history of exports none', async () => {
  const { document } = await requestImport((await makeFile('log.txt', 10)).path)
  await as(importer).requests.decide({ idx: document.idx, state: Decision.REJECT, purpose: '불필요' })
  const to = join(folder, 'rejected')
  expect(await pc.json(['download', String(document.idx), '--to', to])).toMatchObject({ document: { errorCode: 170 } })
  await expect(readdir(to)).rejects.toThrow('ENOENT')
  const steps = (await historyOf(app.db, 'fileImport')).filter(({ subjectIdx }) => subjectIdx === document.idx)
  expect(steps.map(({ type }) => type)).toEqual([RequestEvent.REQUESTED, RequestEvent.UPLOADED, RequestEvent.REJECTED])
  expect(await historyOf(app.db, 'fileExport')).toEqual([])
  const log = { type: Transfer.IMPORT, idx: String(document.idx) } as const
  expect((await as(importer).history.fileEximport(log)).items).toMatchObject([
    { idx: document.idx, state: RequestState.REJECTED, files: [{ fileName: 'log.txt' }] },
  ])
  expect((await as(importer).history.fileEximport({ ...log, type: Transfer.EXPORT })).items).toEqual([])
  expect(await pc.json(['cancel', String(document.idx)])).toMatchObject({ document: { errorCode: 170 } })
})
