// The signed manifest of a backup: only parts that it lists with their length are read, and all of them must exist. The
// file has one valid spelling.
import { z } from 'zod'
import { BackupError, OtherKeyError } from './errors.ts'
import type { BackupKey } from './key.ts'

/** Increases when earlier servers could not read the backup. */
const FORMAT = 2

const count = z.int().min(0)
const name = z.string().min(1)

export const TableEntry = z.strictObject({
  name,
  columns: z.array(name),
  rows: count,
  /** The sum of the hashes of its rows (tables.ts). */
  content: z.string(),
  /** Bytes of the compressed rows. */
  size: count,
})
export type TableEntry = z.output<typeof TableEntry>

const Manifest = z.strictObject({
  format: z.literal(FORMAT),
  /** Of the server whose acc-admin made the backup. */
  version: name,
  id: z.string().regex(/^[0-9a-f]{32}$/),
  /** The moment of the database's snapshot. */
  moment: z.iso.datetime({ precision: 3 }),
  /** Of the key that opens the backup. */
  keyFingerprint: name,
  /** Of the secret key that sealed the stored secrets and files; null if the server has none yet. */
  secretKeyFingerprint: name.nullable(),
  migrations: z.array(name),
  tables: z.array(TableEntry),
  /** Monthly partitions that the rows need. */
  partitions: z.array(z.strictObject({ table: name, month: z.iso.date() })),
  sequences: z.array(z.strictObject({ name, value: z.string().regex(/^\d+$/), isCalled: z.boolean() })),
  /** The last seal of the history; null if there is none yet. */
  seal: z.strictObject({ no: count, hash: z.string() }).nullable(),
  /** Stored files: `size` of all files, `listSize` of their list, number of files that the store had lost. */
  files: z.strictObject({ count, size: count, listSize: count, missing: count }),
})
export type Manifest = z.output<typeof Manifest>

export const MANIFEST = 'manifest.json'
export const FILE_LIST = 'files.list'
const PURPOSE = 'acc backup manifest\n'
const signedText = (manifest: object) => `${PURPOSE}${JSON.stringify(manifest)}`
const serialize = (manifest: object, signature: string) => `${JSON.stringify({ manifest, signature }, null, 1)}\n`

type SignedContent = { keyFingerprint: string; format: number }

/** Writes and signs a manifest with its fields in the order of their schema. */
export function writeSigned<T extends SignedContent>(
  schema: z.ZodType<T>,
  content: NoInfer<T>,
  key: BackupKey,
): string {
  const manifest = schema.parse(content)
  return serialize(manifest, key.sign(signedText(manifest)))
}

/** Writes the manifest of a backup. */
export const writeManifest = (manifest: Omit<Manifest, 'format'>, key: BackupKey): string =>
  writeSigned(Manifest, { format: FORMAT, ...manifest }, key)

const Envelope = z.object({ manifest: z.looseObject({ format: z.int() }), signature: z.string() })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads a signed manifest. Throws BackupError for one of a newer server, of another key, or altered. */
export function readSigned<T extends SignedContent>(
  schema: z.ZodType<T>,
  text: string,
  key: BackupKey,
  file: string,
): T {
  const altered = new BackupError(`${file}: the manifest was altered or cut.`)
  const envelope = Envelope.safeParse(parseJson(text))
  if (!envelope.success) throw altered
  const { manifest: content, signature } = envelope.data
  if (content.format > FORMAT)
    throw new BackupError(`${file}: a newer version of the server made this backup: install that version.`)
  const manifest = schema.safeParse(content)
  if (!manifest.success) throw altered
  const { keyFingerprint } = manifest.data
  if (keyFingerprint !== key.fingerprint)
    throw new OtherKeyError(
      `${file}: another key (${keyFingerprint}) opens this backup, not the one given (${key.fingerprint}).`,
    )
  if (serialize(manifest.data, signature) !== text || !key.isSigned(signedText(manifest.data), signature)) throw altered
  return manifest.data
}

export const readManifest = (text: string, key: BackupKey, file: string): Manifest =>
  readSigned(Manifest, text, key, file)
