// The disk of the WAL archive is full for a while: the server goes on, the gauge says so, and afterwards nothing is missing there.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { backupKeyOf } from '@acc/server/src/backup/key.ts'
import { makeSecretKey } from '@acc/server/src/crypto/secretKey.ts'
import { startEmbedded } from '@acc/server/src/db/embedded/embedded.ts'
import { openDatabase } from '@acc/server/src/db/open.ts'
import { findBases } from '@acc/server/src/walArchive/bases.ts'
import { restoreArchive } from '@acc/server/src/walArchive/restoreArchive.ts'
import { verifyArchive } from '@acc/server/src/walArchive/verifyArchive.ts'
import { check, checkOtherCalls } from './checks.ts'
import { type Drill, until } from './drill.ts'
import { compareLedger, type Load } from './ledger.ts'
import type { ServerPart } from './part.ts'
import { type Node, SECRET_KEY } from './servers.ts'

const DISK = 512 * 1024 * 1024
const FULL_FOR = 120_000
/** Seconds that WAL is collected for, with some to spare. */
const COLLECTED = 70
/** Seconds in which the archive has everything again: PostgreSQL may wait a minute until it tries. */
const WITHIN = 120
/** Seconds that a base backup may take. */
const PATIENCE = 180

/** Seconds since everything was in the archive, as Prometheus reads it. */
async function waitOf({ url }: Node): Promise<number> {
  const metrics = await (await fetch(`${url}/Metrics`)).text()
  return Number(/^acc_archive_wait_seconds (\S+)$/m.exec(metrics)?.[1] ?? Number.NaN)
}

/** Leaves no byte of the archive's disk for so long, whatever gives up room. */
async function fill(archive: string): Promise<void> {
  const ballast = join(archive, 'ballast')
  for (const end = performance.now() + FULL_FOR; performance.now() < end; ) {
    const { bavail, bsize } = statfsSync(archive)
    try {
      if (bavail > 0) writeFileSync(ballast, Buffer.alloc(bavail * bsize), { flag: 'a' })
    } catch {
      // It is full.
    }
    await wait(100)
  }
  rmSync(ballast)
}

const countWal = ({ dataDir }: Node) =>
  readdirSync(join(dataDir, 'pg/pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name)).length

async function drillArchive(node: Node, load: Load, archive: string): Promise<void> {
  await until('the first base backup is complete', async () => (await waitOf(node)) < COLLECTED, PATIENCE)
  const bases = (await findBases(archive)).length
  let longest = 0
  await checkOtherCalls(load, `the archive's disk is full for ${FULL_FOR / 1000} s`, 0, async () => {
    await fill(archive)
    longest = await waitOf(node)
  })
  console.log(`     the gauge showed ${longest.toFixed(0)} s; ${countWal(node)} segments of WAL waited`)
  check(longest > FULL_FOR / 1000 - 10, 'the gauge grew while nothing was archived')
  const freed = performance.now()
  await until('everything is in the archive', async () => (await waitOf(node)) < COLLECTED, WITHIN)
  check(true, `with room again, the archive had everything after ${((performance.now() - freed) / 1000).toFixed(0)} s`)
  check((await findBases(archive)).length === bases, 'the archive went on, without a new base backup')
}

/** Verifies the archive, and compares what a restore of it holds with the ledger. */
async function judgeArchive(root: string, archive: string, load: Load): Promise<void> {
  const secretKey = makeSecretKey(SECRET_KEY)
  const known = { root: archive, key: backupKeyOf(secretKey), secretKey, keptSince: new Date(0) }
  const { rows, throughDT } = await verifyArchive({ ...known, folder: root })
  check(true, `the archive is sound, ${rows} rows, through ${throughDT.toISOString()}`)
  const dataDir = join(root, 'restored')
  const place = { dataDir, databaseUrl: undefined, files: { folder: join(dataDir, 'files') } }
  const author = { idx: null, id: 'drill', name: '', groupName: '', ip: '' }
  await restoreArchive({ ...known, until: undefined, place, author })
  const { owner, stop } = await startEmbedded({ dataDir, log: { info: () => undefined, error: () => undefined } })
  const db = openDatabase(owner, { warn: () => undefined }, 2)
  await compareLedger(db, load.calls).finally(db.close).finally(stop)
}

/** Mounts a small disk in memory for the archive. */
export function drillArchiveDisk(drill: Drill): ServerPart {
  const archive = join(drill.root, 'archive')
  mkdirSync(archive)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=0700`, 'tmpfs', archive])
  drill.atEnd(async () => void execFileSync('umount', [archive]))
  return {
    options: { env: { ACC_WAL_ARCHIVE_DIR: archive } },
    run: async ({ node, load }, times) => {
      for (let at = 0; at < times; at++) await drillArchive(node, load, archive)
      await load.end()
      const ended = performance.now()
      await until(
        'the last write is in the archive',
        async () => (await waitOf(node)) < (performance.now() - ended) / 1000,
      )
      await judgeArchive(drill.root, archive, load)
    },
  }
}
