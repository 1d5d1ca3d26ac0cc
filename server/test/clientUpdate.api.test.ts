// `acc-client update`: the deployed client is found, downloaded, resumed and verified.
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeProgram } from '../demo/program.ts'
import { buildExportScenario } from './exportScenario.ts'

const { folder, admin, pc } = await buildExportScenario()
const to = join(folder, 'updates')
const bytes = makeProgram([5, 1, 0, 0], Buffer.alloc(2_000_000, 'payload'))
const sha256 = createHash('sha256').update(bytes).digest('hex')
const target = join(to, 'setup 5.1.exe')
const { clientVersions } = admin

test('an update is found, saved once, and never in place of another file', async () => {
  expect(await pc.json(['update', '--check'])).toMatchObject({ status: 0, document: { client: null, isCurrent: 1 } })
  await clientVersions.upload({}, new File([Uint8Array.from(bytes)], 'setup 5.1.exe'))
  await clientVersions.deploy({ version: '5.1.0.0' })
  expect(await pc.json(['update', '--check'])).toMatchObject({
    status: 0,
    document: { client: { version: '5.1.0.0', sha256 }, isCurrent: 0 },
  })
  expect(await pc.json(['update', '--to', to])).toMatchObject({
    status: 0,
    document: { isDownloaded: 1, path: target },
  })
  expect(await readFile(target)).toEqual(bytes)
  expect(await pc.json(['update', '--to', to])).toMatchObject({ status: 0, document: { isDownloaded: 0 } })
  await writeFile(target, 'mine')
  expect((await pc.run(['update', '--to', to])).status).toBe(1)
  expect(await readFile(target, 'utf8')).toBe('mine')
  expect((await pc.run(['update', '--to', to, '--force'])).status).toBe(0)
  expect(await readFile(target)).toEqual(bytes)
  expect(await readdir(to)).toEqual(['setup 5.1.exe'])
  expect((await pc.run(['update'])).status).toBe(2)
  expect((await pc.run(['update', '--check', '--to', to])).status).toBe(2)
})

test.each([
  ['continued', bytes.subarray(0, 700_001), 0],
  ['complete', bytes, 0],
  ['too long', Buffer.concat([bytes, Buffer.alloc(5)]), 0],
  ['of something else', Buffer.alloc(700_001), 1],
])('what an earlier run left is %s', async (_, left, status) => {
  const dir = join(folder, `left-${left.length}-${status}`)
  await mkdir(dir)
  await writeFile(join(dir, `.acc-${sha256}.part`), left)
  expect((await pc.run(['update', '--to', dir])).status).toBe(status)
  // What is damaged is discarded, so that the next run begins anew.
  expect((await pc.run(['update', '--to', dir])).status).toBe(0)
  expect(await readFile(join(dir, 'setup 5.1.exe'))).toEqual(bytes)
  expect(await readdir(dir)).toEqual(['setup 5.1.exe'])
})
