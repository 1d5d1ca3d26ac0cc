// Where the sealed bytes of stored files are: a folder (folder.ts) or a bucket of an S3 service (bucket.ts). A medium
// does not know keys or segments; both hold the same bytes, so that files can be copied between them.

import type { FilesPlace } from '../env.files.ts'

/** The bytes of one stored file. Failures are FileStoreErrors. */
export type StoredBytes = {
  size(): Promise<number>
  /** Fills the buffer up to the end of the file and returns the filled part. A cut segment is short. */
  readAt(buffer: Buffer, position: number): Promise<Buffer>
  /** Writes the parts one after the other; `position` is at most the size. */
  writeAt(parts: readonly Buffer[], position: number): Promise<void>
  truncate(length: number): Promise<void>
  /** Makes the written bytes durable, with the entries that lead to them. */
  sync(): Promise<void>
  /** Must be awaited: some media report only then that a write failed. */
  close(): Promise<void>
}

/**
 * `read`: an existing file; `append`: a new or existing one; `create`: a new one; `replace`: new bytes for a new or
 * existing one. In a folder they replace it at `sync`, in a bucket object by object.
 */
export type OpenMode = 'read' | 'append' | 'create' | 'replace'

/** Names are those of `isName` (names.ts). Failures are FileStoreErrors. */
export type Medium = {
  open(name: string, mode: OpenMode): Promise<StoredBytes>
  /** Bytes of a file, without opening it. */
  size(name: string): Promise<number>
  remove(name: string): Promise<void>
  /** The names of all files in groups whose first two digits are the same; other files are left out. */
  names(): AsyncIterable<readonly string[]>
  /** Returns when a file was last written; undefined if it does not exist any more. */
  writtenDT(name: string): Promise<Date | undefined>
  /** Bytes that may still be written; undefined where there is no known limit. */
  free(): Promise<number | undefined>
  /** Resolves while files can be written. */
  check(): Promise<void>
  /**
   * Opens a place for the files of a restore; `again` first deletes those of an interrupted one. Rejects with the name
   * of a file that exists already.
   */
  stage(again?: boolean): Promise<Stage>
}

/** Files that a server does not find until all are complete. */
export type Stage = {
  create(name: string): Promise<StoredBytes>
  /** Moves the files to their places. */
  place(): Promise<void>
  /** Deletes files that were not placed. */
  discard(): Promise<void>
}

/** Opens the medium; the S3 client is loaded only where it is used. */
export async function openMedium(place: FilesPlace): Promise<Medium> {
  if ('folder' in place) return (await import('./folder.ts')).openFolder(place.folder)
  return (await import('./bucket.ts')).openBucket(place.bucket)
}

/** Returns the place's name for the operator. */
export const nameOfPlace = (place: FilesPlace): string =>
  'folder' in place ? place.folder : `s3://${place.bucket.name}/${place.bucket.prefix}`
