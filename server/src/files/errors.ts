// What can go wrong with a stored file, by reason, so that a caller chooses its answer without reading system error
// codes (a full disk and a lost folder give a clear code and the server stays up).
import { codeOf } from '../disk.ts'

type FileStoreReason =
  | 'noSpace' // the disk or quota is full; received bytes remain and the upload can continue later
  | 'wrongOffset' // the bytes must continue at `received`
  | 'tooLong' // more bytes came than were announced
  | 'hashMismatch' // all bytes came, their SHA-256 is another; they were discarded, start again at 0
  | 'busy' // another upload of the same file is running in this process
  | 'missing' // nothing is stored under this name
  | 'damaged' // the stored bytes, or the row's key, size or hash, differ from the sealed ones
  | 'occupied' // a restore found files where there should be none
  | 'unavailable' // the store cannot be used now (rights, input/output error, network share or service gone)

export class FileStoreError extends Error {
  override name = 'FileStoreError'
  readonly reason: FileStoreReason
  /** With 'wrongOffset' and 'damaged': how many plaintext bytes from the start are intact. */
  readonly received: number | undefined

  constructor(reason: FileStoreReason, message: string, details: { received?: number; cause?: unknown } = {}) {
    super(message, { cause: details.cause })
    this.reason = reason
    this.received = details.received
  }
}

const REASONS: Record<string, FileStoreReason> = {
  ENOSPC: 'noSpace',
  EDQUOT: 'noSpace',
  EFBIG: 'noSpace',
  ENOENT: 'missing',
}

/** Waits for work on the disk and gives its failure a reason. Errors of an upload's source never pass through here. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof FileStoreError) throw error
    const code = codeOf(error)
    throw new FileStoreError(REASONS[code] ?? 'unavailable', `the file store failed (${code})`, { cause: error })
  }
}

/** Returns undefined for a file that is not there. */
export const orMissing = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof FileStoreError && error.reason === 'missing') return undefined
    throw error
  })
