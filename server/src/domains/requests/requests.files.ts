// Files of requests as lists show them. A request may have a thousand files and a page a thousand requests, so a response
// carries a bounded number of files and leaves those of its last rows out.
import { MAX_LISTED_FILES, type RequestFile } from '@acc/contract/requests'
import { sql } from 'kysely'
import type { z } from 'zod'
import { sealedRows } from '../../core/sealedRows.ts'
import { type List, mapList, mapRows } from '../../db/list.ts'
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
function takeWithinLimit<R extends ListedRequest>(requests: readonly R[]): R[] {
  let count = 0
  return requests.filter((request, at) => {
    count += request.fileCount
    return at === 0 || count <= MAX_LISTED_FILES
  })
}

type ListedFile = z.output<typeof RequestFile>

/** The files of the requests of a page, null for rows beyond the limit: `ofPage` of their list. */
export const FILES_OF_PAGE = sql<ListedFile[] | null>`case
  when sum(page."fileCount") over (rows unbounded preceding) <= ${sql.lit(MAX_LISTED_FILES)} or row_number() over () = 1 then (
    select json_agg(
      json_build_object('idx', f.idx, 'fileName', f."fileName", 'fileSize', f."fileSize", 'sha256', f.sha256) order by f.position)
    from "requestFiles" f where f."fileEximportIdx" = page.idx)
  end`.as('files')

/** The files of a request as nested entries of a CSV file. */
export const FILES_FOR_CSV = sql`(
  select jsonb_build_object('count', count(*), 'entries', jsonb_agg(
    jsonb_build_object('fileName', f."fileName", 'fileSize', f."fileSize", 'sha256', f.sha256) order by f.position))
  from "requestFiles" f where f."fileEximportIdx" = "fileEximports".idx)`.as('files')

/** A list of requests that has `FILES_OF_PAGE`; its CSV form has no column for them. */
export const withListedFiles = <R extends { files?: ListedFile[] | null | undefined }>(list: List<R>) =>
  mapList(list, (row) => ({ ...row, files: row.files ?? [] }))

/** Adds the files to each request; `files` is empty for rows beyond the limit. */
export async function attachFiles<R extends ListedRequest>(
  db: Reader,
  requests: readonly R[],
): Promise<(R & { files: FileRow[] })[]> {
  const idxes = takeWithinLimit(requests).map(({ idx }) => idx)
  const files = Map.groupBy(await findFiles(db, idxes), ({ fileEximportIdx }) => fileEximportIdx)
  return requests.map((request) => ({ ...request, files: files.get(request.idx) ?? [] }))
}

/** A list whose pages carry files, added by `attach`; its CSV form has no column for them. */
export const listWithFiles = <R, F>(
  list: List<R>,
  attach: (rows: R[]) => Promise<(R & { files: F[] })[]>,
): List<R & { files: F[] }> => ({
  page: mapRows(list, attach).page,
  batches: async function* (streams) {
    for await (const rows of list.batches(streams)) yield rows.map((row) => ({ ...row, files: [] }))
  },
  texts: list.texts,
})
