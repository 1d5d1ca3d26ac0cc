// Upgrades from every published version: killed starts on its data directory, its backup, and two nodes in turn.
// `write` makes missing fixtures.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openClient } from '@acc/server/src/backup/tables.ts'
import { processesIn } from '@acc/server/src/db/embedded/place.ts'
import { killIfThere } from '@acc/server/test/process.ts'
import { SCHEMA_FILES, schemaSql } from '@acc/server/test/schemaText.ts'
import {
  dumpDatabase,
  type Fixture,
  hasFixture,
  KEY,
  LANDED,
  type LandedVersion,
  readRows,
  writeFixture,
} from '@acc/server/test/upgrade/fixture.ts'
import { check, note } from '../checks.ts'
import { type Drill, findPrograms } from '../drill.ts'
import { connectionOf, withDatabase } from '../servers.ts'
import { drillRolling } from './rolling.ts'
import { makeDataDir, spawnOn, startFileOf, startOn, stop } from './versions.ts'

/** Starts that are killed, and the milliseconds over which the kills are spread. */
const [KILLS, SPREAD] = [20, 1_500]
/** Tables whose rows end by themselves, or are written by each start or by jobs. */
const PASSING = ['tmpTokens', 'settings', 'nodes', 'jobRuns', 'requesterNotices']
const OURS = join(import.meta.dirname, '../../server/src/main.ts')

async function checkSchema(dataDir: string, what: string): Promise<void> {
  const text = await withDatabase(dataDir, (db) => schemaSql(db.write))
  check(text === readFileSync(SCHEMA_FILES.sql, 'utf8'), `${what}: the schema is that of a new installation`)
}

/** Checks that a running server has all rows from before its upgrade. */
async function checkRows(dataDir: string, { tables }: Pick<Fixture, 'tables'>): Promise<void> {
  const client = await openClient(connectionOf(dataDir))
  const missing: string[] = []
  let count = 0
  for (const { name, columns, rows } of tables.filter((table) => !PASSING.includes(table.name))) {
    const found = new Set((await readRows(client, name, columns)).map((row) => JSON.stringify(row)))
    const lost = rows.filter((row) => !found.has(JSON.stringify(row))).length
    count += rows.length
    if (lost > 0) missing.push(`${lost} of ${rows.length} in ${name}`)
  }
  await client.end()
  check(missing.length === 0, `of ${count} rows none is missing or changed ${missing.join(', ')}`.trim())
}

/** Runs acc-admin of the version that starts at `main`. */
function accAdmin(main: string, args: string[], dataDir: string): void {
  execFileSync(process.execPath, [join(dirname(main), 'admin/start.mjs'), ...args], {
    env: { PATH: process.env.PATH, ACC_DATA_DIR: dataDir, ACC_SECRET_KEY: KEY },
  })
}

/** Kills starts of this version at moments that are spread over a start, every second time with the database. */
async function killStarts(drill: Drill, dataDir: string): Promise<void> {
  for (let at = 0; at < KILLS; at++) {
    const server = await spawnOn(drill, dataDir)
    await wait((SPREAD * ((at * 7) % KILLS)) / KILLS)
    server.child.kill('SIGKILL')
    if (at % 2 === 1) for (const pid of processesIn(join(dataDir, 'pg'))) killIfThere(pid)
    await server.ended
  }
}

async function upgrade(drill: Drill, landed: LandedVersion): Promise<void> {
  const { dataDir, server } = await makeDataDir(drill, landed)
  const backups = join(drill.root, `backups-${landed.version}`)
  accAdmin(startFileOf(drill, landed), ['backup', '--to', backups], dataDir)
  const before = await dumpDatabase(connectionOf(dataDir))
  await stop(server, 'SIGKILL')
  await killStarts(drill, dataDir)
  const begun = performance.now()
  const upgraded = await startOn(drill, dataDir)
  note(`${landed.version}: ready after ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  await checkSchema(dataDir, `${landed.version}, after ${KILLS} killed starts`)
  await checkRows(dataDir, before)
  await stop(upgraded)
  const restored = join(drill.root, `restored-${landed.version}`)
  mkdirSync(restored)
  accAdmin(OURS, ['restore', '--from', backups], restored)
  const again = await startOn(drill, restored)
  await checkSchema(restored, `the backup of ${landed.version}, restored by this version`)
  await stop(again)
}

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'base64')]),
  )

async function writeFixtures(drill: Drill): Promise<void> {
  for (const landed of LANDED.filter((one) => !hasFixture(one))) {
    const { dataDir, server } = await makeDataDir(drill, landed)
    const files = filesIn(join(dataDir, 'files'))
    const size = await writeFixture(landed, { ...(await dumpDatabase(connectionOf(dataDir))), files })
    note(`${landed.version} of ${landed.commit}: ${size} bytes`)
    await stop(server)
  }
}

export async function drillUpgrade(drill: Drill, only?: string): Promise<void> {
  if (only === 'write') return writeFixtures(drill)
  const { haproxy } = findPrograms('haproxy', 'git', 'tar')
  if (only !== 'rolling') for (const landed of LANDED) await upgrade(drill, landed)
  if (only !== 'kills') await drillRolling(drill, haproxy)
}
