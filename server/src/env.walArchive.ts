// The operator's settings of backups and the WAL archive (docs/operations/backup.md).
import { join, relative, resolve } from 'node:path'
import { z } from 'zod'
import type { FilesPlace } from './env.files.ts'

/** Where the embedded database's WAL is archived. */
type WalArchivePlace = {
  folder: string
  /** The file with the key of backups; undefined for the one that the secret key gives. */
  keyFile: string | undefined
  /** Base backups that are kept, one a day. */
  keep: number
}

const [MIN_KEEP, MAX_KEEP, DEFAULT_KEEP] = [1, 400, 7]
const KEEP_FORM = `a whole number from ${MIN_KEEP} to ${MAX_KEEP}`

export const WAL_ARCHIVE_VARIABLES = {
  ACC_BACKUP_DIR: z.string().min(1).optional(),
  ACC_WAL_ARCHIVE_DIR: z.string().min(1).optional(),
  ACC_WAL_ARCHIVE_KEY: z.string().min(1).optional(),
  ACC_WAL_ARCHIVE_KEEP: z
    .string()
    .refine((text) => /^\d{1,3}$/.test(text) && Number(text) >= MIN_KEEP && Number(text) <= MAX_KEEP, KEEP_FORM)
    .transform(Number)
    .default(DEFAULT_KEEP),
}

type Variables = z.output<z.ZodObject<typeof WAL_ARCHIVE_VARIABLES>> & {
  ACC_DATABASE_URL?: string | undefined
  ACC_FILES_URL?: FilesPlace | undefined
}

/** Returns the archive, undefined without one, or a text about a setting that cannot be used. */
function walArchiveOf(v: Variables, dataDir: string): WalArchivePlace | string | undefined {
  if (v.ACC_WAL_ARCHIVE_DIR === undefined)
    return v.ACC_WAL_ARCHIVE_KEY === undefined ? undefined : 'ACC_WAL_ARCHIVE_KEY: needs ACC_WAL_ARCHIVE_DIR'
  if (v.ACC_DATABASE_URL !== undefined)
    return 'ACC_WAL_ARCHIVE_DIR: of the embedded database only; an outside PostgreSQL archives its WAL itself'
  const folder = resolve(v.ACC_WAL_ARCHIVE_DIR)
  const { ACC_FILES_URL: files = { folder: dataDir } } = v
  const inside = [dataDir, 'folder' in files ? files.folder : dataDir].find(
    (one) => !relative(one, folder).startsWith('..'),
  )
  if (inside !== undefined)
    return `ACC_WAL_ARCHIVE_DIR: ${folder} lies in ${inside}: choose a directory on another disk`
  return {
    folder,
    keyFile: v.ACC_WAL_ARCHIVE_KEY && resolve(v.ACC_WAL_ARCHIVE_KEY),
    keep: v.ACC_WAL_ARCHIVE_KEEP,
  }
}

export type Backups = {
  /** The folder for the nightly backup; undefined without one. */
  backupDir: string | undefined
  walArchive: WalArchivePlace | undefined
}

/** Returns the folders of backups and WAL, or a text about a setting that cannot be used. */
export function backupsOf(v: Variables, dataDir: string): Backups | string {
  const walArchive = walArchiveOf(v, dataDir)
  if (typeof walArchive === 'string') return walArchive
  const backupDir = v.ACC_BACKUP_DIR === 'none' ? undefined : resolve(v.ACC_BACKUP_DIR ?? join(dataDir, 'backups'))
  return { backupDir, walArchive }
}
