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
  /** The keys that open what is sealed, the one that seals first: this one and, while keys are rotated, the other one. */
  opening(): readonly SecretKey[]
}

/** A key that is exchanged while the server runs: it seals with the first of its keys, and opens with all of them. */
export type KeyRing = SecretKey & { use(keys: readonly [SecretKey, ...SecretKey[]]): void }

/** Where the operator puts the key, by value or in a file, and the next one: beside it, as FILE.next. */
export type KeySource = { value?: string | undefined; nextValue?: string | undefined; file: string }

export const nextKeyFile = ({ file }: KeySource): string => `${file}.next`

/** The key cannot be had; the message is one line for the operator and never holds the key. */
export class SecretKeyError extends Error {
  override name = 'SecretKeyError'
}

async function findKey(name: string, value: string | undefined, file: string): Promise<SecretKey | undefined> {
  if (value !== undefined) return makeSecretKey(decode(value, name))
  const text = await readKeyFile(file)
  return text === undefined ? undefined : makeSecretKey(decode(text, file))
}

/** Takes the key from `value` (base64 of 32 bytes), else from `file`; undefined where there is neither. */
export const findSecretKey = (source: KeySource): Promise<SecretKey | undefined> =>
  findKey('ACC_SECRET_KEY', source.value, source.file)

/** Takes the next key, as findSecretKey does the present one. */
export const findNextKey = (source: KeySource): Promise<SecretKey | undefined> =>
  findKey('ACC_SECRET_KEY_NEXT', source.nextValue, nextKeyFile(source))

/** The keys that the operator has given, the present one first. */
export async function findGivenKeys(source: KeySource): Promise<SecretKey[]> {
  const keys = [await findSecretKey(source), await findNextKey(source)]
  return keys.filter((key) => key !== undefined)
}

/** Makes the key of a first start and keeps it in `file` (mode 0600, durable). Takes the one that lies there by then. */
export async function firstSecretKey(file: string): Promise<SecretKey> {
  return makeSecretKey(decode(await makeKeyFile(file), file))
}

export function makeSecretKey(bytes: Uint8Array): SecretKey {
  const derived = new Map<string, KeyObject>()
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', bytes, '', info, KEY_BYTES))
  const self: SecretKey = {
    opening: () => [self],
    fingerprint: derive('acc fingerprint').toString('hex', 0, 8),
    for(purpose) {
      const known = derived.get(purpose)
      if (known) return known
      const key = createSecretKey(derive(`acc purpose ${purpose}`))
      derived.set(purpose, key)
      return key
    },
  }
  return self
}

export function makeKeyRing(first: SecretKey, ...others: SecretKey[]): KeyRing {
  let keys: readonly [SecretKey, ...SecretKey[]] = [first, ...others]
  return {
    get fingerprint() {
      return keys[0].fingerprint
    },
    for: (purpose) => keys[0].for(purpose),
    opening: () => keys,
    use: (next) => {
      keys = next
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
