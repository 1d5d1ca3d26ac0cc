// Passes files of the WAL between PostgreSQL and this process. PostgreSQL's account cannot access the archive or its
// key, so archive_command and restore_command write a request to the data directory and wait for the result.
import {
  closeSync,
  existsSync,
  fchownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  watch,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Place } from './place.ts'

/** The folder of archive requests. While it exists, PostgreSQL keeps WAL that is not archived. */
export const ARCHIVE = 'acc_wal'
const RESTORE = 'acc_restore'
const [REQUEST, FAILED, COMMAND, SERVER] = ['.request', '.failed', 'command', 'server.pid']
/** Milliseconds between checks for requests that the system did not announce. */
const CHECK = 1_000
/** An exit status above 125 ends a recovery; others mean that the archive does not have the file. */
const END_RECOVERY = 200

const WAIT = `while [ -e "$folder/$1${REQUEST}" ]; do
  [ -d "/proc/$server" ] || kill -0 "$server" 2>/dev/null || exit 1
  sleep 0.1
done`
const BEGIN = `folder=\${0%/*}
read -r server <"$folder/${SERVER}" || exit 1
rm -f "$folder/$1${FAILED}"`
const COMMANDS = {
  [ARCHIVE]: `${BEGIN}
ln -f "$2" "$folder/$1${REQUEST}" || exit 1
${WAIT}
[ ! -e "$folder/$1${FAILED}" ]
`,
  [RESTORE]: `${BEGIN}
: >"$folder/$1${REQUEST}" || exit 1
${WAIT}
[ ! -e "$folder/$1${FAILED}" ] || exit ${END_RECOVERY}
[ -e "$folder/$1" ] && mv "$folder/$1" "$2"
`,
}

/** Archives the file at a path durably. Rejects if PostgreSQL has to keep it. */
export type Archive = (name: string, path: string) => Promise<void>
/** Writes a file of the archive to a path, if the archive has it. Rejects to end the recovery. */
export type Restore = (name: string, path: string) => Promise<void>

export type WalCommands = { settings: Record<string, string>; close(): void }

const command = (folder: string) => `sh ${folder}/${COMMAND} %f %p`

/** Returns PostgreSQL's settings for an existing archive, also if no server runs. */
export const archiveSettings = ({ directory }: Place): Record<string, string> =>
  existsSync(join(directory, ARCHIVE))
    ? // At most a minute is lost, including the time to archive a segment.
      { archive_mode: 'on', archive_command: command(ARCHIVE), archive_timeout: '50s' }
    : {}

/** Ends the archive of a stopped database: PostgreSQL keeps no more WAL for it. */
export const endArchive = ({ directory }: Place): void =>
  rmSync(join(directory, ARCHIVE), { recursive: true, force: true })

export const openArchiving = (place: Place, archive: Archive): WalCommands => {
  const close = serve(place, ARCHIVE, archive)
  return { settings: archiveSettings(place), close }
}

export const openRestoring = (place: Place, restore: Restore): WalCommands => {
  const folder = join(place.directory, RESTORE)
  const end = serve(place, RESTORE, async (name) => {
    rmSync(join(folder, name), { force: true })
    await restore(name, join(folder, name))
    if (existsSync(join(folder, name))) own(place, join(folder, name))
  })
  const close = () => {
    end()
    rmSync(folder, { recursive: true, force: true })
  }
  return { settings: { restore_command: command(RESTORE) }, close }
}

/** Makes PostgreSQL's account the owner of a path. Does not follow links, which that account may have put there. */
function own({ account: { uid, gid } }: Place, path: string): void {
  if (uid !== undefined && gid !== undefined) lchownSync(path, uid, gid)
}

/** Replaces a file. Does not follow links, which PostgreSQL's account may have put there. */
function write({ account: { uid, gid } }: Place, path: string, content: string): void {
  rmSync(path, { force: true })
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(file, content)
    if (uid !== undefined && gid !== undefined) fchownSync(file, uid, gid)
  } finally {
    closeSync(file)
  }
}

/** Handles requests one by one. The result ends it. */
function serve(place: Place, kind: typeof ARCHIVE | typeof RESTORE, handle: Archive): () => void {
  const folder = join(place.directory, kind)
  if (existsSync(folder) && !lstatSync(folder).isDirectory()) rmSync(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  own(place, folder)
  for (const request of findRequests(folder)) rmSync(join(folder, request))
  write(place, join(folder, COMMAND), COMMANDS[kind])
  write(place, join(folder, SERVER), `${process.pid}\n`)
  let isBusy = false
  const check = async () => {
    if (isBusy) return
    isBusy = true
    try {
      for (let [request] = findRequests(folder); request !== undefined; [request] = findRequests(folder)) {
        const [name, path] = [request.slice(0, -REQUEST.length), join(folder, request)]
        await handle(name, path).catch(() => write(place, join(folder, `${name}${FAILED}`), ''))
        rmSync(path, { force: true })
      }
    } finally {
      isBusy = false
    }
  }
  const watcher = watch(folder, { persistent: false }, check)
  watcher.on('error', () => undefined)
  const timer = setInterval(check, CHECK).unref()
  return () => {
    watcher.close()
    clearInterval(timer)
    rmSync(join(folder, SERVER), { force: true })
  }
}

const findRequests = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(REQUEST))
        .sort()
    : []
