// The data directory of a size: filled once and kept.
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withBulkDatabase } from './bulk.ts'
import { startServer } from './processes.ts'
import { seed } from './seed.ts'
import type { Sizes } from './sizes.ts'

/** The version of the seed: another one fills another directory. */
const VERSION = 4
const MARK = 'seeded'

export const dataDirOf = (data: string, { users, groups, signIns, history, requests }: Sizes): string =>
  join(data, [VERSION, users, groups, signIns, history, requests].join('-'))

/** Fills the directory unless it is filled already. What an earlier run left half full is deleted. */
export async function fillDataDir(dataDir: string, sizes: Sizes, port: number): Promise<void> {
  if (existsSync(join(dataDir, MARK))) return
  console.log(`filling ${dataDir}`)
  const from = performance.now()
  await rm(dataDir, { recursive: true, force: true })
  await mkdir(dataDir, { recursive: true })
  // The first start makes the database and its schema.
  await (await startServer(dataDir, port)).stop()
  await withBulkDatabase(dataDir, (db) => seed(db, sizes))
  await writeFile(join(dataDir, MARK), '')
  console.log(`filled in ${((performance.now() - from) / 1000).toFixed(0)} s`)
}
