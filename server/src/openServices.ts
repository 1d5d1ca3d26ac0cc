// Opens the server's services in order, and closes them in the opposite one: database (the embedded one by default),
// secret key, schema, first data, files, mail, events, jobs.
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { systemClock } from './clock.ts'
import { type Job, startJobs } from './core/job.ts'
import type { Services } from './core/services.ts'
import type { WalArchive } from './core/walArchive.ts'
import type { SecretKey } from './crypto/secretKey.ts'
import { isBackupRunning } from './db/backupLock.ts'
import { startEmbedded } from './db/embedded/embedded.ts'
import { StartError } from './db/embedded/errors.ts'
import { openLocks } from './db/locks.ts'
import { type Connection, type Database, openDatabase } from './db/open.ts'
import { keepPartitions } from './db/partitions.ts'
import { isFilled, requireRestored } from './db/restoring.ts'
import { codeOf } from './disk.ts'
import { recordingDamage } from './domains/damagedFiles/damagedFiles.store.ts'
import { findLicense } from './domains/licenses/licenses.status.ts'
import type { FilesPlace } from './env.files.ts'
import { type Env, secretKeySource } from './env.ts'
import { openEventHub } from './events/eventHub.ts'
import { archivedOnceComplete } from './files/archivedOnceComplete.ts'
import { FileStoreError } from './files/errors.ts'
import { type FileStore, openFileStore } from './files/fileStore.ts'
import { keptDuringBackup } from './files/keptDuringBackup.ts'
import { nameOfPlace, openMedium } from './files/medium.ts'
import { type FirstAdmin, renewFirstPassword } from './firstAdmin.ts'
import { fillEmptyDatabase, keepFingerprint, openSecretKey } from './firstStart.ts'
import { openJobs } from './jobs/jobs.ts'
import { openMailTransport } from './mail/transport.ts'
import { MODULES } from './modules.ts'
import { prepareDatabase } from './prepareDatabase.ts'
import { refreshKeys } from './settings/keyRing.ts'
import type { openArchiver } from './walArchive/archiver.ts'

export type OpenServices = {
  services: Services
  firstAdmin: FirstAdmin | undefined
  isEvaluation: boolean
  startJobs(): Promise<void>
  /** Reloads the secret keys and continues a rotation. */
  refreshKeys(): Promise<void>
  close(): Promise<void>
}

/** Milliseconds that the database's connections may take to end; then running statements are cut off. */
const CLOSE = 1_000
const within = (milliseconds: number, work: Promise<unknown>) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, milliseconds).unref())])

const partitionJob: Job = {
  name: 'keepPartitions',
  cron: '17 3 * * *',
  run: ({ db, env }) => keepPartitions(db, env.logRetentionDays),
}

/** At night in the server's time zone. */
const NIGHT = new Date(2026, 0, 1, 2, 37)

const backupJob: Job = {
  name: 'backUp',
  cron: `${NIGHT.getUTCMinutes()} ${NIGHT.getUTCHours()} * * *`,
  seconds: 6 * 3600,
  run: async (services) => (await import('./backup/nightly.ts')).backUpNightly(services),
}

