// Files of requests as lists show them. A request may have a thousand files and a page a thousand requests, so a
// response carries a bounded number of files and leaves those of its last rows out.
import { MAX_LISTED_FILES } from '@acc/contract/requestFiles'
import { sql } from 'kysely'
import { sealedRows } from '../../core/sealedRows.ts'
import type { Reader } from '../../db/open.ts'
import { KEY_PURPOSE, keyContext, type StoredFile } from '../../files/fileStore.ts'
import { type FileRow, findFiles } from './requestFiles.queries.ts'

type ListedRequest = { idx: number; fileCount: number }

/** Returns what the key of a file is bound to, so that it opens under no other name and in no other place. */
export const ownerOf = (file: Pick<FileRow, 'fileEximportIdx' | 'position' | 'fileName'>) =>
  `${file.fileEximportIdx}:${file.position}:${file.fileName}`

/** Returns a file row as the parameter of the file store. */
export const storedOf = ({ storeName, wrappedKey, fileSize, sha256, ...row }: FileRow): StoredFile => ({
  owner: ownerOf(row),
  name: storeName,
  wrappedKey,
  size: fileSize,
  sha256,
})

export const sealedFileKeys = sealedRows({
  table: 'requestFiles',
  key: 'idx',
  column: 'wrappedKey',
  purpose: KEY_PURPOSE,
  contextOf: (row) => keyContext(storedOf(row)),
})

/** Returns the first rows, as many as their files fit into one response; at least one. */
function limitFiles<R extends ListedRequest>(requests: readonly R[]): R[] {
  let count = 0
  return requests.filter((request, at) => {
    count += request.fileCount
    return at === 0 || count <= MAX_LISTED_FILES
  })
}

/** The files of a request as nested entries of a CSV file. */
export const FILES_FOR_CSV = sql`(
  select jsonb_build_object('count', count(*), 'entries', jsonb_agg(
    jsonb_build_object('fileName', f."fileName", 'fileSize', f."fileSize", 'sha256', f.sha256) order by f.position))
  from "requestFiles" f where f."fileEximportIdx" = "fileEximports".idx)`.as('files')

/** Adds the files to each request; `files` is empty for rows beyond the limit. */
export async function attachFiles<R extends ListedRequest>(
  db: Reader,
  requests: readonly R[],
): Promise<(R & { files: FileRow[] })[]> {
  const idxes = limitFiles(requests).map(({ idx }) => idx)
  const files = Map.groupBy(await findFiles(db, idxes), ({ fileEximportIdx }) => fileEximportIdx)
  return requests.map((request) => ({ ...request, files: files.get(request.idx) ?? [] }))
}
