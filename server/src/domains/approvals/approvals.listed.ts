// The files beside the requests of a page. A request may have a thousand of them and a page a thousand requests: told all
// at once they would fill the memory, so an answer holds so many files and leaves those of its last rows out.
import { MAX_LISTED_FILES } from '@acc/contract/approvals'
import type { List } from '../../db/list.ts'
import type { Reader } from '../../db/open.ts'
import { type FileRow, findFiles } from './approvals.queries.ts'

type Listed = { idx: number; fileCount: number }

/** The first rows, as far as their files fit into one answer; one in any case. */
function fitting<R extends Listed>(requests: readonly R[]): R[] {
  let count = 0
  return requests.filter((request, at) => {
    count += request.fileCount
    return at === 0 || count <= MAX_LISTED_FILES
  })
}

/** Each request with its files, or with none where they do not fit any more. */
export async function withFiles<R extends Listed>(
  db: Reader,
  requests: readonly R[],
): Promise<(R & { files: FileRow[] })[]> {
  const idxes = fitting(requests).map(({ idx }) => idx)
  const files = Map.groupBy(await findFiles(db, idxes), ({ fileEximportIdx }) => fileEximportIdx)
  return requests.map((request) => ({ ...request, files: files.get(request.idx) ?? [] }))
}

/** A list whose pages tell files, made by `tell`; its CSV form has no column for them. */
export const listWithFiles = <R, F>(
  list: List<R>,
  tell: (rows: R[]) => Promise<(R & { files: F[] })[]>,
): List<R & { files: F[] }> => ({
  page: async () => {
    const { totalCount, items } = await list.page()
    return { totalCount, items: await tell(items) }
  },
  batches: async function* (db) {
    for await (const rows of list.batches(db)) yield rows.map((row) => ({ ...row, files: [] }))
  },
})
