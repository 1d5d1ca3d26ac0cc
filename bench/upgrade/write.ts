// Writes the fixtures of versions that landed and have none yet: each version's own server makes its database and its files.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dumpDatabase, hasFixture, LANDED, writeFixture } from '@acc/server/test/upgrade/fixture.ts'
import type { Drill } from '../ha/drill.ts'
import { connectionOf, makeDataDir, stop } from './dataDir.ts'

function filesIn(folder: string): Record<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = found.map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'base64')]))
}

export async function writeFixtures(drill: Drill): Promise<void> {
  for (const landed of LANDED.filter((one) => !hasFixture(one))) {
    const { dataDir, server } = await makeDataDir(drill, landed)
    const files = filesIn(join(dataDir, 'files'))
    const size = await writeFixture(landed, { ...(await dumpDatabase(connectionOf(dataDir))), files })
    console.log(`     ${landed.migration} of ${landed.commit}: ${size} bytes`)
    await stop(server)
  }
}
