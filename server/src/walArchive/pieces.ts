// The folder of a WAL archive, its compressed and encrypted parts, and its WAL: one part for each segment.
//
//   archive.id
//   wal/7512345678901234567/000000010000000000000005-1763863200000-8f14e45fceea167a-2a7011375e7e95c0
//   bases/20261123T020000000Z/base.json, content
//   files/4f/a0/4fa0..., removed/20261123T020000000Z/4f/a0/4fa0...
//
// The name of a piece has its segment, moment, digest and key, and gives the part its own key: a segment is archived
// once, and never replaced by another one.
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  constants,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { formatBytes } from '@acc/contract/labels/formats'
import { BackupError } from '../backup/errors.ts'
import type { BackupKey } from '../backup/key.ts'
import { readPart, unusable, writePart } from '../backup/sealedStream.ts'
import { syncFolder } from '../disk.ts'
import { plaintextLength } from '../files/segments.ts'

export const ARCHIVE_ID = 'archive.id'

/** An archive and its key. The id prevents parts of other archives from opening. */
export type Archive = { root: string; id: string; key: BackupKey }

/** Whether a folder is a WAL archive. Otherwise it may hold backups. */
export const isArchive = (root: string): boolean => existsSync(join(root, ARCHIVE_ID))

/** Opens an archive. Throws BackupError for another folder. */
export async function openArchive(root: string, key: BackupKey): Promise<Archive> {
  if (!isArchive(root)) throw new BackupError(`${root} holds no WAL archive.`)
  return { root, id: (await readFile(join(root, ARCHIVE_ID), 'utf8')).trim(), key }
}

/** Lists a folder in the order of its names; empty without it. */
export const listFolder = async (folder: string): Promise<string[]> =>
  existsSync(folder) ? (await readdir(folder)).sort() : []

/** Writes a new part durably to a path, and returns its length. `part` is the path that it is to get in the archive. */
export async function writePacked(
  { id, key }: Archive,
  part: string,
  path: string,
  source: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<number> {
  let size = 0
  await pipeline(source, createGzip({ level: 1 }), async (packed: AsyncIterable<Buffer>) => {
    size = await writePart(path, key.forPart(id, part), packed)
  })
  return size
}

/** Reads a part, and passes its content on if it is wanted. Throws BackupError if it was altered. */
export async function readPacked(
  { root, id, key }: Archive,
  part: string,
  use?: (content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const path = join(root, part)
  const { size } = await stat(path).catch((error: unknown) => {
    throw unusable(path, error)
  })
  const packed = readPart(path, key.forPart(id, part), plaintextLength(size))
  if (use === undefined) for await (const _ of packed);
  else await pipeline(packed, createGunzip(), use)
}

/** Segments of 16 MB with the same first number. */
const PER_LOG = 256
export const SEGMENT_SIZE = 2 ** 24
const SEGMENT = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/

export type Segment = { name: string; timeline: number; number: number }

/** Reads the name of a segment; undefined for another file. */
export function segmentOf(name: string): Segment | undefined {
  const [, timeline, high, low] = SEGMENT.exec(name) ?? []
  if (timeline === undefined || high === undefined || low === undefined) return undefined
  const number = Number.parseInt(high, 16) * PER_LOG + Number.parseInt(low, 16)
  return { name, timeline: Number.parseInt(timeline, 16), number }
}

/** A segment in the archive. Every write acknowledged before `throughDT` is in it or in the ones before. */
export type Piece = Segment & { part: string; throughDT: Date; digest: string; fingerprint: string }

const PIECE = /^([0-9A-F]{24})-(\d+)-([0-9a-f]{16})-([0-9a-f]{16})$/
const walOf = (system: string) => `wal/${system}`

/** Lists the databases whose WAL is in the archive, by PostgreSQL's identifiers. */
export const findSystems = (root: string): Promise<string[]> => listFolder(join(root, 'wal'))

/** Lists the WAL of a database, in order. */
export async function findPieces(root: string, system: string): Promise<Piece[]> {
  return (await listFolder(join(root, walOf(system)))).flatMap((file) => {
    const [, name = '', through, digest = '', fingerprint = ''] = PIECE.exec(file) ?? []
    const segment = segmentOf(name)
    const part = `${walOf(system)}/${file}`
    return segment === undefined
      ? []
      : [{ ...segment, part, throughDT: new Date(Number(through)), digest, fingerprint }]
  })
}

/** Returns PostgreSQL's identifier of the database in a folder, with which its control file begins. */
export const systemOf = async (pgDir: string): Promise<string> =>
  (await readFile(join(pgDir, 'global/pg_control'))).readBigUInt64LE().toString()

const EMPTY = Buffer.alloc(8192)
/** Opens no link, which PostgreSQL's account may have put in the place of a file. */
export const NO_LINK = constants.O_RDONLY | constants.O_NOFOLLOW

/** Returns a segment without the empty pages at its end. */
function withoutEnd(content: Buffer): Buffer {
  let end = content.length
  while (end > EMPTY.length && content.subarray(end - EMPTY.length, end).equals(EMPTY)) end -= EMPTY.length
  return content.subarray(0, end)
}

/** Archives a segment durably, once, and returns its moment. Throws BackupError if another segment has its name. */
export async function writePiece(archive: Archive, system: string, name: string, path: string): Promise<Date> {
  const { root, key } = archive
  const [content, { mtimeMs }] = [await readFile(path, { flag: NO_LINK }), await lstat(path)]
  const digest = hash('sha256', content).slice(0, 16)
  const folder = join(root, walOf(system))
  const earlier = (await findPieces(root, system)).find((piece) => piece.name === name)
  if (earlier !== undefined && earlier.digest !== digest)
    throw new BackupError(
      `${folder} holds another segment ${name}: a copy of this database archived it. Begin a new archive in another folder.`,
    )
  if (earlier !== undefined) return earlier.throughDT
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const throughDT = new Date(Math.floor(mtimeMs))
  const part = `${walOf(system)}/${name}-${Number(throughDT)}-${digest}-${key.fingerprint}`
  const draft = join(folder, 'next')
  await rm(draft, { force: true })
  await writePacked(archive, part, draft, [withoutEnd(content)])
  await rename(draft, join(root, part))
  for (const changed of [folder, join(root, 'wal'), root]) await syncFolder(changed)
  return throughDT
}

/** Reads a segment into a new file. Throws BackupError if it was altered. */
export async function readSegment(archive: Archive, { part }: Piece, to: string): Promise<void> {
  await readPacked(archive, part, (content) => writeFile(to, content, { flag: 'wx', mode: 0o600 }))
  await truncate(to, SEGMENT_SIZE)
}

/** Bytes that base backups and stored files leave to the WAL, which would otherwise fill the database's own disk. */
const OF_WAL = 256 * 1024 * 1024

/** Throws BackupError if so many bytes would leave too little to the WAL. */
export async function requireRoom(root: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(root)
  if (bavail * bsize < bytes + OF_WAL)
    throw new BackupError(`${root} is nearly full: its last ${formatBytes(OF_WAL)} are kept for the WAL.`)
}
