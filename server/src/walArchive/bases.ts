// Base backups: copies of the running database's files (PostgreSQL 18 manual, section 25.3.4). With the WAL since, any
// later moment can be restored. Each file is a compressed and encrypted part.
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'
import { z } from 'zod'
import { BackupError } from '../backup/errors.ts'
import { dropOld, findBackups, finish, nameOf, openUnfinished } from '../backup/folders.ts'
import { readSigned, writeSigned } from '../backup/manifest.ts'
import { readPart, writePart } from '../backup/sealedStream.ts'
import { ARCHIVE } from '../db/embedded/walCommands.ts'
import { codeOf, replaceFile } from '../disk.ts'
import { SERVER_VERSION } from '../version.ts'
import { deleteSetAside } from './archivedFiles.ts'
import { type Archive, findPieces, findSystems, type Piece, pathOfPiece, segmentOf } from './pieces.ts'

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
  folders: z.array(name),
  /** Each file, and the compressed bytes of its part. Parts have the numbers of their places here. */
  files: z.array(z.tuple([name, count])),
})
export type Base = z.output<typeof Manifest> & { name: string; folder: string }

const MANIFEST = 'base.json'
export const basesFolder = (root: string): string => join(root, 'bases')

/** Lists the complete base backups, oldest first. */
export const findBases = async (root: string): Promise<string[]> =>
  existsSync(basesFolder(root)) ? findBackups(basesFolder(root)) : []

/** Opens a base backup. Throws BackupError for another key, or an altered one. */
export async function openBase({ root, id, key }: Archive, base: string): Promise<Base> {
  const folder = join(basesFolder(root), base)
  const file = join(folder, MANIFEST)
  const manifest = readSigned(Manifest, await readFile(file, 'utf8').catch(() => ''), key, file)
  if (manifest.id !== id || nameOf(manifest.begun) !== base)
    throw new BackupError(`${file} belongs to another base backup.`)
  return { ...manifest, name: base, folder }
}

const Place = Manifest.pick({ system: true, timeline: true, start: true })
/** Reads, without the key, which WAL a base backup needs; undefined if its manifest cannot be read. */
async function findNeeded(root: string, base: string): Promise<z.output<typeof Place> | undefined> {
  const text = await readFile(join(basesFolder(root), base, MANIFEST), 'utf8').catch(() => '{}')
  try {
    return Place.loose().parse(JSON.parse(text).manifest)
  } catch {
    return undefined
  }
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
  (name) => `pg_${name}`,
)
const LEFT_OUT = new RegExp(`^(${ARCHIVE}$|postmaster\\.|\\.s\\.PGSQL)|(^|/)(pgsql_tmp|pg_internal\\.init)`)

