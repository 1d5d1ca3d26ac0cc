// The vendor's side of licenses: keys, license files, and what a file holds.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { CountType } from '@acc/contract/labels/licenses'
import { type LicenseTerms, LicenseTerms as Terms } from '@acc/contract/licenses'
import { isPublicKeyText, PUBLIC_KEY_FORM, publicKeyOf, publicKeyText } from '../crypto/signingKey.ts'
import { LicenseFileError, readLicense, writeLicense } from '../domains/licenses/licenseFile.ts'
import { readEnv } from '../env.ts'
import { type Command, failure, type Result, required, usageError } from './commandLine.ts'
import { readBytes, writeNew } from './files.ts'

/** Reads a private key. One that others may read is refused, as it may have been. */
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
  throw failure(`${file}: not an Ed25519 private key, as "acc-admin licence keygen" writes it`)
}

const factsOf = (terms: LicenseTerms) => [
  `  Licensee  ${terms.licensee}`,
  `  PCs       ${terms.maxCount}`,
  `  Issued    ${terms.issued}`,
  `  Expiry    ${terms.expiry ?? 'never'}`,
]

export const keygen: Command = {
  args: [],
  options: ['out'],
  async run(values) {
    const file = required(values, 'out')
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    await writeNew(file, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), 0o600)
    const text = publicKeyText(publicKey)
    const lines = [
      `The private key is in ${file}. Anyone who has it can issue licenses: keep it apart from the server.`,
      'Servers check license files with the public key:',
      `  ACC_LICENSE_PUBLIC_KEY=${text}`,
    ]
    return { document: { file, publicKey: text }, lines }
  },
}

function termsOf(values: Record<string, string | undefined>): LicenseTerms {
  const count = required(values, 'count')
  const parsed = Terms.safeParse({
    licensee: required(values, 'licensee'),
    countType: CountType.DEVICES,
    maxCount: /^\d+$/.test(count) ? Number(count) : Number.NaN,
    issued: new Date().toISOString(),
    ...(values.expiry !== undefined && { expiry: values.expiry }),
  })
  if (parsed.success) return parsed.data
  const wrong = String(parsed.error.issues[0]?.path[0])
  throw usageError(
    {
      licensee: '--licensee takes 1 to 100 characters on one line.',
      maxCount: '--count takes a number from 1 to 1000000.',
      expiry: '--expiry takes a day, such as 2027-12-31.',
    }[wrong] ?? `${wrong} cannot be used.`,
  )
}

export const issue: Command = {
  args: [],
  options: ['key', 'licensee', 'count', 'expiry', 'out'],
  async run(values): Promise<Result> {
    const terms = termsOf(values)
    const text = writeLicense(terms, await readPrivateKey(required(values, 'key')))
    const { out } = values
    if (out === undefined) return { document: { ...terms, license: text }, lines: [text.trimEnd()] }
    await writeNew(out, text, 0o644)
    return { document: { ...terms, file: out }, lines: [`Issued ${out}:`, ...factsOf(terms)] }
  },
}

function publicKeyFor(option: string | undefined): KeyObject {
  const text = option ?? readEnv({ ACC_LICENSE_PUBLIC_KEY: process.env.ACC_LICENSE_PUBLIC_KEY }).licensePublicKey
  if (!isPublicKeyText(text)) throw usageError(`--public-key takes ${PUBLIC_KEY_FORM}.`)
  return publicKeyOf(text)
}

const REFUSALS = {
  form: 'not a license file, or its text was altered',
  signature: 'the signature does not match: altered, or of another vendor (--public-key)',
} as const

export const show: Command = {
  args: ['FILE'],
  options: ['public-key'],
  async run(values, [file = '']): Promise<Result> {
    const key = publicKeyFor(values['public-key'])
    const bytes = await readBytes(file)
    try {
      const terms = readLicense(bytes, key)
      return { document: { ...terms, file }, lines: [`${file}: the signature is valid`, ...factsOf(terms)] }
    } catch (error) {
      if (error instanceof LicenseFileError) throw failure(`${file}: ${REFUSALS[error.reason]}`)
      throw error
    }
  },
}
