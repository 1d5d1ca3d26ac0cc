// Two nodes of the version before behind HAProxy, upgraded one after the other under load: the first one to start migrates the
// schema, on which the other one serves until its own turn. Then the way back.
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findMigrations } from '@acc/server/src/db/migrate.ts'
import { openDatabase } from '@acc/server/src/db/open.ts'
import { createDatabase, OWNER, SERVER, startPostgres, urlOf } from '@acc/server/test/postgres.ts'
import { spawnServer } from '@acc/server/test/process.ts'
import { LANDED } from '@acc/server/test/upgrade/fixture.ts'
import type { Drill } from '../ha/drill.ts'
import { demand, judgeLedger, lossOf, printRate, since } from '../ha/judge.ts'
import { startLoad } from '../ha/load.ts'
import { openSite } from '../ha/site.ts'
import { versionOf } from './dataDir.ts'

/** Lists whose statements read all columns, or are prepared. */
const READS = [
  '/Account/Session',
  '/Users/Search',
  '/Clients/Search',
  '/FileEximports/Search?type=1',
  '/Policy?ownerType=0&ownerIdx=1',
  '/Auths',
  '/Bim/Servers',
  '/ShortcutWebs/Search',
  '/LoginPolicy/PWRules',
]

export async function drillRolling(drill: Drill, haproxy: string): Promise<void> {
  const known = await findMigrations()
  const before = LANDED.findLast(({ migration }) => migration !== known.at(-1)) ?? LANDED[0]
  if (before === undefined) return
  const main = versionOf(drill, before)
  const { postgres, stop } = await startPostgres()
  drill.atEnd(stop)
  await createDatabase(postgres, 'drill', 'template0')
  const connection = { ...postgres, user: OWNER, database: 'drill' }
  const db = openDatabase(connection, { warn: () => undefined }, 2)
  drill.atEnd(db.close)
  const site = await openSite(drill, { haproxy, databaseUrl: urlOf(connection), main })
  const load = startLoad(site, READS)
  drill.atEnd(load.end)
  await wait(5_000)

  const begun = performance.now()
  for (const node of site.nodes) {
    // The role of the version before owns the database; this version gets one of its own.
    await site.restart(node, undefined, {
      ACC_DATABASE_URL: urlOf({ ...connection, user: SERVER }),
      ACC_DATABASE_OWNER_URL: urlOf(connection),
    })
    // The other one serves on, on the new schema.
    await wait(5_000)
  }
  await load.end()
  const calls = since(load.calls, begun)
  const { count, details } = lossOf(load.calls)
  demand(
    count === 0,
    `two nodes of ${before.migration} upgraded to ${known.at(-1)}: ${count} of ${calls.length} calls refused`,
  )
  for (const detail of details) console.log(`     ${detail}`)
  printRate(calls)
  await judgeLedger(db, load.calls)

  const back = await spawnServer(
    {
      ACC_DATA_DIR: join(drill.root, 'back'),
      ACC_FILES_URL: join(drill.root, 'files'),
      ACC_DATABASE_URL: urlOf(connection),
      ACC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
    { main },
  )
  await back.ready
  const lines = back.output().trim().split('\n')
  const isRefused = back.child.exitCode === 1 && lines.length === 1
  demand(
    isRefused || back.output().includes('ready'),
    `the version before, started on the new schema: ${isRefused ? lines[0] : 'ready'}`,
  )
  if (back.child.exitCode !== null) return
  back.child.kill('SIGTERM')
  await once(back.child, 'exit')
}
