// Backs a server up under load, kills it, verifies and restores: every write acknowledged before the snapshot is there.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { accAdminIn } from '@acc/server/test/accAdmin.ts'
import { check, note } from './checks.ts'
import type { Drill } from './drill.ts'
import { compareLedger, printRate, startLoad } from './ledger.ts'
import { openNode, SECRET_KEY, signIn, withDatabase } from './servers.ts'

/** Milliseconds of load before the backup and after it. */
const [BEFORE, AFTER] = [5_000, 2_000]

export async function drillBackup(drill: Drill): Promise<void> {
  const backups = join(drill.root, 'backups')
  const { json } = accAdminIn(drill.root)
  const filesOf = (dataDir: string) => ({ ACC_FILES_URL: `${dataDir}-files` })
  /** Runs a command of acc-admin, and prints how long it took. */
  const run = async <T extends object>(dataDir: string, ...args: string[]): Promise<T> => {
    const begun = performance.now()
    const settings = { ACC_DATA_DIR: dataDir, ACC_SECRET_KEY: SECRET_KEY.toString('base64'), ...filesOf(dataDir) }
    const { status, document } = await json<T>(args, settings)
    if (status !== 0) throw new Error(`acc-admin ${args[0]}: ${JSON.stringify(document)}`)
    note(`${args[0]}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    return document
  }
  const [original, restored] = [join(drill.root, 'node1'), join(drill.root, 'node2')]
  const node = await openNode(drill, 1, { env: filesOf(original) })
  const load = startLoad({ url: node.url, cookie: await signIn(node.url) })
  drill.atEnd(load.end)
  await wait(BEFORE)
  const { moment } = await run<{ moment: string }>(original, 'backup', '--to', backups)
  await wait(AFTER)
  await node.running.kill('SIGKILL')
  await load.end()

  mkdirSync(restored)
  await run(restored, 'verify', '--from', backups, '--in', drill.root)
  await run(restored, 'restore', '--from', backups)
  await openNode(drill, 2, { env: filesOf(restored) })
  const snapshot = Date.parse(moment) - performance.timeOrigin
  const before = load.calls.filter(({ ended }) => ended < snapshot)
  printRate(before)
  check(
    before.some(({ kind }) => kind === 'group'),
    'writes were acknowledged before the snapshot',
  )
  await withDatabase(restored, (db) => compareLedger(db, before))
}
