// The backup that the server makes every night, verifies, and keeps for a week.
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { formatBytes } from '@acc/contract/labels/formats'
import { sql } from 'kysely'
import { days, later } from '../clock.ts'
import { asSystem } from '../core/job.ts'
import type { Services } from '../core/services.ts'
import { SPACE_RESERVE } from '../core/space.ts'
import type { Reader } from '../db/open.ts'
import { openMedium } from '../files/medium.ts'
import { BackupError } from './errors.ts'
import { dropOld, findBackups } from './folders.ts'
import { type BackupKey, backupKeyOf } from './key.ts'
import { MANIFEST, readManifest } from './manifest.ts'
import { openBackup } from './read.ts'
import { recordBackup, recordVerification } from './record.ts'
import { unusable } from './sealedStream.ts'
import { verifyBackup } from './verify.ts'
import { makeBackup } from './write.ts'

const KEPT = 7
/** The folders that an interrupted verification leaves. */
const VERIFYING = /^acc-verify-/

export async function backUpNightly(services: Services): Promise<void> {
  const { env, db, clock } = services
  const root = env.backupDir
  if (root === undefined) return
  // During a rotation of the secret key, this is the key that seals.
  const secretKey = services.key.opening()[0] ?? services.key
  const key = backupKeyOf(secretKey)
  await openRoot(root)
  await requireRoom(db.read, root, key)
  const made = await makeBackup({ connection: db.connection, store: await openMedium(env.files), root, key })
  await asSystem(services, await recordBackup(made, env))
  await dropOld(root, KEPT)
  // A verification needs the programs of the embedded PostgreSQL, which Windows does not have.
  if (process.platform === 'win32') return
  const trust = { key: secretKey, keptSince: later(clock.now(), -days(env.logRetentionDays)) }
  const failure = await verifyBackup(await openBackup(made.folder, key), root, trust).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  await asSystem(services, recordVerification(made.manifest, clock.now(), failure))
  if (failure !== null) throw new BackupError(failure)
}

async function openRoot(root: string): Promise<void> {
  try {
    await mkdir(root, { recursive: true, mode: 0o700 })
    for (const name of await readdir(root))
      if (VERIFYING.test(name)) await rm(join(root, name), { recursive: true, force: true })
  } catch (error) {
    throw unusable(root, error)
  }
}

/** Throws BackupError if a backup and its verification would fill the disk, which may be that of the data. */
async function requireRoom(db: Reader, root: string, key: BackupKey): Promise<void> {
  const { database, files } = await db
    .selectNoFrom([
      sql<number>`pg_database_size(current_database())`.as('database'),
      sql<number>`(select coalesce(sum("fileSize"), 0)::bigint from "requestFiles" where "isUploaded" = 1)`.as('files'),
    ])
    .executeTakeFirstOrThrow()
  const { bavail, bsize } = await statfs(root)
  const needed = 2 * database + Math.max(0, files - (await sizeOfNewest(root, key)))
  if (bavail * bsize < needed + SPACE_RESERVE)
    throw new BackupError(`${root} has too little room: ${formatBytes(needed + SPACE_RESERVE)} are needed.`)
}

/** Bytes of the stored files that the next backup links. */
async function sizeOfNewest(root: string, key: BackupKey): Promise<number> {
  const newest = (await findBackups(root)).at(-1)
  const file = join(root, newest ?? '', MANIFEST)
  if (newest === undefined || !existsSync(file)) return 0
  try {
    return readManifest(await readFile(file, 'utf8'), key, file).files.size
  } catch (error) {
    if (error instanceof BackupError) return 0
    throw error
  }
}
