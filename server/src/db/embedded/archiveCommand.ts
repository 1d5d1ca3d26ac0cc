// Passes the WAL from PostgreSQL to this process. PostgreSQL's account cannot access the archive or its key, so
// archive_command writes a request to the data directory and waits for the result.
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

/** The folder of requests. While it exists, PostgreSQL keeps WAL that is not archived. */
export const ARCHIVE = 'acc_wal'
const [REQUEST, FAILED, COMMAND, SERVER] = ['.request', '.failed', 'command', 'server.pid']
/** Milliseconds between checks for requests that the system did not announce. */
const CHECK = 1_000

/** An exit status above 125 ends PostgreSQL's archiver. After others it tries three times, also while it is stopped. */
const END = 200

const SCRIPT = `folder=\${0%/*}
read -r server <"$folder/${SERVER}" || exit 1
rm -f "$folder/$1${FAILED}"
: >"$folder/$1${REQUEST}" || exit 1
while [ -e "$folder/$1${REQUEST}" ]; do
  [ -d "/proc/$server" ] || kill -0 "$server" 2>/dev/null || exit 1
  sleep 0.1
done
[ ! -e "$folder/$1${FAILED}" ] || exit ${END}
`

/** Archives the file at a path durably. Rejects when the server ends before: PostgreSQL keeps the file. */
export type Archive = (name: string, path: string) => Promise<void>

/** Returns PostgreSQL's settings for an existing archive, also if no server runs. Else no segment ends early. */
export const archiveSettings = ({ directory }: Place): Record<string, string> =>
  existsSync(join(directory, ARCHIVE))
    ? { archive_mode: 'on', archive_command: `sh ${ARCHIVE}/${COMMAND} %f` }
    : { archive_timeout: '0' }

/** Ends the archive of a stopped database: PostgreSQL keeps no more WAL for it. */
export const endArchive = ({ directory }: Place): void =>
  rmSync(join(directory, ARCHIVE), { recursive: true, force: true })

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

/** Archives requested files one by one. The result ends it. */
export function serveArchive(place: Place, archive: Archive): () => void {
  const { directory, account } = place
  const folder = join(directory, ARCHIVE)
  if (existsSync(folder) && !lstatSync(folder).isDirectory()) rmSync(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (account.uid !== undefined && account.gid !== undefined) lchownSync(folder, account.uid, account.gid)
  for (const request of findRequests(folder)) rmSync(join(folder, request))
  write(place, join(folder, COMMAND), SCRIPT)
  write(place, join(folder, SERVER), `${process.pid}\n`)
  let isBusy = false
  const check = async () => {
    if (isBusy) return
    isBusy = true
    try {
      for (let [request] = findRequests(folder); request !== undefined; [request] = findRequests(folder)) {
        const name = request.slice(0, -REQUEST.length)
        const failed = join(folder, `${name}${FAILED}`)
        await archive(name, join(directory, 'pg_wal', name)).catch(() => write(place, failed, ''))
        rmSync(join(folder, request), { force: true })
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
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(REQUEST)) : []
