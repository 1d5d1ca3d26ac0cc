// Starts of this version on a data directory of the first one, killed in the middle of the migrations.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { attachEmbedded } from '@acc/server/src/db/embedded/embedded.ts'
import { processesIn } from '@acc/server/src/db/embedded/place.ts'
import { findMigrations } from '@acc/server/src/db/migrate.ts'
import { openDatabase } from '@acc/server/src/db/open.ts'
import type { ServerProcess } from '@acc/server/test/process.ts'
import { SCHEMA_FILES, schemaSql } from '@acc/server/test/schemaText.ts'
import { LANDED, type LandedVersion } from '@acc/server/test/upgrade/fixture.ts'
import pg from 'pg'
import { type Drill, killIfThere, until } from '../ha/drill.ts'
import { demand } from '../ha/judge.ts'
import { connectionOf, restoreDataDir, spawnOn, startOn, stop } from './dataDir.ts'
import { judgeRows } from './judge.ts'

/** Rows of history, so that the migrations take seconds. */
const ROWS = 30_000
const GROW = `
  insert into history (kind, "logDT", "actorId", "actorName", "actorGroupName", subject, ip, type, result, detail)
  select kind, "logDT", "actorId", "actorName", "actorGroupName", subject || n, ip, type, result, detail
  from (select * from history order by idx limit 1) h, generate_series(1, ${ROWS}) n`

/** Whether the migrations hold a table. */
async function isMigrating(dataDir: string): Promise<boolean> {
  const client = new pg.Client(connectionOf(dataDir))
  try {
    await client.connect()
    const { rows } = await client.query(
      `select from pg_locks where locktype = 'relation' and mode = 'AccessExclusiveLock' and granted and pid <> pg_backend_pid()`,
    )
    return rows.length > 0
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Long enough for a machine that does other work as well. */
const untilMigrating = ({ output }: ServerProcess, dataDir: string) =>
  until('the migrations run', () => isMigrating(dataDir), 120).catch((cause) => {
    throw new Error(`the server does not migrate: ${output()}`, { cause })
  })

async function findApplied(dataDir: string): Promise<string[]> {
  const { owner, stop } = await attachEmbedded({ dataDir, log: { info: () => undefined, error: () => undefined } })
  const client = new pg.Client(owner)
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  await client.end()
  await stop()
  return rows.map(({ name }) => name)
}

/** Kills the server, and every second time its database as well, so many milliseconds after the first table was taken. */
async function killAfter(drill: Drill, dataDir: string, delay: number, withDatabase: boolean): Promise<void> {
  const server = await spawnOn(drill, dataDir)
  await untilMigrating(server, dataDir)
  await wait(delay)
  server.child.kill('SIGKILL')
  if (withDatabase) for (const pid of processesIn(join(dataDir, 'pg'))) killIfThere(pid)
  await server.ended
}

const copy = (from: string, to: string) => void execFileSync('cp', ['-a', from, to])

/** Milliseconds that the migrations take. */
async function measure(drill: Drill, dataDir: string): Promise<number> {
  const server = await spawnOn(drill, dataDir)
  await untilMigrating(server, dataDir)
  const begun = performance.now()
  await until('the migrations have ended', async () => !(await isMigrating(dataDir)), 120)
  const took = performance.now() - begun
  await server.ready
  await stop(server)
  return took
}

export async function drillKills(drill: Drill, kills: number): Promise<void> {
  const known = await findMigrations()
  const [landed] = LANDED as [LandedVersion]
  if (known.at(-1) === landed.migration) {
    console.log(`     there is no migration since ${landed.version}`)
    return
  }
  const [pristine, measured, dataDir] = ['pristine', 'measured', 'killed'].map((name) => join(drill.root, name)) as [
    string,
    string,
    string,
  ]
  const fixture = await restoreDataDir(pristine, landed, GROW)
  copy(pristine, measured)
  const took = await measure(drill, measured)
  console.log(
    `     the migrations from ${landed.migration} take ${(took / 1000).toFixed(1)} s with ${ROWS} rows of history`,
  )
  copy(pristine, dataDir)
  let [undone, done, half] = [0, 0, 0]
  for (let at = 0; undone + half < kills; at++) {
    // Spread over the migrations, in no order; 7 has no factor in common with 20.
    await killAfter(drill, dataDir, (took * ((at * 7) % kills)) / kills, at % 2 === 1)
    const applied = await findApplied(dataDir)
    if (applied.length === 1) undone++
    else if (applied.length < known.length) half++
    else {
      // The kill came too late: all was done.
      done++
      rmSync(dataDir, { recursive: true })
      copy(pristine, dataDir)
    }
  }
  demand(
    half === 0,
    `${kills} kills in the middle: ${undone} left the schema as it was, ${half} a part of it; ${done} more came after the end`,
  )
  const server = await startOn(drill, dataDir)
  const db = openDatabase(connectionOf(dataDir), { warn: () => undefined }, 2)
  demand(
    (await schemaSql(db.write)) === readFileSync(SCHEMA_FILES.sql, 'utf8'),
    'the next start upgraded: its schema is that of a fresh installation',
  )
  await db.close()
  await judgeRows(dataDir, fixture, { history: ROWS })
  await stop(server)
}
