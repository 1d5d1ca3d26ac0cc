// Base backups: copies of the running database's files (PostgreSQL 18 manual, section 25.3.4). With the WAL since, any
// later moment can be restored. Their content is one compressed and encrypted part.
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type pg from 'pg'
import { z } from 'zod'
import { BackupError } from '../backup/errors.ts'
import { dropOld, findBackups, finish, nameOf, openUnfinished } from '../backup/folders.ts'
import { readSigned, writeSigned } from '../backup/manifest.ts'
import { ARCHIVE } from '../db/embedded/archiveCommand.ts'
import { codeOf, replaceFile } from '../disk.ts'
import { SERVER_VERSION } from '../version.ts'
import { deleteSetAside } from './archivedFiles.ts'
import {
  type Archive,
  findPieces,
  findSystems,
  NO_LINK,
  type Piece,
  readPacked,
  segmentOf,
  writePacked,
} from './pieces.ts'

const FORMAT = 1
const name = z.string().min(1)
const moment = z.iso.datetime({ precision: 3 })
const count = z.int().min(0)

const Manifest = z.strictObject({
  format: z.literal(FORMAT),
  version: name,
  id: name,
  keyFingerprint: name,
  /** Gives the backup its name. */
  begun: moment,
  /** When it was complete. Later moments can be restored from it. */
  moment,
  /** PostgreSQL's identifier of the database, and its timeline. */
  system: name,
  timeline: z.int().min(1),
  /** The first and the last segment that it needs. */
  start: count,
  end: count,
  /** Whether no WAL is missing since the previous base backup. */
  isContinued: z.boolean(),
  /** Compressed bytes of the content. */
  size: count,
  /** The folders of the database, which end with a slash, and its files with their sizes, as the content has them. */
  paths: z.array(z.tuple([name, count])),
  /** PostgreSQL's description of the backup. */
  label: name,
})
export type Base = z.output<typeof Manifest> & { name: string }

const MANIFEST = 'base.json'
export const basesFolder = (root: string): string => join(root, 'bases')
const manifestOf = (root: string, base: string): string => join(basesFolder(root), base, MANIFEST)
const contentOf = (base: string) => `bases/${base}/content`

/** Lists the complete base backups, oldest first. */
export const findBases = async (root: string): Promise<string[]> =>
  existsSync(basesFolder(root)) ? findBackups(basesFolder(root)) : []

/** Opens a base backup. Throws BackupError for another key, or an altered one. */
export async function openBase({ root, id, key }: Archive, base: string): Promise<Base> {
  const file = manifestOf(root, base)
  const manifest = readSigned(Manifest, await readFile(file, 'utf8').catch(() => ''), key, file)
  if (manifest.id !== id || nameOf(manifest.begun) !== base)
    throw new BackupError(`${file} belongs to another base backup.`)
  return { ...manifest, name: base }
}

/**
 * Finds the WAL since a base backup, up to a gap or another key, and the first segment behind a gap. Ignores segments
 * after `upTo`, which a server may have added.
 */
export async function findWal(root: string, base: Base, upTo = Number.POSITIVE_INFINITY) {
  const pieces: Piece[] = []
  for (const piece of await findPieces(root, base.system)) {
    if (piece.timeline !== base.timeline || piece.number < base.start || piece.number > upTo) continue
    if (piece.number !== base.start + pieces.length) return { pieces, behindGap: piece }
    if (piece.fingerprint !== base.keyFingerprint) break
    pieces.push(piece)
  }
  return { pieces, behindGap: undefined }
}

/** Folders that PostgreSQL fills itself, or whose content it must not find (PostgreSQL 18 manual, section 25.3.4.2). */
const EMPTY = ['wal', 'replslot', 'dynshmem', 'notify', 'serial', 'snapshots', 'stat_tmp', 'subtrans'].map(
  (name) => `pg_${name}/`,
)
const LEFT_OUT = new RegExp(`^(${ARCHIVE}$|postmaster\\.|\\.s\\.PGSQL)|(^|/)(pgsql_tmp|pg_internal\\.init)`)

/** Lists the folders and files of the database, each after its folder. */
async function listDatabase(pgDir: string, folder = ''): Promise<string[]> {
  const paths: string[] = []
  for (const entry of await readdir(join(pgDir, folder), { withFileTypes: true })) {
    const path = `${folder}${entry.name}`
    if (LEFT_OUT.test(path)) continue
    if (entry.isFile()) paths.push(path)
    else if (!entry.isDirectory()) throw new Error(`${path} is neither a file nor a folder`)
    else paths.push(`${path}/`, ...(EMPTY.includes(`${path}/`) ? [] : await listDatabase(pgDir, `${path}/`)))
  }
  return paths
}

