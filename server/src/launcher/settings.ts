// The settings of an unpacked version: those of the environment, then of acc.env. The file and the data are next to the
// version's folder, so that a new version finds both.
import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { loadEnvFile } from 'node:process'
import { Refusal, Status } from './statuses.ts'

/** Settings of files and folders. In acc.env, their paths are relative to its folder. */
const PATHS = [
  'ACC_DATA_DIR',
  'ACC_CONSOLE_CONFIG',
  'ACC_FILES_URL',
  'ACC_HISTORY_DIR',
  'ACC_PEOPLE_DIR',
  'ACC_WAL_ARCHIVE_DIR',
  'ACC_WAL_ARCHIVE_KEY',
  'ACC_BACKUP_DIR',
  'NODE_EXTRA_CA_CERTS',
]
/** Those of folders that the server writes to. */
const WRITTEN = ['ACC_DATA_DIR', 'ACC_FILES_URL', 'ACC_HISTORY_DIR', 'ACC_WAL_ARCHIVE_DIR', 'ACC_BACKUP_DIR']
const FOR_OTHERS = 0o007
const ADDRESS = /^[a-z0-9+.-]+:\/\//i
/** The value of ACC_BACKUP_DIR for no backups. */
const NONE = 'none'
const isPath = (value: string | undefined): value is string => !!value && value !== NONE && !ADDRESS.test(value)

/** Completes this process's environment for the version unpacked at `home`. Throws Refusal. */
export function loadSettings(home: string): void {
  const parent = dirname(home)
  const file = join(parent, 'acc.env')
  const given = new Set(PATHS.filter((name) => process.env[name]))
  if (isSafe(file)) loadEnvFile(file)
  for (const name of PATHS) {
    const value = process.env[name]
    if (isPath(value) && !given.has(name)) process.env[name] = resolve(parent, value)
  }
  process.env.ACC_DATA_DIR = resolve(process.env.ACC_DATA_DIR || join(parent, 'acc-data'))
}

/** Returns the paths of the settings: the folders that the server writes to, and what it only reads. */
export function findPaths(): { written: string[]; read: string[] } {
  const valuesOf = (names: readonly string[]) => names.map((name) => process.env[name]).filter(isPath)
  return { written: valuesOf(WRITTEN), read: valuesOf(PATHS.filter((name) => !WRITTEN.includes(name))) }
}

/** Whether the file exists. Rejects a file that other accounts may read or write, since it may hold passwords. */
function isSafe(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found !== undefined && (found.mode & FOR_OTHERS) !== 0)
    throw new Refusal(`${file} is open to every account: chmod 640 "${file}"`, Status.NOT_CONFIGURED)
  return found !== undefined
}
