// The server's secret key (ACC_SECRET_KEY, else DATA_DIR/secret.key). Every secret at rest is
// sealed with a key derived from it, one for each purpose, so that what leaks from one purpose opens nothing of
// another. The bytes stay inside this module: a SecretKey printed, logged or turned into JSON shows its fingerprint and
// nothing else.
import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf, createFile } from '../disk.ts'

const KEY_BYTES = 32
/** Permissions of group and others, which a key file must not grant. */
const OTHERS = 0o077

export type SecretKey = {
  /**
   * Identifies the key without revealing it; equal on all nodes that share it. Stored with the data, it detects a wrong key
   * at start.
   */
  fingerprint: string
  /** The 256-bit key of one purpose ('files', 'mail', 'otp' ...), by HKDF-SHA-256 (RFC 5869). */
  for(purpose: string): KeyObject
}

/** The key cannot be had; the message is one line for the operator and never holds the key. */
export class SecretKeyError extends Error {
  override name = 'SecretKeyError'
}

/** Takes the key from `value` (base64 of 32 bytes), else from `file`; undefined where there is neither. */
export async function findSecretKey(source: { value?: string; file: string }): Promise<SecretKey | undefined> {
  if (source.value !== undefined) return makeSecretKey(decode(source.value, 'ACC_SECRET_KEY'))
  const text = await readKeyFile(source.file)
  return text === undefined ? undefined : makeSecretKey(decode(text, source.file))
}

/** Makes the key of a first start and keeps it in `file` (mode 0600, durable). Takes the one that lies there by then. */
export async function firstSecretKey(file: string): Promise<SecretKey> {
  return makeSecretKey(decode(await makeKeyFile(file), file))
}

export function makeSecretKey(bytes: Uint8Array): SecretKey {
  const derived = new Map<string, KeyObject>()
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', bytes, '', info, KEY_BYTES))
  return {
    fingerprint: derive('acc fingerprint').toString('hex', 0, 8),
    for(purpose) {
      const known = derived.get(purpose)
      if (known) return known
      const key = createSecretKey(derive(`acc purpose ${purpose}`))
      derived.set(purpose, key)
      return key
    },
  }
}

/** What a key looks like, in the operator's words. */
export const KEY_FORM = `${KEY_BYTES} bytes in base64 (44 characters)`

/** Whether a text is a key, spaces around it aside. */
export function isKeyText(text: string): boolean {
  const bytes = Buffer.from(text, 'base64')
  // Node's decoder skips what is not base64, so a mistyped key would pass as another one: only the exact form counts.
  return bytes.length === KEY_BYTES && bytes.toString('base64') === text.trim()
}

function decode(text: string, origin: string): Buffer {
  if (!isKeyText(text)) throw new SecretKeyError(`${origin}: the secret key must be ${KEY_FORM}`)
  return Buffer.from(text, 'base64')
}

async function readKeyFile(file: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(file)
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
      throw new SecretKeyError(`${file}: others may read the secret key: chmod 600 ${file}`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof SecretKeyError) throw error
    if (codeOf(error) === 'ENOENT') return undefined
    throw new SecretKeyError(`${file}: the secret key cannot be read (${codeOf(error)})`)
  }
}

/** Where two processes start at once, both get the key of the first. */
async function makeKeyFile(file: string): Promise<string> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await createFile(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new SecretKeyError(`${file}: the secret key cannot be written (${codeOf(error)})`)
  }
}
