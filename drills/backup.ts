// Kills a server under load and restores it: from a backup, and from the WAL archive after its data were deleted.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startEmbedded } from '@acc/server/src/db/embedded/embedded.ts'
import { processesIn } from '@acc/server/src/db/embedded/place.ts'
import { type Database, openDatabase } from '@acc/server/src/db/open.ts'
import { findBases } from '@acc/server/src/walArchive/bases.ts'
import { accAdminJson } from '@acc/server/test/accAdmin.ts'
import { killIfThere } from '@acc/server/test/process.ts'
import { check, note } from './checks.ts'
import { type Drill, until } from './drill.ts'
import { type Call, compareLedger, findNames, printRate, startLoad } from './ledger.ts'
import { type Node, openNode, SECRET_KEY, signIn, withDatabase } from './servers.ts'

/** Milliseconds of load before the backup and after it. */
const [BEFORE, AFTER] = [5_000, 2_000]
/** Milliseconds of load on the archive: longer than WAL is collected for. */
const LOAD = 80_000
/** Seconds of acknowledged writes that may be lost with the data. */
const MOST_LOST = 60

const settingsOf = (dataDir: string) => ({ ACC_FILES_URL: `${dataDir}-files` })

/** Runs a command of acc-admin on a data directory, which is created, and prints how long it took. */
async function accAdmin<T extends object>(dataDir: string, ...args: string[]): Promise<T> {
  mkdirSync(dataDir, { recursive: true })
  const begun = performance.now()
  const settings = { ACC_DATA_DIR: dataDir, ACC_SECRET_KEY: SECRET_KEY.toString('base64'), ...settingsOf(dataDir) }
  const { status, document } = await accAdminJson<T>(args, settings)
  if (status !== 0) throw new Error(`acc-admin ${args[0]}: ${JSON.stringify(document)}`)
  note(`${args[0]}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  return document
}

const nodeFolder = ({ root }: Drill, at: number) => join(root, `node${at}`)

export async function drillBackup(drill: Drill): Promise<void> {
  const backups = join(drill.root, 'backups')
  const [original, restored] = [nodeFolder(drill, 1), nodeFolder(drill, 2)]
  const node = await openNode(drill, 1, { env: settingsOf(original) })
  const load = startLoad({ url: node.url, cookie: await signIn(node.url) })
  drill.atEnd(load.end)
  await wait(BEFORE)
  const { moment } = await accAdmin<{ moment: string }>(original, 'backup', '--to', backups)
  await wait(AFTER)
  await node.running.kill('SIGKILL')
  await load.end()

  await accAdmin(restored, 'verify', '--from', backups, '--in', drill.root)
  await accAdmin(restored, 'restore', '--from', backups)
  await openNode(drill, 2, { env: settingsOf(restored) })
  const snapshot = Date.parse(moment) - performance.timeOrigin
  const before = load.calls.filter(({ ended }) => ended < snapshot)
  printRate(before)
  check(
    before.some(({ kind }) => kind === 'group'),
    'writes were acknowledged before the snapshot',
  )
  await withDatabase(restored, (db) => compareLedger(db, before))
}

/** Kills a server and its database, and deletes its data. */
async function destroy({ running, dataDir }: Node): Promise<void> {
  await running.kill('SIGKILL')
  await until('PostgreSQL has ended', async () => {
    const processes = processesIn(join(dataDir, 'pg'))
    processes.forEach(killIfThere)
    return processes.length === 0
  })
  rmSync(dataDir, { recursive: true })
}

/** Runs a server that archives, works on it under load, and loses it; returns the calls. */
async function loseServer(drill: Drill, at: number, work: () => Promise<unknown>): Promise<Call[]> {
  const archive = join(drill.root, 'archive')
  const env = { ...settingsOf(nodeFolder(drill, at)), ACC_WAL_ARCHIVE_DIR: archive }
  const before = (await findBases(archive)).length
  const node = await openNode(drill, at, { env })
  await until('a base backup is complete', async () => (await findBases(archive)).length > before, 180)
  const load = startLoad({ url: node.url, cookie: await signIn(node.url) })
  drill.atEnd(load.end)
  await work()
  await destroy(node)
  await load.end()
  printRate(load.calls)
  return load.calls
}

/** Restores from the archive into the folder of a node, and works with its database. */
async function restore(
  drill: Drill,
  at: number,
  work: (db: Database, throughDT: number) => Promise<void>,
  ...options: string[]
): Promise<void> {
  const dataDir = nodeFolder(drill, at)
  const args = ['restore', '--from', join(drill.root, 'archive'), ...options]
  const { throughDT } = await accAdmin<{ throughDT: string }>(dataDir, ...args)
  const { owner, stop } = await startEmbedded({ dataDir })
  const db = openDatabase(owner, { warn: () => undefined }, 2)
  await work(db, Date.parse(throughDT) - performance.timeOrigin)
    .finally(db.close)
    .finally(stop)
}

const endedBefore = (calls: readonly Call[], moment: number) => calls.filter(({ ended }) => ended < moment)

export async function drillArchive(drill: Drill): Promise<void> {
  mkdirSync(join(drill.root, 'archive'))
  let moment = 0
  let killed = 0
  const calls = await loseServer(drill, 1, async () => {
    await wait(LOAD / 2)
    moment = performance.now()
    await wait(LOAD / 2)
    killed = performance.now()
  })
  const compareMoment = async (db: Database) => {
    await compareLedger(db, endedBefore(calls, moment))
    const names = await findNames(db)
    const early = calls.filter(({ begun, name }) => begun > moment && names.has(name))
    check(early.length === 0, `${early.length} writes are there that were sent after the moment`)
  }
  await restore(drill, 2, compareMoment, '--until', new Date(performance.timeOrigin + moment).toISOString())
  let kept: Call[] = []
  await restore(drill, 3, async (db, throughDT) => {
    kept = endedBefore(calls, throughDT)
    await compareLedger(db, kept)
    const lost = (killed - throughDT) / 1000
    check(lost <= MOST_LOST, `the last ${lost.toFixed(1)} s are lost (target ${MOST_LOST} s)`)
  })
  // The restored server continues the archive.
  let written = 0
  const later = await loseServer(drill, 3, async () => {
    await wait(BEFORE)
    written = performance.now()
    await wait(MOST_LOST * 1000)
  })
  await restore(drill, 4, (db) => compareLedger(db, [...kept, ...endedBefore(later, written)]))
}
