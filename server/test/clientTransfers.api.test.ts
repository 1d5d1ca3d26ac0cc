// Files through `acc-client`, from an employee's request to the approved files, byte for byte.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Decision, RequestState } from '@acc/contract/labels/requests'
import { expect, test } from 'vitest'
import { buildExportScenario, expectSaved, MIB } from './exportScenario.ts'
import { historyOf } from './history.ts'

const { app, folder, setPolicy, pc, makeFile, requestExport, decide } = await buildExportScenario()

test('approved files come back byte for byte, and not before', async () => {
  const files = [await makeFile('빈 파일.txt', 0), await makeFile('note.txt', 11), await makeFile('plan.dwg', 10 * MIB)]
  const to = join(folder, 'approved')
  const { status, document } = await requestExport(...files.map(({ path }) => path))
  expect({ status, ...document }).toMatchObject({ status: 0, state: RequestState.REQUESTED, isFileUploaded: 1 })
  expect(document.files.map(({ fileName, isUploaded }) => [fileName, isUploaded])).toEqual(
    files.map(({ name }) => [name, 1]),
  )
  const download = ['download', String(document.idx), '--to', to]
  expect(await pc.json(download)).toMatchObject({ status: 1, document: { errorCode: 170 } })
  // Only the status of a single request names who can decide it.
  const listed = { ...document, deciders: null }
  expect(await pc.json(['status'])).toMatchObject({ status: 0, document: { totalCount: 1, items: [listed] } })

  await decide(document.idx, Decision.APPROVE)
  expect((await pc.run(['status', String(document.idx)])).output).toContain('export, approved')
  expect(await pc.json(download)).toMatchObject({ status: 0, document: { files: Array(3).fill({ isDownloaded: 1 }) } })
  await expectSaved(to, files)
  const downloads = await historyOf(app.db, 'fileDownload')
  expect(downloads).toHaveLength(3)

  expect(await pc.json(download)).toMatchObject({ status: 0, document: { files: Array(3).fill({ isDownloaded: 0 }) } })
  await writeFile(join(to, 'note.txt'), 'mine')
  expect((await pc.run(download)).status).toBe(1)
  expect(await readFile(join(to, 'note.txt'), 'utf8')).toBe('mine')
  expect((await pc.run([...download, '--force'])).status).toBe(0)
  await expectSaved(to, files)
})

test('a rejected and a canceled request keep their files', async () => {
  const { path } = await makeFile('secret.txt', 100)
  const rejected = (await requestExport(path)).document.idx
  await decide(rejected, Decision.REJECT)
  const canceled = (await requestExport(path)).document.idx
  expect(await pc.json(['cancel', String(canceled)])).toEqual({ status: 0, document: { idx: canceled, state: 3 } })
  expect(await pc.json(['cancel', String(canceled)])).toMatchObject({ status: 1, document: { errorCode: 170 } })
  const to = join(folder, 'refused')
  for (const idx of [rejected, canceled]) {
    const download = ['download', String(idx), '--to', to]
    expect(await pc.json(download)).toMatchObject({ status: 1, document: { errorCode: 170 } })
  }
  await expect(readdir(to)).rejects.toThrow('ENOENT')
})

test('a file whose downloads are used up is refused with the reason; the other files still come', async () => {
  await setPolicy({ downloadCount: 1, downloadDays: 7 })
  const files = [await makeFile('once.txt', 10), await makeFile('twin.txt', 10)]
  const { idx } = (await requestExport(...files.map(({ path }) => path))).document
  await decide(idx, Decision.APPROVE)
  const to = join(folder, 'once')
  const download = ['download', String(idx), '--to', to]
  expect((await pc.run(['status', String(idx)])).output).toMatch(
    /Download until .+\n(?:.*\n)* .+ 1 download left +once\.txt/,
  )
  expect((await pc.run(download)).status).toBe(0)
  await expectSaved(to, files)
  expect((await pc.run(['status', String(idx)])).output).toMatch(/ 0 downloads left +twin\.txt/)
  await rm(join(to, 'once.txt'))
  expect(await pc.json(download)).toMatchObject({ status: 1, document: { errorCode: 175 } })
  await setPolicy({ downloadCount: 2 })
  expect((await pc.run(download)).status).toBe(0)
  await Promise.all(files.map(({ name }) => rm(join(to, name))))
  const { status, errors } = await pc.run(download)
  expect({ status, errors }).toMatchObject({
    status: 1,
    errors: expect.stringContaining('can no longer be downloaded. Its number of downloads is used up.'),
  })
  await expectSaved(to, files.slice(1))
  await setPolicy({ downloadCount: 0, downloadDays: 0 })
})
