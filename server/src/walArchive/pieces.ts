// The folder of a WAL archive, and its WAL: one file for each segment, compressed and encrypted.
//
//   archive.id
//   wal/7512345678901234567/000000010000000000000005-8f14e45fceea167a-2a7011375e7e95c0
//   bases/20261123T020000000Z/base.json, 0, 1, 2 ...
//   files/4f/a0/4fa0..., removed/20261123T020000000Z/4f/a0/4fa0...
//
// The name of a piece has its segment, digest and key: a segment is archived once, and never replaced by another one.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { formatBytes } from '@acc/contract/labels/formats'
import { BackupError } from '../backup/errors.ts'
import type { BackupKey } from '../backup/key.ts'
import { damaged, readPart, writePart } from '../backup/sealedStream.ts'
import { syncFolder } from '../disk.ts'
import { plaintextLength } from '../files/segments.ts'

export const ARCHIVE_ID = 'archive.id'

/** An archive and its key. The id prevents parts of other archives from opening. */
export type Archive = { root: string; id: string; key: BackupKey }

/** Whether a folder is a WAL archive. Otherwise it may hold backups. */
export const isArchive = (root: string): boolean => existsSync(join(root, ARCHIVE_ID))

export const readArchiveId = async (root: string): Promise<string> =>
  (await readFile(join(root, ARCHIVE_ID), 'utf8')).trim()

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

export type Piece = Segment & { file: string; digest: string; fingerprint: string }

const PIECE = /^([0-9A-F]{24})-([0-9a-f]{16})-([0-9a-f]{16})$/
const walFolder = (root: string, system: string) => join(root, 'wal', system)
export const pathOfPiece = (root: string, system: string, { file }: Pick<Piece, 'file'>): string =>
  join(walFolder(root, system), file)

const listIn = async (folder: string): Promise<string[]> => (existsSync(folder) ? (await readdir(folder)).sort() : [])

/** Lists the databases whose WAL is in the archive, by PostgreSQL's identifiers. */
export const findSystems = (root: string): Promise<string[]> => listIn(join(root, 'wal'))

/** Lists the WAL of a database, in order. */
export async function findPieces(root: string, system: string): Promise<Piece[]> {
  return (await listIn(walFolder(root, system))).flatMap((file) => {
    const [, name = '', digest = '', fingerprint = ''] = PIECE.exec(file) ?? []
    const segment = segmentOf(name)
    return segment === undefined ? [] : [{ ...segment, file, digest, fingerprint }]
  })
}

/** Returns PostgreSQL's identifier of the database in a folder, with which its control file begins. */
export const systemOf = async (pgDir: string): Promise<string> =>
  (await readFile(join(pgDir, 'global/pg_control'))).readBigUInt64LE().toString()

const [compress, decompress] = [promisify(gzip), promisify(gunzip)]
const HEAD = 8
const partName = (system: string, file: string) => `wal/${system}/${file}`

/**
 * Archives a segment durably, once. Returns the moment before which every acknowledged write is archived.
 * Throws BackupError if another segment has its name.
 */
export async function writePiece(
  { root, id, key }: Archive,
  system: string,
  name: string,
  path: string,
): Promise<Date> {
  const [content, { mtimeMs }] = [await readFile(path), await stat(path)]
  const through = Math.floor(mtimeMs)
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const folder = walFolder(root, system)
  const earlier = (await findPieces(root, system)).find((piece) => piece.name === name)
  if (earlier !== undefined && earlier.digest !== digest)
    throw new BackupError(
      `${folder} holds another segment ${name}: a copy of this database archived it. Begin a new archive in another folder.`,
    )
  if (earlier !== undefined) return new Date(through)
  for (const made of [join(root, 'wal'), folder]) if (!existsSync(made)) await mkdir(made, { mode: 0o700 })
  const file = `${name}-${digest}-${key.fingerprint}`
  const draft = join(folder, 'next')
  const head = Buffer.alloc(HEAD)
  head.writeBigInt64BE(BigInt(through))
  const packed = await compress(content, { level: 1 })
  await rm(draft, { force: true })
  await writePart(draft, key.forPart(id, partName(system, file)), toSource([head, packed]))
  await rename(draft, join(folder, file))
  for (const changed of [folder, join(root, 'wal'), root]) await syncFolder(changed)
  return new Date(through)
}

async function* toSource(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts
}

export type Wal = { content: Buffer; throughDT: Date }

/** Reads a segment. Throws BackupError if it was altered. */
export async function readPiece({ root, id, key }: Archive, system: string, piece: Piece): Promise<Wal> {
  const path = pathOfPiece(root, system, piece)
  const parts: Buffer[] = []
  const size = plaintextLength((await stat(path)).size)
  for await (const part of readPart(path, key.forPart(id, partName(system, piece.file)), size)) parts.push(part)
  const packed = Buffer.concat(parts)
  if (packed.length <= HEAD) throw damaged(path)
  return { content: await decompress(packed.subarray(HEAD)), throughDT: new Date(Number(packed.readBigInt64BE())) }
}

/** Bytes that base backups and stored files leave to the WAL, which would otherwise fill the database's own disk. */
const OF_WAL = 256 * 1024 * 1024

/** Throws BackupError if so many bytes would leave too little to the WAL. */
export async function requireRoom(root: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(root)
  if (bavail * bsize < bytes + OF_WAL)
    throw new BackupError(`${root} is nearly full: its last ${formatBytes(OF_WAL)} are kept for the WAL.`)
}
