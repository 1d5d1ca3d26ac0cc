// Makes a backup while servers run: every table in one snapshot of the database, then its stored files. No server
// removes files during a backup (db/backupLock.ts).

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { TRY_BACKUP_LOCK } from '../db/backupLock.ts'
import type { Connection } from '../db/open.ts'
import { codeOf, replaceFile } from '../disk.ts'
import { FileStoreError } from '../files/errors.ts'
import type { Medium } from '../files/medium.ts'
import { SERVER_VERSION } from '../version.ts'
import { BackupError } from './errors.ts'
import { findBackups, finish, openUnfinished } from './folders.ts'
import type { BackupKey } from './key.ts'
import { FILE_LIST, MANIFEST, type Manifest, readManifest, writeManifest } from './manifest.ts'
import { readLines, readPart, unusable, writePart } from './sealedStream.ts'
import {
  backUpFiles,
  type EarlierFiles,
  type FileCounts,
  readFileList,
  WANTED_FILES,
  type WantedFile,
  writeLine,
} from './storedFiles.ts'
import { findPartitions, findSequences, findTables, openClient, writeTable } from './tables.ts'

type BackupOrder = {
  connection: Connection
  /** Where the stored files are. */
  store: Medium
  /** The folder of the backups. */
  root: string
  key: BackupKey
}
export type MadeBackup = { folder: string; manifest: Omit<Manifest, 'format'>; copied: number }

/** The sorted names of the wanted files, in a table of the snapshot's transaction. */
const WANTED = 'files.wanted'

type DatabasePart = Omit<Manifest, 'format' | 'version' | 'id' | 'moment' | 'keyFingerprint' | 'files'> & {
  wantedSize: number
}

/** Makes a backup. Throws BackupError, and then earlier backups are unchanged. */
export async function makeBackup({ connection, store, root, key }: BackupOrder): Promise<MadeBackup> {
  const client = await openClient(connection)
  let folder: string | undefined
  try {
    const { rows } = await client.query<{ isTaken: boolean }>(TRY_BACKUP_LOCK)
    if (rows[0]?.isTaken !== true) throw new BackupError('Another backup of this server is being made.')
    const id = randomBytes(16).toString('hex')
    const moment = await takeSnapshot(client)
    folder = await openUnfinished(root, moment).catch((error: unknown) => {
      throw unusable(root, error)
    })
    const { wantedSize, ...database } = await writeDatabase(client, { folder, id, key })
    const { files, copied } = await writeFiles({ folder, id, key, root, store, wantedSize })
    const manifest = { version: SERVER_VERSION, id, moment, keyFingerprint: key.fingerprint, ...database, files }
    await replaceFile(join(folder, MANIFEST), writeManifest(manifest, key))
    return { folder: await finish(root, folder), manifest, copied }
  } catch (error) {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined)
    throw full(root, error)
  } finally {
    await client.end()
  }
}

/** Returns a BackupError if the target is full, and other errors unchanged. */
function full(root: string, error: unknown): unknown {
  const code = codeOf(error instanceof FileStoreError ? error.cause : error)
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code) ? new BackupError(`${root} is full (${code}).`) : error
}

/** Begins the transaction of the snapshot. It contains everything that was committed before the returned moment. */
async function takeSnapshot(client: pg.Client): Promise<string> {
  await client.query('begin transaction isolation level repeatable read read only')
  const { rows } = await client.query<{ moment: string }>(
    `select to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as moment`,
  )
  return rows[0]?.moment ?? ''
}

const LAST_SEAL = `select no, encode(hash, 'hex') as hash from "historySeals" order by no desc limit 1`

type Place = { folder: string; id: string; key: BackupKey }

async function writeDatabase(client: pg.Client, { folder, id, key }: Place): Promise<DatabasePart> {
  await mkdir(join(folder, 'tables'), { mode: 0o700 })
  const { rows: applied } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  const { rows: sealed } = await client.query<{ name: string; value: string }>(
    `select name, value #>> '{}' as value from settings where name in ('secretKeyFingerprint', 'nextKeyFingerprint')`,
  )
  if (sealed.some(({ name }) => name === 'nextKeyFingerprint'))
    throw new BackupError('A rotation of the secret key was interrupted: finish it by acc-admin rotate-key first.')
  const tables: Manifest['tables'] = []
  for (const table of await findTables(client))
    tables.push(await writeTable(client, table, { path: join(folder, 'tables', table.name), id, key }))
  const wanted = client.query(copyTo(`copy (${WANTED_FILES}) to stdout`))
  const wantedSize = await writePart(join(folder, WANTED), key.forPart(id, WANTED), wanted)
  const { rows: seals } = await client.query<{ no: number; hash: string }>(LAST_SEAL)
  const part = {
    partitions: await findPartitions(client),
    sequences: await findSequences(client),
    seal: seals[0] ?? null,
  }
  await client.query('commit')
  return {
    secretKeyFingerprint: sealed[0]?.value ?? null,
    migrations: applied.map(({ name }) => name),
    tables,
    ...part,
    wantedSize,
  }
}

async function* readWanted(path: string, place: Place, size: number): AsyncGenerator<WantedFile> {
  for await (const line of readLines(readPart(path, place.key.forPart(place.id, WANTED), size))) {
    const [name = '', sha256 = ''] = line.split('\t')
    yield { name, sha256 }
  }
}

async function writeFiles({
  folder,
  id,
  key,
  root,
  store,
  wantedSize,
}: Place & { root: string; store: Medium; wantedSize: number }) {
  const counts: FileCounts = { count: 0, size: 0, copied: 0, missing: 0 }
  const files = join(folder, 'files')
  await mkdir(files, { mode: 0o700 })
  const wanted = readWanted(join(folder, WANTED), { folder, id, key }, wantedSize)
  const copies = backUpFiles(wanted, { store, folder: files, earlier: await findEarlier(root, key) }, counts)
  const lines = async function* () {
    for await (const file of copies) yield Buffer.from(writeLine(file))
  }
  const listSize = await writePart(join(folder, FILE_LIST), key.forPart(id, FILE_LIST), lines())
  await rm(join(folder, WANTED))
  const { copied, ...rest } = counts
  return { files: { ...rest, listSize }, copied }
}

/** Opens the files of the newest backup in the folder, if this key opens it. Without one, all files are copied. */
async function findEarlier(root: string, key: BackupKey): Promise<EarlierFiles | undefined> {
  const newest = (await findBackups(root)).at(-1)
  if (newest === undefined) return undefined
  const file = join(root, newest, MANIFEST)
  if (!existsSync(file)) return undefined
  try {
    const { id, files } = readManifest(await readFile(file, 'utf8'), key, file)
    const list = readFileList(join(root, newest, FILE_LIST), key.forPart(id, FILE_LIST), files.listSize)
    return { folder: join(root, newest, 'files'), list }
  } catch (error) {
    if (error instanceof BackupError) return undefined
    throw error
  }
}
