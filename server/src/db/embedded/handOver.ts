// Files of the WAL that PostgreSQL hands to this process, or gets from it. archive_command and restore_command run under
// PostgreSQL's account, which reaches neither the archive nor its key: they leave a request in the data directory and wait.
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

/** The folder of the requests to archive. While it exists, PostgreSQL keeps all WAL that was not archived. */
export const ARCHIVE = 'acc_wal'
const RESTORE = 'acc_restore'
const [REQUEST, FAILED, COMMAND, SERVER] = ['.request', '.failed', 'command', 'server.pid']
/** Milliseconds between looks, where the system does not announce a request. */
const LOOK = 1_000
/** An exit status above 125 ends a recovery; others say that the archive does not have the file. */
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

/** Archives the file at a path, which then is durable. Rejects if PostgreSQL has to keep it. */
export type Archive = (name: string, path: string) => Promise<void>
/** Writes a file of the archive to a path. Writes nothing if the archive does not have it. Rejects to end the recovery. */
export type Restore = (name: string, path: string) => Promise<void>

export type HandOver = { settings: Record<string, string>; close(): void }

const command = (folder: string) => `sh ${folder}/${COMMAND} %f %p`

/** PostgreSQL's settings while an archive exists, whether a server answers or not. */
export const archiveSettings = ({ directory }: Place): Record<string, string> =>
  existsSync(join(directory, ARCHIVE))
    ? // With the time that a segment takes, at most a minute is lost.
      { archive_mode: 'on', archive_command: command(ARCHIVE), archive_timeout: '50s' }
    : {}

/** Ends the archive: PostgreSQL, which does not run, keeps no more WAL for it. */
export const endArchive = ({ directory }: Place): void =>
  rmSync(join(directory, ARCHIVE), { recursive: true, force: true })

export const openArchiving = (place: Place, archive: Archive): HandOver => {
  const close = serve(place, ARCHIVE, archive)
  return { settings: archiveSettings(place), close }
}

export const openRestoring = (place: Place, restore: Restore): HandOver => {
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

/** Gives a path to PostgreSQL's account, which may have put a link in its place: only the link changes hands. */
function own({ account: { uid, gid } }: Place, path: string): void {
  if (uid !== undefined && gid !== undefined) lchownSync(path, uid, gid)
}

/** Writes a new file, never through a link that PostgreSQL's account left there. */
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

/** Answers requests one after the other, until it is closed. */
function serve(place: Place, kind: typeof ARCHIVE | typeof RESTORE, answer: Archive): () => void {
  const folder = join(place.directory, kind)
  if (existsSync(folder) && !lstatSync(folder).isDirectory()) rmSync(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  own(place, folder)
  for (const name of readdirSync(folder)) if (name.endsWith(REQUEST)) rmSync(join(folder, name))
  write(place, join(folder, COMMAND), COMMANDS[kind])
  write(place, join(folder, SERVER), `${process.pid}\n`)
  let isBusy = false
  const look = async () => {
    if (isBusy) return
    isBusy = true
    try {
      for (let requests = findRequests(folder); requests.length > 0; requests = findRequests(folder))
        for (const name of requests) await answerOne(place, folder, name, answer)
    } finally {
      isBusy = false
    }
  }
  const watcher = watch(folder, { persistent: false }, look)
  watcher.on('error', () => undefined)
  const timer = setInterval(look, LOOK).unref()
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

async function answerOne(place: Place, folder: string, request: string, answer: Archive): Promise<void> {
  const [name, path] = [request.slice(0, -REQUEST.length), join(folder, request)]
  await answer(name, path).catch(() => write(place, join(folder, `${name}${FAILED}`), ''))
  rmSync(path, { force: true })
}
