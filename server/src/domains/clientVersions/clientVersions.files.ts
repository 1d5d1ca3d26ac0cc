// Files of client versions: an upload becomes a file of the store before it becomes a row, and a download follows one
// file to its end, also while its version is being deleted.

import type { Download, StreamedFile } from '../../core/context.ts'
import { Failure, fail } from '../../core/errors.ts'
import { sealedRows } from '../../core/sealedRows.ts'
import type { HandlerServices } from '../../core/services.ts'
import { requireSpace } from '../../core/space.ts'
import { FileStoreError } from '../../files/errors.ts'
import { KEY_PURPOSE, keyContext, type ReceivedFile, type StoredFile } from '../../files/fileStore.ts'
import type { VersionRow } from './clientVersions.queries.ts'
import { InvalidExecutable, readExecutableVersion } from './executable.ts'

type WithFiles = Pick<HandlerServices, 'files' | 'log'>

/** Bytes after which the free space is looked at again: the sender's own figure may be wrong, and others upload too. */
const SPACE_CHECK = 64 * 2 ** 20

/** What the key of a file is bound to, so that it opens for no other version and under no other name. */
export const ownerOf = ({ version, fileName }: Pick<VersionRow, 'version' | 'fileName'>) =>
  `client:${version}:${fileName}`

/** Returns a version's row as the parameter of the file store. */
export const storedOf = (row: VersionRow): StoredFile => ({
  owner: ownerOf(row),
  name: row.storeName,
  wrappedKey: row.wrappedKey,
  size: row.fileSize,
  sha256: row.sha256,
})

export const sealedVersionKeys = sealedRows({
  table: 'clientVersions',
  key: 'idx',
  column: 'wrappedKey',
  purpose: KEY_PURPOSE,
  contextOf: (row) => keyContext(storedOf(row)),
})

/** Yields the chunks of a program. Fails at the first chunk of another file, and when the disk is full. */
async function* programOf(services: WithFiles, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let received = 0
  let checkAt = SPACE_CHECK
  for await (const chunk of chunks) {
    if (received === 0 && chunk[0] !== 0x4d) throw new InvalidExecutable('program')
    received += chunk.length
    if (received >= checkAt) {
      await requireSpace(services, 0)
      checkAt += SPACE_CHECK
    }
    yield chunk
  }
}

/** Stores a program and reads its version. Nothing stays of a file that is not a client (987). */
export async function receiveProgram(
  services: WithFiles,
  { size, chunks }: StreamedFile,
): Promise<{ file: ReceivedFile; version: string }> {
  await requireSpace(services, size)
  let file: ReceivedFile | undefined
  try {
    file = await services.files.receive(programOf(services, chunks))
    return { file, version: await readExecutableVersion(file.readAt, file.size) }
  } catch (error) {
    if (file !== undefined) await removeProgram(services, file.name)
    if (error instanceof InvalidExecutable) fail('INVALID_CLIENT_FILE', { reason: error.fault })
    throw error
  }
}

/** Removes the bytes of a version that has no row. */
export const removeProgram = ({ files, log }: WithFiles, name: string): Promise<void> =>
  files.remove(name).catch((error: Error) => {
    log.warn({ reason: error.message }, 'the bytes of a client version stay until the next sweep')
  })

/** Returns the file of a version from a byte on. */
export async function openProgram({ files }: WithFiles, row: VersionRow, from = 0): Promise<Download> {
  const { fileName, fileSize } = row
  if (from > fileSize) throw new Failure('INVALID_INPUT', { fields: ['offset'] })
  try {
    const stream = await files.read(storedOf(row), from)
    return { fileName, size: fileSize - from, stream }
  } catch (error) {
    // Deleted after its row was read.
    if (error instanceof FileStoreError && error.reason === 'missing') fail('NOT_ALLOWED')
    throw error
  }
}
