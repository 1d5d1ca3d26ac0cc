// Data directories after a first start, which each server of a run copies: a first start takes a second, and eight with
// the sample organization.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { copyFolder } from '../server/test/copyFolder.ts'

/** Names the folder of a run, which workers inherit. */
const FOLDER = 'ACC_TEST_DATA_DIRS'

/** Global setup of a run. */
export default async function prepare(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'acc-e2e-'))
  process.env[FOLDER] = folder
  return () => rm(folder, { recursive: true, force: true })
}

/**
 * Fills a new data directory as a first start does. The first worker that needs one of a kind makes it by `start`,
 * others wait. Outside of a run nothing is copied.
 */
export async function fillDataDir(kind: string, dataDir: string, start: (dataDir: string) => Promise<void>) {
  const folder = process.env[FOLDER]
  if (folder === undefined) return
  const kept = join(folder, kind)
  const isFirst = await mkdir(`${kept}.lock`).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    await start(`${kept}.new`)
    await rename(`${kept}.new`, kept)
  }
  while (!existsSync(kept)) await wait(100)
  copyFolder(kept, dataDir)
}
