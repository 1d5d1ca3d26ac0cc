// The newest CSV file of a folder. Unfinished files wait, links and other files are ignored.
import { chmod, mkdir, mkdtemp, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImportRefusal } from '@acc/contract/labels/userImports'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { RefusedSource } from '../userImports/source.ts'
import { readNewest } from './userSync.source.ts'

const root = await mkdtemp(join(tmpdir(), 'acc-people-'))
afterAll(() => rm(root, { recursive: true, force: true }))
const folder = join(root, 'people')
beforeEach(async () => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
})

/** Writes a file that last changed so many minutes ago. */
async function write(name: string, text: string, minutesAgo: number): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  const at = Date.now() / 1000 - 60 * minutesAgo
  await utimes(path, at, at)
  return path
}
const refusalOf = (path = folder) =>
  readNewest(path).then(
    ({ name }) => name,
    (error: unknown) => (error instanceof RefusedSource ? error.refusal : error),
  )

test('the newest CSV file is read', async () => {
  await write('old.csv', 'old', 20)
  await write('New.CSV', 'new', 10)
  await write('newest.txt', 'text', 5)
  const { name, bytes, hash } = await readNewest(folder)
  expect({ name, text: bytes.toString() }).toEqual({ name: 'New.CSV', text: 'new' })
  expect(hash).toBe('11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437')
})

test('links, folders and hidden files are ignored', async () => {
  const outside = join(root, 'outside.csv')
  await writeFile(outside, 'secret')
  await symlink(outside, join(folder, 'link.csv'))
  await symlink(join(folder, 'nothing'), join(folder, 'dangling.csv'))
  await mkdir(join(folder, 'folder.csv'))
  await write('.hidden.csv', 'partial', 3)
  expect(await refusalOf()).toMatchObject({ reason: ImportRefusal.NO_FILE, text: folder })
  await write('people.csv', 'people', 30)
  expect(await refusalOf()).toBe('people.csv')
})

test('a file that changed within a minute waits, also by a clock that is ahead', async () => {
  await write('people.csv', 'people', 0.5)
  expect(await refusalOf()).toMatchObject({ reason: ImportRefusal.UNFINISHED, text: 'people.csv' })
  await write('people.csv', 'people', -0.5)
  expect(await refusalOf()).toMatchObject({ reason: ImportRefusal.UNFINISHED })
  await write('people.csv', 'people', 1.1)
  expect(await refusalOf()).toBe('people.csv')
})

test('a file of 1 GB is refused before it is read', async () => {
  const path = await write('people.csv', '', 5)
  await truncate(path, 2 ** 30)
  const at = Date.now() / 1000 - 600
  await utimes(path, at, at)
  expect(await refusalOf()).toMatchObject({ reason: ImportRefusal.TOO_LARGE, text: 'people.csv: 1.00 GB > 32.00 MB' })
})

test('a folder that is missing, no folder or not readable is refused with its reason', async () => {
  expect(await refusalOf(join(root, 'nowhere'))).toMatchObject({
    reason: ImportRefusal.FOLDER,
    text: expect.stringContaining('ENOENT'),
  })
  const file = await write('people.csv', 'people', 5)
  expect(await refusalOf(file)).toMatchObject({
    reason: ImportRefusal.FOLDER,
    text: expect.stringContaining('ENOTDIR'),
  })
})

// Root reads everything.
test.skipIf(process.getuid?.() === 0)('a file without the right to read is refused', async () => {
  await chmod(await write('people.csv', 'people', 5), 0o000)
  expect(await refusalOf()).toMatchObject({ reason: ImportRefusal.FOLDER, text: expect.stringContaining('EACCES') })
})
