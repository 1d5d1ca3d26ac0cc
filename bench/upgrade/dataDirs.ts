// A data directory of each version that landed, made by that version's own server and filled through its calls, on which this
// version starts: also where the earlier one was killed. And the backup that an earlier version made, restored by this one.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openDatabase } from '@acc/server/src/db/open.ts'
import { SCHEMA_FILES, schemaSql } from '@acc/server/test/schemaText.ts'
import { dumpDatabase, KEY, LANDED } from '@acc/server/test/upgrade/fixture.ts'
import type { Drill } from '../ha/drill.ts'
import { demand } from '../ha/judge.ts'
import { connectionOf, makeDataDir, startOn, stop, versionOf } from './dataDir.ts'
import { judgeRows } from './judge.ts'

async function judgeSchema(dataDir: string, what: string): Promise<void> {
  const db = openDatabase(connectionOf(dataDir), { warn: () => undefined }, 2)
  const isFresh = (await schemaSql(db.write).finally(db.close)) === readFileSync(SCHEMA_FILES.sql, 'utf8')
  demand(isFresh, `${what}: the schema is that of a fresh installation`)
}

/** acc-admin of a version; its sources are where the version starts. */
function accAdmin(main: string, args: string[], dataDir: string): void {
  const start = join(dirname(main), 'admin/start.mjs')
  execFileSync(process.execPath, [start, ...args], {
    env: { PATH: process.env.PATH, ACC_DATA_DIR: dataDir, ACC_SECRET_KEY: KEY },
  })
}

const OURS = join(import.meta.dirname, '../../server/src/main.ts')

export async function drillDataDirs(drill: Drill): Promise<void> {
  for (const landed of LANDED) {
    const { dataDir, server } = await makeDataDir(drill, landed)
    const main = versionOf(drill, landed)
    const backups = join(drill.root, `backups-${landed.migration.slice(0, 4)}`)
    accAdmin(main, ['backup', '--to', backups], dataDir)
    const before = await dumpDatabase(connectionOf(dataDir))
    server.child.kill('SIGKILL')
    await server.ended
    const begun = performance.now()
    const upgraded = await startOn(drill, dataDir)
    const took = ((performance.now() - begun) / 1000).toFixed(1)
    await judgeSchema(dataDir, `${landed.version}, killed, is ready after ${took} s`)
    await judgeRows(dataDir, before)
    await stop(upgraded)
    const restored = join(drill.root, `restored-${landed.migration.slice(0, 4)}`)
    mkdirSync(restored)
    accAdmin(OURS, ['restore', '--from', backups], restored)
    const again = await startOn(drill, restored)
    await judgeSchema(restored, `its backup, restored by this version`)
    await stop(again)
  }
}
