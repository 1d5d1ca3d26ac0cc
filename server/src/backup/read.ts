// Opens a backup: authenticates its manifest, and requires that all of it is there and nothing else.
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findMigrations } from '../db/migrate.ts'
import { sealedLength } from '../files/segments.ts'
import { BackupError } from './errors.ts'
import { findBackup } from './folders.ts'
import type { BackupKey } from './key.ts'
import { FILE_LIST, MANIFEST, type Manifest, readManifest } from './manifest.ts'
import { damaged, unusable } from './sealedStream.ts'
import { type BackedUpFile, notOfBackup, readFileList, requireFiles } from './storedFiles.ts'

export type Backup = {
  folder: string
  manifest: Manifest
  key: BackupKey
  /** Reads the list of its files from the start. */
  files(): AsyncGenerator<BackedUpFile>
}

/** Opens the backup in the folder `from`, or the newest one below it. Throws BackupError. */
export async function openBackup(from: string, key: BackupKey): Promise<Backup> {
  try {
    const folder = await findBackup(from)
    const file = join(folder, MANIFEST)
    const manifest = readManifest(await readFile(file, 'utf8'), key, file)
    await requireKnown(manifest, file)
    const { id, files } = manifest
    const list = () => readFileList(join(folder, FILE_LIST), key.forPart(id, FILE_LIST), files.listSize)
    await requireParts(folder, manifest)
    await requireFiles(join(folder, 'files'), list())
    return { folder, manifest, key, files: list }
  } catch (error) {
    throw unusable(from, error)
  }
}

/** Rejects a backup of a schema that this version does not know. */
async function requireKnown({ migrations, version }: Manifest, file: string): Promise<void> {
  const known = await findMigrations()
  const isKnown = migrations.length > 0 && migrations.every((name, i) => known[i] === name)
  if (!isKnown)
    throw new BackupError(`${file}: version ${version} made this backup, which is newer: install that version.`)
}

async function requireParts(folder: string, { tables, files }: Manifest): Promise<void> {
  const expected = new Map(tables.map(({ name, size }) => [join('tables', name), size]))
  expected.set(FILE_LIST, files.listSize)
  const others = [MANIFEST, 'tables', 'files']
  for (const name of [
    ...(await readdir(folder)),
    ...(await readdir(join(folder, 'tables'))).map((t) => join('tables', t)),
  ])
    if (!expected.has(name) && !others.includes(name)) throw notOfBackup(join(folder, name))
  for (const [name, size] of expected) {
    const path = join(folder, name)
    if (!existsSync(path)) throw new BackupError(`${path} is missing from the backup.`)
    if ((await stat(path)).size !== sealedLength(size)) throw damaged(path)
  }
}
