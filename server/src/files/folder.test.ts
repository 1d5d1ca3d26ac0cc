import { readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { bytesOf, filesIn, pathOfFile, put, testStore } from './fileStore.fixture.ts'
import { testStoredFiles } from './fileStore.suite.fixture.ts'
import { SEGMENT } from './segments.ts'

testStoredFiles(testStore, 12)

test('a file rests encrypted, under a name of ours, and alone in the folder', async () => {
  await using store = await testStore()
  const bytes = Buffer.alloc(SEGMENT, 'the secret plan ')
  const file = await put(store, bytes)
  expect(file.name).toMatch(/^[0-9a-f]{32}$/)
  expect(await filesIn(store.folder)).toHaveLength(1)
  const resting = await readFile(pathOfFile(store, file))
  expect(resting.includes('secret')).toBe(false)
  expect((await stat(pathOfFile(store, file))).mode & 0o777).toBe(0o600)
})
test('a sweep removes old files that no row knows, and nothing else', async () => {
  await using store = await testStore()
  const [known, orphan, young] = await Promise.all([1, 2, 3].map((seed) => put(store, bytesOf(10, seed))))
  if (!known || !orphan || !young) throw new Error('three files were stored')
  const foreign = `${pathOfFile(store, orphan)}.bak`
  await writeFile(foreign, 'not ours')
  const old = new Date('2026-01-01T00:00:00Z')
  for (const path of [foreign, pathOfFile(store, known), pathOfFile(store, orphan)]) await utimes(path, old, old)
  const queried: string[] = []
  const removed = await store.sweep(async (names) => {
    queried.push(...names)
    return new Set([known.name])
  }, new Date('2026-01-02T00:00:00Z'))
  expect(removed).toBe(1)
  expect(queried.sort()).toEqual([known.name, orphan.name, young.name].sort())
  const left = (await filesIn(store.folder)).map((path) => path.slice(6)).sort()
  expect(left).toEqual([known.name, young.name, `${orphan.name}.bak`].sort())
})
