// What the file store of a test's app holds.
import { open } from 'node:fs/promises'
import { test } from 'vitest'
import type { Services } from '../src/core/services.ts'
import type { Env } from '../src/env.ts'
import { openMedium } from '../src/files/medium.ts'

/** `npm run test:bucket`: the files of each app are in a bucket. */
export const IS_IN_BUCKET = process.env.ACC_TEST_BUCKET !== undefined

/** Defines a test of folders alone: of free space, of removed files with open readers, of visible uploads. */
export const testOnFolder = test.skipIf(IS_IN_BUCKET)

/** The folder of the stored files. */
export function folderOf({ files }: Pick<Env, 'files'>): string {
  if ('folder' in files) return files.folder
  throw new Error('the files are in a bucket')
}

/** The names of all stored files. */
export async function namesOf({ env }: Services): Promise<string[]> {
  const names: string[] = []
  for await (const some of (await openMedium(env.files)).names()) names.push(...some)
  return names
}

/** Checks whether the file store contains a name. */
export const isStored = async ({ env }: Services, name: string): Promise<boolean> =>
  (await openMedium(env.files)).size(name).then(
    () => true,
    () => false,
  )

/** Inverts a byte; a second call restores it. */
export async function flip(path: string, position: number) {
  const file = await open(path, 'r+')
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, position)
    await file.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, position)
  } finally {
    await file.close()
  }
}