/** Yields the bytes of the database's files, and adds their paths to a list. */
async function* readDatabase(pgDir: string, paths: [string, number][]): AsyncGenerator<Buffer> {
  for (const path of await listDatabase(pgDir)) {
    let size = 0
    try {
      if (!path.endsWith('/'))
        for await (const bytes of (await open(join(pgDir, path), NO_LINK)).createReadStream()) {
          size += bytes.length
          yield bytes
        }
      paths.push([path, size])
    } catch (error) {
      // The database removed the file: the WAL does so, too.
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
}

type Order = { client: pg.Client; pgDir: string; system: string; now: () => Date; isContinued: boolean }
type Stopped = { label: string; end: string }

/** Makes a base backup, and waits until its WAL is archived. */
export async function makeBase(archive: Archive, order: Order): Promise<Base> {
  const { root, id, key } = archive
  const { client, pgDir, now, system, isContinued } = order
  const begun = now().toISOString()
  const folder = await openUnfinished(basesFolder(root), begun)
  try {
    const started = await client.query<{ start: string }>(
      `select pg_walfile_name(pg_backup_start('acc', true)) as start`,
    )
    const paths: [string, number][] = []
    const part = contentOf(nameOf(begun))
    const size = await writePacked(archive, part, join(folder, basename(part)), readDatabase(pgDir, paths))
    const stopped = await client.query<Stopped>(
      `select labelfile as label, pg_walfile_name(lsn) as end from pg_backup_stop(true)`,
    )
    const { label = '', end = '' } = stopped.rows[0] ?? {}
    const [first, last] = [segmentOf(started.rows[0]?.start ?? ''), segmentOf(end)]
    if (first === undefined || last === undefined) throw new Error('PostgreSQL did not say which WAL is needed')
    const wal = { system, timeline: first.timeline, start: first.number, end: last.number, isContinued }
    const about = { format: FORMAT, version: SERVER_VERSION, id, keyFingerprint: key.fingerprint } as const
    const content = { ...about, begun, moment: now().toISOString(), ...wal, size, paths, label }
    await replaceFile(join(folder, MANIFEST), writeSigned(Manifest, content, key))
    return await openBase(archive, basename(await finish(basesFolder(root), folder)))
  } catch (error) {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
    throw error
  }
}

/** Reads all of a base backup. Throws BackupError if it was altered. */
export const readBase = (archive: Archive, { name }: Base): Promise<void> => readPacked(archive, contentOf(name))

/** Writes a base backup to a folder. Throws BackupError if it was altered. */
export async function unpackBase(archive: Archive, { name, paths, label }: Base, pgDir: string): Promise<void> {
  await readPacked(archive, contentOf(name), async (content) => {
    const chunks = content[Symbol.asyncIterator]()
    let chunk = Buffer.alloc(0)
    const take = async function* (size: number) {
      for (let left = size; left > 0; ) {
        if (chunk.length === 0) chunk = (await chunks.next()).value
        const bytes = chunk.subarray(0, left)
        chunk = chunk.subarray(bytes.length)
        left -= bytes.length
        yield bytes
      }
    }
    for (const [path, size] of paths)
      if (path.endsWith('/')) await mkdir(join(pgDir, path), { mode: 0o700 })
      else await writeFile(join(pgDir, path), take(size), { flag: 'wx', mode: 0o600 })
    // Reads the end, which authenticates the content.
    await chunks.next()
  })
  await writeFile(join(pgDir, 'backup_label'), label, { flag: 'wx', mode: 0o600 })
}

const Needed = z.object({ manifest: z.object({ system: name, timeline: count, start: count }) })
/** Reads, without the key, which WAL a base backup needs; undefined if its manifest cannot be read. */
const findNeeded = (file: string) =>
  readFile(file, 'utf8')
    .then((text) => Needed.parse(JSON.parse(text)).manifest)
    .catch(() => undefined)

/**
 * Removes all but the newest base backups, and the WAL and files that only older ones need. Keeps all WAL if a manifest
 * cannot be read, and WAL of `current`, whose base backup may follow.
 */
export async function dropOldBases(root: string, current: string, keep: number): Promise<void> {
  await dropOld(basesFolder(root), keep)
  const bases = await findBases(root)
  const [oldest] = bases
  if (oldest === undefined) return
  await deleteSetAside(root, oldest)
  const first = new Map<string, number>()
  for (const base of bases) {
    const needed = await findNeeded(manifestOf(root, base))
    if (needed === undefined) return
    const wal = `${needed.system} ${needed.timeline}`
    first.set(wal, Math.min(needed.start, first.get(wal) ?? needed.start))
  }
  for (const system of await findSystems(root))
    for (const { timeline, number, part } of await findPieces(root, system)) {
      const wal = `${system} ${timeline}`
      const start = first.get(wal) ?? (wal === current ? 0 : Number.POSITIVE_INFINITY)
      if (number < start) await rm(join(root, part), { force: true })
    }
}
