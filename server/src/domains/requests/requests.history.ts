// History entries of file requests: created, complete, decided, canceled, downloaded, with old and new values and the
// names and sizes of the files (spec S2 §3, §4).

import type { RequestEvent } from '@acc/contract/labels/requests'
import { FileAccess, Transfer } from '@acc/contract/labels/requests'
import type { TransferKind } from '@acc/contract/requests'
import type { HistoryEntry } from '../../core/change.ts'
import { withOldValues } from '../../core/historyValues.ts'
import type { FileRow } from './requestFiles.queries.ts'
import type { RequestRow } from './requests.queries.ts'

type LoggedFile = Pick<FileRow, 'fileName' | 'fileSize' | 'sha256'>

const requesterOf = ({ requesterId, requesterName, requesterGroupName }: RequestRow) => ({
  requesterId,
  requesterName,
  requesterGroupName,
})
const filesOf = (files: readonly LoggedFile[]) =>
  files.map(({ fileName, fileSize, sha256 }) => ({ fileName, fileSize, sha256 }))

/** Who decided a step, and the absent person whose substitute did. */
export type DecidedStep = Pick<RequestRow, 'step' | 'approverName' | 'approvePurpose'> & { forName: string | null }

/** An event of a request. `before` is null for the first one. */
export const requestLog = (
  type: RequestEvent,
  before: RequestRow | null,
  after: RequestRow,
  files: readonly FileRow[],
  { step, approverName, approvePurpose, forName }: DecidedStep = { ...after, forName: null },
): HistoryEntry<TransferKind> => ({
  kind: after.type === Transfer.EXPORT ? 'fileExport' : 'fileImport',
  type,
  subject: after.requesterId,
  subjectIdx: after.idx,
  groupIdx: after.requesterGroupIdx,
  detail: {
    ...requesterOf(after),
    ...withOldValues('target', { state: after.state }, before && { state: before.state }),
    requestPurpose: after.requestPurpose,
    urgentReason: after.urgentReason,
    approverName,
    approvePurpose,
    step,
    stepCount: after.steps,
    forName,
    files: filesOf(files),
  },
})

/** Downloaded or previewed files of a request; the type is the request's direction. */
export const downloadLog = (
  request: RequestRow,
  files: readonly FileRow[],
  accessType: FileAccess = FileAccess.DOWNLOAD,
): HistoryEntry<'fileDownload'> => ({
  kind: 'fileDownload',
  type: request.type,
  subject: request.requesterId,
  subjectIdx: request.idx,
  groupIdx: request.requesterGroupIdx,
  detail: { ...requesterOf(request), purpose: request.requestPurpose, accessType, files: filesOf(files) },
})
