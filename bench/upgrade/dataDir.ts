// Data directories of versions that landed, and servers on them.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startEmbedded } from '@acc/server/src/db/embedded/embedded.ts'
import { type Database, openDatabase } from '@acc/server/src/db/open.ts'
import { OWNER } from '@acc/server/test/postgres.ts'
import { type ServerProcess, spawnServer } from '@acc/server/test/process.ts'
import {
  type Fixture,
  KEY,
  type LandedVersion,
  loadFixture,
  PASSWORD,
  readFixture,
} from '@acc/server/test/upgrade/fixture.ts'
import { sql } from 'kysely'
import type { Drill } from '../ha/drill.ts'
import { fill } from './fill.ts'
import { checkOut } from './version.ts'

/** Where the server of a data directory has its embedded database. */
export const connectionOf = (dataDir: string) => ({
  host: join(dataDir, 'pg'),
  port: 5432,
  user: OWNER,
  database: 'acc',
})

/** Works with the database of a server that runs. */
export async function withDatabase<T>(dataDir: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(connectionOf(dataDir), { warn: () => undefined }, 2)
  return work(db).finally(db.close)
}

/** Begins to start a server on a data directory; `main` is that of another version. */
export async function spawnOn(drill: Drill, dataDir: string, main?: string) {
  const env = { ACC_DATA_DIR: dataDir, ACC_SECRET_KEY: KEY, ACC_ADMIN_PASSWORD: PASSWORD }
  const server = await spawnServer(env, main === undefined ? {} : { main })
  drill.atEnd(() => stop(server))
  return server
}

/** Starts a server, and fails unless it is ready. */
export async function startOn(drill: Drill, dataDir: string, main?: string): Promise<ServerProcess> {
  const { ready, ...server } = await spawnOn(drill, dataDir, main)
  await ready
  if (!server.output().includes('ready'))
    throw new Error(`${main ?? 'this version'} does not start: ${server.output()}`)
  return server
}

export async function stop({ child, ended }: ServerProcess): Promise<void> {
  child.kill('SIGTERM')
  await ended
}

/** Puts the sources of a version into the drill's folder, once. */
export function versionOf(drill: Drill, { commit, migration }: LandedVersion): string {
  const folder = join(drill.root, `version-${migration.slice(0, 4)}`)
  return existsSync(folder) ? join(folder, 'server/src/main.ts') : checkOut(commit, folder)
}

/** Makes a data directory of a version, filled through its calls, and leaves its server running. */
export async function makeDataDir(drill: Drill, landed: LandedVersion) {
  const dataDir = join(drill.root, `data-${landed.migration.slice(0, 4)}`)
  const server = await startOn(drill, dataDir, versionOf(drill, landed))
  await withDatabase(dataDir, (db) => fill(server.baseUrl, (statements) => sql.raw(statements).execute(db.write)))
  return { dataDir, server }
}

const SILENT = { info: () => undefined, error: () => undefined }

/** Makes a data directory from the fixture of a version; `grow` adds to its database. Needs no git. */
export async function restoreDataDir(dataDir: string, landed: LandedVersion, grow = ''): Promise<Fixture> {
  const fixture = await readFixture(landed)
  const { owner, stop } = await startEmbedded({ dataDir, log: SILENT, isForTests: true })
  try {
    await loadFixture({ ...owner, user: 'postgres' }, OWNER, landed, fixture)
    const db = openDatabase(owner, { warn: () => undefined }, 1)
    await sql.raw(grow).execute(db.write).finally(db.close)
  } finally {
    await stop()
  }
  for (const [path, bytes] of Object.entries(fixture.files)) {
    mkdirSync(dirname(join(dataDir, 'files', path)), { recursive: true })
    writeFileSync(join(dataDir, 'files', path), bytes, 'base64')
  }
  return fixture
}
