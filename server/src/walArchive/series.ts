// The folders of a WAL archive. A series is the WAL of one database without a gap, with its base backups; a restored database, or
// one whose WAL could not be kept long enough, begins another one. Stored files are beside the series, as they are in the store.
//
//   20261122T104000123Z/series.json, wal/START-END, bases/20261123T020000000Z/{base.json, base}
//   files/4f/a0/4fa0..., removed/20261123T020000000Z/4f/a0/4fa0...
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { BackupError } from '../backup/errors.ts'
import { findBackups, nameOf } from '../backup/folders.ts'
import type { BackupKey } from '../backup/key.ts'
import { readSigned, writeSigned } from '../backup/manifest.ts'
import { replaceFile, syncFolder } from '../disk.ts'
import type { Lsn } from './lsn.ts'
import type { System } from './replication.ts'

/** Raised when an earlier server could not read the archive. */
const FORMAT = 1
const name = z.string().min(1)
const moment = z.iso.datetime({ precision: 3 })

const SeriesManifest = z.strictObject({
  format: z.literal(FORMAT),
  version: name,
  id: z.string().regex(/^[0-9a-f]{32}$/),
  moment,
  keyFingerprint: name,
  /** PostgreSQL's own number of the database, and its timeline. */
  systemId: name,
  timeline: z.int().min(1),
})

const lsn = z.string().regex(/^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/)
export const BaseManifest = z.strictObject({
  format: z.literal(FORMAT),
  version: name,
  id: z.string().regex(/^[0-9a-f]{32}$/),
  keyFingerprint: name,
  /** Names it. */
  begun: moment,
  /** When it was complete: any later moment can be restored from it. */
  moment,
  /** From where to where the WAL is needed with it. */
  start: lsn,
  end: lsn,
  /** Bytes, compressed. */
  size: z.int().min(0),
})
export type BaseManifest = z.output<typeof BaseManifest>

const [SERIES, BASE] = ['series.json', 'base.json']

export type Series = { name: string; folder: string; key: BackupKey; manifest: z.output<typeof SeriesManifest> }
export type Base = { name: string; folder: string; manifest: BaseManifest }

export const walFolder = ({ folder }: Pick<Series, 'folder'>): string => join(folder, 'wal')
export const basesFolder = ({ folder }: Pick<Series, 'folder'>): string => join(folder, 'bases')
export const basePart = (base: string): string => `bases/${base}/base`

/** The slot that makes PostgreSQL keep WAL for the series. */
export const slotOf = (series: string): string => `acc_${series.toLowerCase()}`
export const SLOT = /^acc_(\d{8}t\d{9}z)$/
export const seriesOfSlot = (slot: string): string => slot.replace(SLOT, '$1').toUpperCase()

/** Makes the folders of a new series. */
export async function createSeries(
  root: string,
  key: BackupKey,
  { version, now, system }: { version: string; now: Date; system: System },
): Promise<Series> {
  const moment = now.toISOString()
  const folder = join(root, nameOf(moment))
  for (const made of [folder, walFolder({ folder }), basesFolder({ folder })]) await mkdir(made, { mode: 0o700 })
  const id = randomBytes(16).toString('hex')
  const { systemId, timeline } = system
  const manifest = { format: FORMAT, version, id, moment, keyFingerprint: key.fingerprint, systemId, timeline } as const
  await replaceFile(join(folder, SERIES), writeSigned(SeriesManifest, manifest, key))
  await syncFolder(root)
  return { name: nameOf(moment), folder, key, manifest }
}

/** Opens a series; undefined if it is not there. Throws BackupError for another key, or an altered one. */
export async function openSeries(root: string, series: string, key: BackupKey): Promise<Series | undefined> {
  const folder = join(root, series)
  const file = join(folder, SERIES)
  if (!existsSync(file)) return undefined
  const manifest = readSigned(SeriesManifest, await readFile(file, 'utf8'), key, file)
  if (nameOf(manifest.moment) !== series) throw new BackupError(`${file} belongs to another series.`)
  return { name: series, folder, key, manifest }
}

/** The names of all series, oldest first. */
export const findSeries = async (root: string): Promise<string[]> =>
  (await findBackups(root)).filter((series) => existsSync(join(root, series, SERIES)))

/** Whether a folder is a WAL archive, and no folder of backups. */
export const isArchive = async (root: string): Promise<boolean> =>
  existsSync(root) && (await findSeries(root)).length > 0

/** The names of the complete base backups of a series, oldest first. */
export const findBases = (series: Pick<Series, 'folder'>): Promise<string[]> => findBackups(basesFolder(series))

/** The base backups of all series, oldest first. */
export async function listBases(root: string): Promise<{ series: string; base: string }[]> {
  const found: { series: string; base: string }[] = []
  for (const series of await findSeries(root))
    for (const base of await findBases({ folder: join(root, series) })) found.push({ series, base })
  return found.sort((one, other) => (one.base < other.base ? -1 : 1))
}

export const writeBase = (base: Omit<BaseManifest, 'format'>, key: BackupKey, folder: string): Promise<void> =>
  replaceFile(join(folder, BASE), writeSigned(BaseManifest, { format: FORMAT, ...base }, key))

export async function openBase(series: Series, base: string): Promise<Base> {
  const folder = join(basesFolder(series), base)
  const file = join(folder, BASE)
  const manifest = readSigned(BaseManifest, await readFile(file, 'utf8').catch(() => ''), series.key, file)
  if (manifest.id !== series.manifest.id || nameOf(manifest.begun) !== base)
    throw new BackupError(`${file} belongs to another base backup.`)
  return { name: base, folder, manifest }
}

/** WAL from one position to another, as one file. */
export type Chunk = { name: string; start: Lsn; end: Lsn }
const CHUNK = /^([0-9A-F]{16})-([0-9A-F]{16})$/
const hex = (lsn: Lsn) => lsn.toString(16).toUpperCase().padStart(16, '0')
export const chunkName = (start: Lsn, end: Lsn): string => `${hex(start)}-${hex(end)}`

/** The WAL of a series, in its order. */
export async function findChunks(series: Pick<Series, 'folder'>): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for (const name of (await readdir(walFolder(series))).sort()) {
    const [, start, end] = CHUNK.exec(name) ?? []
    if (start !== undefined && end !== undefined)
      chunks.push({ name, start: BigInt(`0x${start}`), end: BigInt(`0x${end}`) })
  }
  return chunks
}

const REMOVED = '.removed'
const BEING_REMOVED = /^\d{8}T\d{9}Z\.removed$/

/** Removes a series or a base backup, renamed first so that half of it is never taken for a whole one. */
export async function removeFolder(folder: string): Promise<void> {
  await rename(folder, `${folder}${REMOVED}`)
  await rm(`${folder}${REMOVED}`, { recursive: true, force: true })
}

/** Removes what an interrupted removal left. */
export async function finishRemovals(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (BEING_REMOVED.test(name)) await rm(join(folder, name), { recursive: true, force: true })
}

/** Removes series in which nothing was archived, since they could not begin. */
export async function removeEmptySeries(root: string): Promise<void> {
  for (const name of await findBackups(root)) {
    const series = { folder: join(root, name) }
    if (!existsSync(walFolder(series)) || !existsSync(basesFolder(series))) continue
    if ((await findChunks(series)).length + (await findBases(series)).length === 0) await removeFolder(series.folder)
  }
}
