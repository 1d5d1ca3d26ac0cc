// License files: the terms of a license as a JSON document that its vendor signed (Ed25519). Each file has exactly one
// spelling, byte for byte, so that no altered byte passes, not even a space.
import { type KeyObject, sign, verify } from 'node:crypto'
import { LicenseTerms } from '@acc/contract/licenses'
import { z } from 'zod'

/** Bytes of a license file at most. */
export const MAX_LICENSE_BYTES = 4096

/** Keeps a signature made for another kind of document from counting as one of a license. */
const PURPOSE = 'ACC license v1\n'
const SIGNATURE_BYTES = 64

const Signature = z.string().refine((text) => {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === SIGNATURE_BYTES && bytes.toString('base64') === text
})
const Signed = LicenseTerms.extend({ signature: Signature })

/** A file that grants nothing: it has another form, or another key signed it. */
export class LicenseFileError extends Error {
  override readonly name = 'LicenseFileError'
  readonly reason: 'form' | 'signature'
  constructor(reason: 'form' | 'signature') {
    super(reason === 'form' ? 'not a license file' : 'the signature does not match')
    this.reason = reason
  }
}

const ordered = ({ licensee, countType, maxCount, issued, expiry }: LicenseTerms): LicenseTerms => ({
  licensee,
  countType,
  maxCount,
  issued,
  ...(expiry !== undefined && { expiry }),
})
const signedBytes = (terms: LicenseTerms) => Buffer.from(PURPOSE + JSON.stringify(ordered(terms)))
const spelled = (terms: LicenseTerms, signature: string) =>
  `${JSON.stringify({ ...ordered(terms), signature }, null, 2)}\n`

/** Returns the text of a license file. Throws a ZodError for terms that no license may have. */
export function writeLicense(terms: LicenseTerms, privateKey: KeyObject): string {
  const checked = LicenseTerms.parse(terms)
  return spelled(checked, sign(null, signedBytes(checked), privateKey).toString('base64'))
}

/** Returns the terms of a license file. Throws LicenseFileError. */
export function readLicense(file: Uint8Array | string, publicKey: KeyObject): LicenseTerms {
  const bytes = Buffer.from(file)
  const parsed = bytes.length <= MAX_LICENSE_BYTES ? Signed.safeParse(jsonOf(bytes)) : undefined
  if (!parsed?.success) throw new LicenseFileError('form')
  const { signature, ...terms } = parsed.data
  if (!bytes.equals(Buffer.from(spelled(terms, signature)))) throw new LicenseFileError('form')
  if (!verify(null, signedBytes(terms), publicKey, Buffer.from(signature, 'base64')))
    throw new LicenseFileError('signature')
  return terms
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
