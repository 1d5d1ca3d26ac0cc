// Fills the data directory of a size once.
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withBulkDatabase } from './bulk.ts'
import { startServer } from './processes.ts'
import { seed } from './seed.ts'
import { SIZES } from './sizes.ts'

/** Version of the seed: another one fills another directory. */
const VERSION = 7

/** Fills the directory of the sizes unless it is filled; returns it. Deletes an incomplete one. */
export async function fillDataDir(data: string, port: number): Promise<string> {
  const dataDir = join(data, [VERSION, ...Object.values(SIZES)].join('-'))
  const mark = join(dataDir, 'seeded')
  if (existsSync(mark)) return dataDir
  console.log(`filling ${dataDir}`)
  await rm(dataDir, { recursive: true, force: true })
  await mkdir(dataDir, { recursive: true })
  // The first start creates the database and its schema.
  await (await startServer(dataDir, port)).stop()
  await withBulkDatabase(dataDir, (db) => seed(db, SIZES))
  await writeFile(mark, '')
  return dataDir
}
