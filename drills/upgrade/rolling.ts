// Upgrades two nodes of the previous version behind HAProxy under load. Then the previous version starts on the new
// schema.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { spawnServer } from '@acc/server/test/process.ts'
import { LANDED } from '@acc/server/test/upgrade/fixture.ts'
import { check, checkLoss } from '../checks.ts'
import type { Drill } from '../drill.ts'
import { compareLedger, printRate, startLoad } from '../ledger.ts'
import { openExternalDatabase, openSite, SECRET_KEY } from '../servers.ts'
import { startFileOf, stop } from './versions.ts'

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
  const before = LANDED.at(-1)
  if (before === undefined) return
  const main = startFileOf(drill, before)
  const { db, databaseUrl, ownerUrl } = await openExternalDatabase(drill, 'template0')
  const env = { ACC_DATABASE_OWNER_URL: ownerUrl }
  const site = await openSite(drill, { haproxy, databaseUrl, main, env })
  const load = startLoad(site, READS)
  drill.atEnd(load.end)
  await wait(5_000)
  for (const node of site.nodes) {
    await site.restart(node)
    // The other node serves on the new schema.
    await wait(5_000)
  }
  await load.end()
  checkLoss(load.calls, `two nodes of ${before.version} upgraded`)
  printRate(load.calls)
  await compareLedger(db, load.calls)

  const back = await spawnServer(
    {
      ACC_DATA_DIR: join(drill.root, 'back'),
      ACC_FILES_URL: join(drill.root, 'files'),
      ACC_DATABASE_URL: databaseUrl,
      ACC_DATABASE_OWNER_URL: ownerUrl,
      ACC_SECRET_KEY: SECRET_KEY.toString('base64'),
    },
    { main },
  )
  drill.atEnd(() => stop(back))
  await back.ready
  const lines = back.output().trim().split('\n')
  const isRefused = back.child.exitCode === 1 && lines.length === 1
  check(
    isRefused || back.output().includes('ready'),
    `${before.version} on the new schema: ${isRefused ? lines[0] : 'ready'}`,
  )
}
