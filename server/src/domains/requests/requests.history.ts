// History entries of file requests: created, complete, decided, canceled, downloaded, with old and new values and the names and
// sizes of the files (spec S2 §3, §4).

import { Transfer } from '@acc/contract/enums'
import type { RequestEvent, TransferKind } from '@acc/contract/requests'
import type { HistoryEntry } from '../../core/change.ts'
import { type Classes, diff } from '../../core/diff.ts'
import type { FileRow, RequestRow } from './requests.queries.ts'

const CLASSES: Classes<RequestRow> = {
  idx: 'ignore',
  type: 'track',
  requesterIdx: 'ignore',
  requesterId: 'track',
  requesterName: 'track',
  requesterEmail: 'track',
  requesterGroupIdx: 'ignore',
  requesterGroupName: 'track',
  approverIdx: 'ignore',
  approverId: 'track',
  approverName: 'track',
  approverGroupName: 'track',
  state: 'track',
  requestDT: 'track',
  approveDT: 'track',
  requestPurpose: 'track',
  approvePurpose: 'track',
  isFileUploaded: 'track',
  fileCount: 'track',
  fileSize: 'track',
}

const detailOf = (request: RequestRow, files: readonly Pick<FileRow, 'fileName' | 'fileSize' | 'sha256'>[]) => ({
  requesterName: request.requesterName,
  requesterGroupName: request.requesterGroupName,
  purpose: request.requestPurpose,
  files: files.map(({ fileName, fileSize, sha256 }) => ({ fileName, fileSize, sha256 })),
})

/** A step of a request. `before` is null where the request begins with it. */
export const requestLog = (
  type: RequestEvent,
  before: RequestRow | null,
  after: RequestRow,
  files: readonly FileRow[],
): HistoryEntry<TransferKind> => ({
  kind: after.type === Transfer.EXPORT ? 'fileExport' : 'fileImport',
  type,
  subject: after.requesterId,
  subjectIdx: after.idx,
  groupIdx: after.requesterGroupIdx,
  diff: diff(before, after, CLASSES),
  detail: detailOf(after, files),
})

/** Files of a request that went to whoever asked for them; the type is the request's direction. */
export const downloadLog = (request: RequestRow, files: readonly FileRow[]): HistoryEntry<'fileDownload'> => ({
  kind: 'fileDownload',
  type: request.type,
  subject: request.requesterId,
  subjectIdx: request.idx,
  groupIdx: request.requesterGroupIdx,
  detail: detailOf(request, files),
})
