// Replaces damaged stored files by their copies in a backup or in the WAL archive. The key in a file's row verifies the
// copy, so the key and the manifest of the backup are not needed.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SettingManage } from '@acc/contract/labels/history'
import { findBackup, findBackups } from '../backup/folders.ts'
import { MANIFEST } from '../backup/manifest.ts'
import { unusable } from '../backup/sealedStream.ts'
import { copy, isIntactFile } from '../backup/storedFiles.ts'
import { settingLog } from '../core/settingLog.ts'
import type { KeyRing } from '../crypto/secretKey.ts'
import type { Database } from '../db/open.ts'
import {
  deleteDamaged,
  findDamaged,
  findNamedFiles,
  type NamedFile,
} from '../domains/damagedFiles/damagedFiles.queries.ts'
import { readThrough } from '../domains/damagedFiles/damagedFiles.store.ts'
import { readEnv } from '../env.ts'
import { FileStoreError } from '../files/errors.ts'
import { openFileStore, type StoredFile } from '../files/fileStore.ts'
import { openFolder } from '../files/folder.ts'
import { type Medium, openMedium } from '../files/medium.ts'
import { pathOf } from '../files/names.ts'
import { findKeyNames } from '../settings/keyRing.ts'
import { findArchived } from '../walArchive/archivedFiles.ts'
import { isArchive } from '../walArchive/pieces.ts'
import { type Command, failure, type Result, required } from './commandLine.ts'
import { findKeys } from './historyCommands.ts'
import { withDatabase } from './openForAdmin.ts'
import { changeAsOperator } from './operator.ts'

type Outcome = 'restored' | 'intact' | 'damaged' | 'missing'
type Restored = { storeName: string; of: string; fileName: string; outcome: Outcome; from: string | null }
type Place = { db: Database; medium: Medium; secretKey: KeyRing }
/** Returns the folders that may have a copy of a file, the newest backup first. */
type FindFolders = (name: string) => Promise<string[]>

const WORDS: Record<Outcome, string> = {
  restored: 'restored',
  intact: 'intact in the store',
  damaged: 'NOT restored, its copies are damaged as well',
  missing: 'NOT restored, there is no copy of it',
}

/** Rejects a key that does not seal the data, with which every file would seem damaged. */
async function requireKeys(db: Database, secretKey: KeyRing): Promise<void> {
  const { current, next } = await findKeyNames(db.read)
  const held = secretKey.opening().map(({ fingerprint }) => fingerprint)
  const missing = [current, next].find((name) => name !== undefined && !held.includes(name))
  if (missing !== undefined)
    throw failure(`The secret key that this database was sealed with (${missing}) is not the one given.`)
}

/** Opens the WAL archive, the backup, or all backups of a folder. */
async function openCopies(from: string): Promise<FindFolders> {
  if (isArchive(from))
    return async (name) => {
      const folder = await findArchived(from, name)
      return folder === undefined ? [] : [folder]
    }
  const newest = await findBackup(from)
  const backups = existsSync(join(from, MANIFEST))
    ? [newest]
    : (await findBackups(from)).map((name) => join(from, name))
  const folders = backups.reverse().map((backup) => join(backup, 'files'))
  return async (name) => folders.filter((folder) => existsSync(pathOf(folder, name)))
}

const isIntact = ({ medium, secretKey }: Place, file: StoredFile): Promise<boolean> =>
  readThrough(openFileStore({ medium, secretKey }), file).then(
    () => true,
    (error: unknown) => (error instanceof FileStoreError ? false : Promise.reject(error)),
  )

/** Finds the first folder whose copy decrypts to its last byte. */
async function findIntact(
  folders: readonly string[],
  file: StoredFile,
  secretKey: KeyRing,
): Promise<string | undefined> {
  for (const folder of folders) {
    const isIntact = await isIntactFile(folder, file, secretKey).catch((error: unknown) => {
      throw unusable(folder, error)
    })
    if (isIntact) return folder
  }
  return undefined
}

/** Deletes the record of a damaged file. Writes a history row if its bytes were replaced. */
const endRecord = (db: Database, { of, fileName, file }: NamedFile, isReplaced: boolean): Promise<void> =>
  changeAsOperator(db, async (tx) => {
    await deleteDamaged(tx, file.name)
    const detail = { targetName: fileName, targetValue: of }
    const log = settingLog(SettingManage.RESTORE_FILE, file.name, detail)
    return { result: undefined, log: isReplaced ? [log] : 'unchanged' }
  })

async function restoreOne(place: Place, named: NamedFile, findFolders: FindFolders): Promise<Restored> {
  const { of, fileName, file } = named
  const { db, medium, secretKey } = place
  const answer = (outcome: Outcome, from: string | null = null) => ({
    storeName: file.name,
    of,
    fileName,
    outcome,
    from,
  })
  if (await isIntact(place, file)) {
    await endRecord(db, named, false)
    return answer('intact')
  }
  const folders = await findFolders(file.name)
  const folder = await findIntact(folders, file, secretKey)
  if (folder === undefined) return answer(folders.length === 0 ? 'missing' : 'damaged')
  await copy(await (await openFolder(folder)).open(file.name, 'read'), medium.open(file.name, 'replace'))
  if (!(await isIntact(place, file)))
    throw failure(`${fileName} of ${of} is damaged in the store once more: look for the fault of its disk first.`)
  await endRecord(db, named, true)
  return answer('restored', folder)
}

/** Lists the recorded files, or the given file, which need not be recorded. */
async function findWanted(db: Database, file: string | undefined): Promise<Set<string>> {
  if (file !== undefined) return new Set([file])
  const recorded = await findDamaged(db.read, Number.MAX_SAFE_INTEGER)
  return new Set(recorded.map(({ storeName }) => storeName))
}

export const restoreFile: Command = {
  args: [],
  options: ['from', 'file'],
  async run(values): Promise<Result> {
    const env = readEnv(process.env)
    const findFolders = await openCopies(resolve(required(values, 'from')))
    const secretKey = await findKeys(env)
    return withDatabase(env, async (db) => {
      await requireKeys(db, secretKey)
      const place = { db, medium: await openMedium(env.files), secretKey }
      const wanted = await findWanted(db, values.file)
      const files: Restored[] = []
      if (wanted.size > 0)
        for await (const named of findNamedFiles(db.read))
          if (wanted.has(named.file.name)) files.push(await restoreOne(place, named, findFolders))
      if (values.file !== undefined && files.length === 0)
        throw failure(`No request and no client version has a stored file ${values.file}.`)
      const lines = files.map(({ of, fileName, outcome, from }) => {
        return `${fileName} of ${of}: ${WORDS[outcome]}${from === null ? '' : ` from ${from}`}`
      })
      const isDone = files.every(({ outcome }) => outcome === 'restored' || outcome === 'intact')
      return {
        document: { files },
        lines: files.length === 0 ? ['No stored file is recorded as damaged.'] : lines,
        status: isDone ? 0 : 1,
      }
    })
  },
}