async function listDatabase(pgDir: string): Promise<{ folders: string[]; files: string[] }> {
  const found = { folders: [] as string[], files: [] as string[] }
  const list = async (folder: string) => {
    for (const entry of await readdir(join(pgDir, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (LEFT_OUT.test(path)) continue
      if (entry.isFile()) found.files.push(path)
      else if (!entry.isDirectory()) throw new Error(`${path} is neither a file nor a folder`)
      else {
        found.folders.push(path)
        if (!EMPTY.includes(path)) await list(path)
      }
    }
  }
  await list('')
  return found
}

type Order = Archive & { client: pg.Client; pgDir: string; system: string; now: () => Date; isContinued: boolean }
type Stopped = { label: string; end: string }

/** Makes a base backup, waits until its WAL is archived, and returns its name. */
export async function makeBase(order: Order): Promise<string> {
  const { root, id, key, client, now, system, isContinued } = order
  const begun = now().toISOString()
  const folder = await openUnfinished(basesFolder(root), begun)
  const writer = { id, key, folder, base: nameOf(begun), files: [] }
  try {
    await client.query(`select pg_backup_start('acc', true)`)
    const folders = await copyDatabase(order.pgDir, writer)
    const { rows } = await client.query<Stopped>(
      `select labelfile as label, pg_walfile_name(lsn) as end from pg_backup_stop(true)`,
    )
    const { label = '', end = '' } = rows[0] ?? {}
    const [first, last] = [segmentOf(/\(file ([0-9A-F]{24})\)/.exec(label)?.[1] ?? ''), segmentOf(end)]
    if (first === undefined || last === undefined) throw new Error('PostgreSQL did not say which WAL is needed')
    await addFile(writer, 'backup_label', Readable.from([Buffer.from(label)]))
    const content = {
      format: FORMAT,
      version: SERVER_VERSION,
      id,
      keyFingerprint: key.fingerprint,
      begun,
      moment: now().toISOString(),
      system,
      timeline: first.timeline,
      start: first.number,
      end: last.number,
      isContinued,
      folders,
      files: writer.files,
    } as const
    await replaceFile(join(folder, MANIFEST), writeSigned(Manifest, content, key))
    return basename(await finish(basesFolder(root), folder))
  } catch (error) {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
    throw error
  }
}

const partOf = (base: string, at: number) => `bases/${base}/${at}`

type Writer = Pick<Archive, 'id' | 'key'> & { folder: string; base: string; files: [string, number][] }

/** Writes a file of the database as the next part. */
async function addFile({ id, key, folder, base, files }: Writer, path: string, source: Readable): Promise<void> {
  const at = files.length
  const packed = source.pipe(createGzip({ level: 1 }))
  source.on('error', (error) => packed.destroy(error))
  files.push([path, await writePart(join(folder, `${at}`), key.forPart(id, partOf(base, at)), packed)])
}

async function copyDatabase(pgDir: string, writer: Writer): Promise<string[]> {
  const { folders, files } = await listDatabase(pgDir)
  for (const path of files)
    await addFile(writer, path, createReadStream(join(pgDir, path))).catch(async (error: unknown) => {
      // The database removed it: the WAL does so, too.
      if (codeOf(error) !== 'ENOENT' || existsSync(join(pgDir, path))) throw error
      await rm(join(writer.folder, `${writer.files.length}`), { force: true })
    })
  return folders
}

/** Reads all of a base backup, and writes it to a folder if there is one. Throws BackupError if it was altered. */
export async function readBase({ id, key }: Archive, base: Base, pgDir?: string): Promise<void> {
  if (pgDir !== undefined)
    for (const folder of base.folders) await mkdir(join(pgDir, folder), { recursive: true, mode: 0o700 })
  for (const [at, [path, size]] of base.files.entries()) {
    const part = readPart(join(base.folder, `${at}`), key.forPart(id, partOf(base.name, at)), size)
    if (pgDir === undefined) for await (const _ of part);
    else {
      await mkdir(dirname(join(pgDir, path)), { recursive: true, mode: 0o700 })
      await pipeline(part, createGunzip(), createWriteStream(join(pgDir, path), { flags: 'wx', mode: 0o600 }))
    }
  }
}

/**
 * Removes all but the newest base backups, and the WAL and files that only older ones need. Keeps all WAL if a manifest
 * cannot be read, and WAL of `current`, whose base backup may follow.
 */
export async function dropOldBases(root: string, current: string, keep: number): Promise<void> {
  await dropOld(basesFolder(root), Math.max(1, keep))
  const bases = await findBases(root)
  const [oldest] = bases
  if (oldest === undefined) return
  await deleteSetAside(root, oldest)
  const first = new Map<string, number>()
  for (const base of bases) {
    const needed = await findNeeded(root, base)
    if (needed === undefined) return
    const wal = `${needed.system} ${needed.timeline}`
    first.set(wal, Math.min(needed.start, first.get(wal) ?? needed.start))
  }
  for (const system of await findSystems(root))
    for (const piece of await findPieces(root, system)) {
      const wal = `${system} ${piece.timeline}`
      const start = first.get(wal) ?? (wal === current ? 0 : Number.POSITIVE_INFINITY)
      if (piece.number < start) await rm(pathOfPiece(root, system, piece), { force: true })
    }
}
