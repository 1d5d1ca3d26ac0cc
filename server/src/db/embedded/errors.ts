/** A failed start, as one sentence for the operator. */
export class StartError extends Error {
  override name = 'StartError'
}

/** Another server uses the data directory. */
export class DataDirInUse extends StartError {
  override name = 'DataDirInUse'
}

/** Returns the operator's sentence for a failed file operation in `place`; undefined for other errors. */
export function sentenceFor(error: unknown, place: string): string | undefined {
  const text = error instanceof Error ? error.message : String(error)
  if (/ENOSPC|EDQUOT|No space left on device|quota exceeded/i.test(text)) return `The disk that holds ${place} is full.`
  if (/EACCES|EPERM|Permission denied/i.test(text)) return `${place} cannot be read and written by this account.`
  if (/EROFS|Read-only file system/i.test(text)) return `${place} lies on a read-only file system.`
  if (/ENOTDIR|EEXIST/.test(text)) return `${place} is not a directory.`
  return undefined
}
