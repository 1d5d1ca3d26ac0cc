// The server's secret key (ACC_SECRET_KEY, else DATA_DIR/secret.key). Every secret at rest is sealed with a key derived
// from it for one purpose. The bytes stay inside this module: a SecretKey that is printed, logged or turned into JSON
// shows its fingerprint only.
import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf, createFile } from '../disk.ts'

const KEY_BYTES = 32
/** Permissions of group and others, which a key file must not grant. */
const OTHERS = 0o077

export type SecretKey = {
  /**
   * Identifies the key without revealing it. It is stored with the data, so that a start with a wrong key is detected.
   */
  fingerprint: string
  /** The 256-bit key of one purpose ('files', 'mail', 'otp' ...), by HKDF-SHA-256 (RFC 5869). */
  for(purpose: string): KeyObject
  /** The keys that open sealed values, the sealing one first: this one and, during a rotation, the other one. */
  opening(): readonly SecretKey[]
}

/** A key that can be replaced while the server runs. It seals with its first key and opens with all of them. */
export type KeyRing = SecretKey & { use(keys: readonly [SecretKey, ...SecretKey[]]): void }

/** Where the operator puts the key, by value or in FILE, and the next one, in FILE.next. */
export type KeySource = { value?: string | undefined; nextValue?: string | undefined; file: string }

export const nextKeyFile = ({ file }: KeySource): string => `${file}.next`

/** The key cannot be read. The message is one line for the operator and never contains the key. */
export class SecretKeyError extends Error {
  override name = 'SecretKeyError'
}

async function findKey(name: string, value: string | undefined, file: string): Promise<SecretKey | undefined> {
  if (value !== undefined) return makeSecretKey(decode(value, name))
  const text = await readKeyFile(file)
  return text === undefined ? undefined : makeSecretKey(decode(text, file))
}

/** Reads the key from `value` (base64 of 32 bytes), else from `file`. Returns undefined if there is neither. */
export const findSecretKey = (source: KeySource): Promise<SecretKey | undefined> =>
  findKey('ACC_SECRET_KEY', source.value, source.file)

/** Reads the next key, as findSecretKey reads the current one. */
export const findNextKey = (source: KeySource): Promise<SecretKey | undefined> =>
  findKey('ACC_SECRET_KEY_NEXT', source.nextValue, nextKeyFile(source))

/** Returns the operator's keys, the current one first. */
export async function findGivenKeys(source: KeySource): Promise<SecretKey[]> {
  const keys = [await findSecretKey(source), await findNextKey(source)]
  return keys.filter((key) => key !== undefined)
}

/** Creates the key of a first start in `file` (mode 0600, durable), or reads the one that another process created. */
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

/** The form of a key, for the operator. */
export const KEY_FORM = `${KEY_BYTES} bytes in base64 (44 characters)`

/** Returns whether a trimmed text is a key. */
export function isKeyText(text: string): boolean {
  const bytes = Buffer.from(text, 'base64')
  // Node's decoder skips other characters, so that a mistyped key would pass as another one.
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

/** If two processes start at once, both get the key of the first. */
async function makeKeyFile(file: string): Promise<string> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await createFile(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new SecretKeyError(`${file}: the secret key cannot be written (${codeOf(error)})`)
  }
}
