// Where the sealed bytes of stored files are: a folder (folder.ts) or a bucket of an S3 service (bucket.ts). A medium knows
// nothing of keys and segments; what it holds is the same byte for byte, so that files can be copied from one to another.

import type { FilesPlace } from '../env.files.ts'

/** The bytes of one stored file. Failures are FileStoreErrors. */
export type StoredBytes = {
  size(): Promise<number>
  /** Fills the buffer and returns what was filled; bytes past the end stay out, so that a cut segment comes back short. */
  readAt(buffer: Buffer, position: number): Promise<Buffer>
  /** Writes the parts one after the other; `position` is at most the size. */
  writeAt(parts: readonly Buffer[], position: number): Promise<void>
  truncate(length: number): Promise<void>
  /** What was written is durable then, with the entries that lead to it. */
  sync(): Promise<void>
  /** Must be awaited: some media tell only then that a write failed. */
  close(): Promise<void>
}

/**
 * `read`: a file that is there; `append`: one that may be there; `create`: one that is not; `replace`: new bytes for one that may
 * be there. In a folder they take its place at `sync`, in a bucket object by object.
 */
export type OpenMode = 'read' | 'append' | 'create' | 'replace'

/** Names are those of `isName` (sweep.ts). Failures are FileStoreErrors. */
export type Medium = {
  open(name: string, mode: OpenMode): Promise<StoredBytes>
  /** Bytes of a file, without opening it. */
  size(name: string): Promise<number>
  remove(name: string): Promise<void>
  /** The names of all files in groups whose first two digits are the same; other files are left out. */
  names(): AsyncIterable<readonly string[]>
  /** When a file was last written; undefined if it is not there any more. */
  writtenDT(name: string): Promise<Date | undefined>
  /** Bytes that may still be written; undefined where there is no known limit. */
  free(): Promise<number | undefined>
  /** Resolves while files can be written. */
  check(): Promise<void>
  /**
   * Opens a place for the files of a restore; with `again`, after those that an interrupted one left are removed. Rejects with the
   * name of something that is there already.
   */
  stage(again?: boolean): Promise<Stage>
}

/** Files that are not to be found where a server looks for them until they are all there. */
export type Stage = {
  create(name: string): Promise<StoredBytes>
  /** Moves the files to their places. */
  place(): Promise<void>
  /** Removes what was not placed. */
  discard(): Promise<void>
}

/** Opens the medium; the S3 client is loaded only where it is used. */
export async function openMedium(place: FilesPlace): Promise<Medium> {
  if ('folder' in place) return (await import('./folder.ts')).openFolder(place.folder)
  return (await import('./bucket.ts')).openBucket(place.bucket)
}

/** How the place is named to the operator. */
export const nameOfPlace = (place: FilesPlace): string =>
  'folder' in place ? place.folder : `s3://${place.bucket.name}/${place.bucket.prefix}`