/** Opens all services. `show` shows the first administrator to the operator before the account is committed. */
export async function openServices(
  env: Env,
  log: Logger,
  show: (admin: FirstAdmin) => Promise<void>,
): Promise<OpenServices> {
  const closers: Closers = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const clock = systemClock
    await makeFolder('ACC_DATA_DIR', env.dataDir)
    const { connection, owner, archiver } = await connectionsOf(env, log, closers)
    const replica = env.replicaUrl === undefined ? undefined : { connectionString: env.replicaUrl }
    const db = openDatabase(connection, log, undefined, replica)
    closers.push(() => within(CLOSE, db.close()))
    if (env.databaseUrl !== undefined) {
      await requireDatabase(db, 'ACC_DATABASE_URL')
      requireRestored(env.dataDir, await isFilled(db.read))
    }
    const { key, newer } = await asOwner(owner, log, async (owner) => {
      const key = await openSecretKey(owner ?? db, secretKeySource(env))
      return { key, ...(await prepareDatabase(db, owner, env, log)) }
    })
    if (newer.length > 0)
      log.warn({ migrations: newer }, 'the database is of a newer version: upgrade this node as well')
    await keepFingerprint(db, key)
    await keepPartitions(db, env.logRetentionDays)
    const firstAdmin = (await fillEmptyDatabase(db, env, clock, show)) ?? (await renewFirstPassword(db, env, show))
    const services = await assembleServices({ env, db, clock, key, log, isStrict: false }, closers, archiver)
    const all = [...Object.values(MODULES).flatMap((module) => module.jobs ?? []), partitionJob, backupJob]
    const { registered } = await findLicense(db.read, services)
    return {
      services,
      firstAdmin,
      isEvaluation: registered === undefined,
      startJobs: () => startJobs(services, all),
      refreshKeys: () => refreshKeys(db.read, secretKeySource(env), key),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

type Parts = Pick<Services, 'env' | 'db' | 'clock' | 'key' | 'log' | 'isStrict'>
type Closers = (() => Promise<unknown>)[]

/** Opens files, mail, locks, live events and jobs over a ready database; `closers` receives their closers. */
export async function assembleServices(parts: Parts, closers: Closers, archiver?: Archiver): Promise<Services> {
  const { env, db, key, log } = parts
  const { connection } = db
  const store = keptDuringBackup(await openFiles(env.files, key), () => isBackupRunning(db.read))
  const walArchive = archiver && (await startWalArchive(parts, archiver))
  if (archiver !== undefined) closers.push(archiver.stop)
  const files = recordingDamage(
    walArchive === undefined ? store : archivedOnceComplete(store, walArchive.addFile),
    parts,
  )
  const mail = openMailTransport({ db, key, outboxDir: join(env.dataDir, 'outbox'), service: env.mailService })
  const locks = openLocks(connection)
  closers.push(locks.close)
  const events = await openEventHub(connection, log)
  closers.push(events.close)
  const jobs = await openJobs({ connection, db, log })
  closers.push(() => jobs.stop())
  return { ...parts, files, mail, locks, events, jobs, walArchive }
}

type Archiver = ReturnType<typeof openArchiver>

/** Starts the WAL archive. A disk that is missing or full ends no start. */
async function startWalArchive({ env, db, key }: Parts, archiver: Archiver): Promise<WalArchive> {
  const keyFile = env.walArchive?.keyFile
  const { backupKeyOf, findBackupKey } = await import('./backup/key.ts')
  const findKey = async () =>
    keyFile === undefined ? backupKeyOf(key.opening()[0] ?? key) : findBackupKey(keyFile, secretKeySource(env))
  await findKey().catch((error: unknown) => {
    throw new StartError(`ACC_WAL_ARCHIVE_KEY: ${reasonOf(error)}`)
  })
  return archiver.start({ findKey, db, store: await openMedium(env.files) })
}

type Connections = { connection: Connection; owner?: Connection; archiver?: Archiver | undefined }

/** The connections of the server and of the schema's owner, if that is another role, and the archiver of the WAL. */
async function connectionsOf(env: Env, log: Logger, closers: Closers): Promise<Connections> {
  const { databaseUrl, databaseOwnerUrl, dataDir, walArchive } = env
  if (databaseUrl !== undefined)
    return {
      connection: { connectionString: databaseUrl },
      ...(databaseOwnerUrl !== undefined && { owner: { connectionString: databaseOwnerUrl } }),
    }
  const archiver =
    walArchive &&
    (await import('./walArchive/archiver.ts')).openArchiver({
      root: walArchive.folder,
      keep: walArchive.keep,
      dataDir,
      clock: systemClock,
      log,
    })
  const embedded = await startEmbedded({
    dataDir,
    archive: archiver?.take ?? 'none',
    log: { info: (message) => log.info(message), error: (message) => log.error(message) },
  })
  closers.push(async () => {
    await archiver?.stop()
    await embedded.stop()
    archiver?.close()
  })
  return { ...embedded, archiver }
}

const reasonOf = (error: unknown) => (error instanceof Error && error.message !== '' ? error.message : codeOf(error))

/** Ends the start unless the outside database accepts the connection. */
const requireDatabase = (db: Database, setting: string) =>
  sql`select 1`.execute(db.write).catch((error: unknown) => {
    throw new StartError(`${setting}: the database cannot be used (${reasonOf(error)})`)
  })

/** Runs work with the owner's connections, which end with it. */
async function asOwner<T>(
  connection: Connection | undefined,
  log: Logger,
  work: (owner: Database | undefined) => Promise<T>,
): Promise<T> {
  if (connection === undefined) return work(undefined)
  const owner = openDatabase(connection, log, 1)
  try {
    await requireDatabase(owner, 'ACC_DATABASE_OWNER_URL')
    return await work(owner)
  } finally {
    await owner.close()
  }
}

const unusable = (setting: string, path: string, error: unknown) =>
  new StartError(
    `${setting}: ${path} cannot be used (${error instanceof Error && 'code' in error ? error.code : reasonOf(error)})`,
  )

/**
 * Creates a folder and its parents. Node's recursive form never ends below /proc, where no folder can be created.
 */
async function makeFolder(setting: string, path: string): Promise<void> {
  if (existsSync(path)) return
  if (!existsSync(dirname(path))) await makeFolder(setting, dirname(path))
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw unusable(setting, path, error)
  })
}

/** Ends the start if files cannot be stored. On a full disk they are refused until there is room. */
async function openFiles(place: FilesPlace, secretKey: SecretKey): Promise<FileStore> {
  if ('folder' in place) await makeFolder('ACC_FILES_URL', place.folder)
  try {
    const medium = await openMedium(place)
    await medium.check().catch((error: unknown) => {
      if (!(error instanceof FileStoreError && error.reason === 'noSpace')) throw error
    })
    return openFileStore({ medium, secretKey })
  } catch (error) {
    throw unusable('ACC_FILES_URL', nameOfPlace(place), error instanceof FileStoreError ? error.cause : error)
  }
}
