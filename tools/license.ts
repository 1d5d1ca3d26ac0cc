/**
 * License files, for the vendor: makes the key pair, signs a license, and verifies a file. Not part of the archive.
 *
 *   node tools/license.ts keygen --out FILE
 *   node tools/license.ts issue --key FILE --licensee TEXT --count NUMBER [--expiry YYYY-MM-DD] --out FILE
 *   node tools/license.ts show FILE --public-key KEY
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { CountType, LicenseTerms } from '@acc/contract/licenses'
import { AdminError, type Command, failure, parse, required, usageError } from '../server/src/admin/commandLine.ts'
import { readBytes, writeNew } from '../server/src/admin/files.ts'
import { isPublicKeyText, PUBLIC_KEY_FORM, publicKeyOf, publicKeyText } from '../server/src/crypto/signingKey.ts'
import { LicenseFileError, readLicense, writeLicense } from '../server/src/domains/licenses/licenseFile.ts'

/** Reads a private key. Rejects a file that others may read. */
async function readPrivateKey(file: string): Promise<KeyObject> {
  const text = await readBytes(file)
  const { mode } = await stat(file)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw failure(`${file}: others may read the private key: chmod 600 ${file}`)
  try {
    const key = createPrivateKey(text)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // The message of the library may quote the file.
  }
  throw failure(`${file}: not an Ed25519 private key, as "keygen" writes it`)
}

const factsOf = (terms: LicenseTerms) => [
  `  Licensee  ${terms.licensee}`,
  `  PCs       ${terms.maxCount}`,
  `  Issued    ${terms.issued}`,
  `  Expiry    ${terms.expiry ?? 'never'}`,
]

const keygen: Command = {
  args: [],
  options: ['out'],
  async run(values) {
    const file = required(values, 'out')
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    await writeNew(file, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), 0o600)
    const lines = [
      `The private key is in ${file}. Anyone who has it can issue licenses: keep it secret.`,
      'Servers check license files with the public key:',
      `  ACC_LICENSE_PUBLIC_KEY=${publicKeyText(publicKey)}`,
    ]
    return { document: {}, lines }
  },
}

const REFUSED_TERMS: Record<string, string> = {
  licensee: '--licensee takes 1 to 100 characters on one line.',
  maxCount: '--count takes a number from 1 to 1000000.',
  expiry: '--expiry takes a day, such as 2027-12-31.',
}

function termsOf(values: Record<string, string | undefined>): LicenseTerms {
  const count = required(values, 'count')
  const parsed = LicenseTerms.safeParse({
    licensee: required(values, 'licensee'),
    countType: CountType.DEVICES,
    maxCount: /^\d+$/.test(count) ? Number(count) : Number.NaN,
    issued: new Date().toISOString(),
    ...(values.expiry !== undefined && { expiry: values.expiry }),
  })
  if (parsed.success) return parsed.data
  const field = String(parsed.error.issues[0]?.path[0])
  throw usageError(REFUSED_TERMS[field] ?? `${field} cannot be used.`)
}

const issue: Command = {
  args: [],
  options: ['key', 'licensee', 'count', 'expiry', 'out'],
  async run(values) {
    const terms = termsOf(values)
    const key = await readPrivateKey(required(values, 'key'))
    const out = required(values, 'out')
    await writeNew(out, writeLicense(terms, key), 0o644)
    return { document: {}, lines: [`Issued ${out}:`, ...factsOf(terms)] }
  },
}

const REFUSED_FILES = {
  form: 'not a license file, or its text was altered',
  signature: 'the signature does not match: altered, or of another vendor',
} as const

const show: Command = {
  args: ['FILE'],
  options: ['public-key'],
  async run(values, [file = '']) {
    const key = required(values, 'public-key')
    if (!isPublicKeyText(key)) throw usageError(`--public-key takes ${PUBLIC_KEY_FORM}.`)
    const bytes = await readBytes(file)
    try {
      const terms = readLicense(bytes, publicKeyOf(key))
      return { document: {}, lines: [`${file}: the signature is valid`, ...factsOf(terms)] }
    } catch (error) {
      if (error instanceof LicenseFileError) throw failure(`${file}: ${REFUSED_FILES[error.reason]}`)
      throw error
    }
  },
}

const USAGE = 'Usage: node tools/license.ts keygen | issue | show; the options are at the top of the file.'

try {
  const commands = { keygen: () => keygen, issue: () => issue, show: () => show }
  const invocation = await parse(process.argv.slice(2), commands)
  if (typeof invocation === 'string') console.log(USAGE)
  else console.log((await invocation.command.run(invocation.values, invocation.args)).lines.join('\n'))
} catch (error) {
  if (!(error instanceof AdminError)) throw error
  console.error(error.message)
  process.exitCode = error.kind === 'usage' ? 2 : 1
}
