// The server's secret key (1-product.md section 10: ACC_SECRET_KEY, else DATA_DIR/secret.key). Every secret at rest is
// sealed with a key derived from it, one for each purpose, so that what leaks from one purpose opens nothing of
// another. The bytes stay inside this module: a SecretKey printed, logged or turned into JSON shows its fingerprint and
// nothing else.
import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

const KEY_BYTES = 32

export type SecretKey = {
  /**
   * Names the key without giving it away: equal on all nodes that share it. Kept beside the data, it tells a wrong key
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
    return await readFile(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new SecretKeyError(`${file}: the secret key cannot be read (${codeOf(error)})`)
  }
}

/** Makes the file complete or not at all; where two processes start at once, both end up with the key of the first. */
async function makeKeyFile(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeDurably(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
    // A link, unlike a rename, never replaces a key that is already in use.
    await link(draft, file).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
    await syncFolder(dirname(file))
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new SecretKeyError(`${file}: the secret key cannot be written (${codeOf(error)})`)
  } finally {
    await rm(draft, { force: true })
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return // NTFS keeps its own journal and opens no directories
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
