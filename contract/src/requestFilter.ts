// The columns of lists of requests, which the approval list and the history share, and the query of the former (spec S2
// §7).
import { z } from 'zod'
import { type Columns, queryOf } from './core/columns.ts'
import { anyMoment, chosenGroups, flag, idx, moment, searchText } from './core/fields.ts'
import { filterType } from './core/paging.ts'
import { RequestState, STATES_BY_UPLOAD, Transfer } from './labels/requests.ts'

const schema = z.string()
const SEARCHED = { schema, isSortable: true, filter: searchText } as const

export const FILE_EXIMPORT_COLUMNS = {
  idx: { ko: '번호', en: 'No.', schema: idx, filter: searchText, isInSearchBox: true },
  state: {
    ko: '상태',
    en: 'State',
    schema: z.literal(RequestState.values),
    values: RequestState.labels,
    valuesBy: STATES_BY_UPLOAD,
    isSortable: true,
  },
  /** The step that it waits for or that ended it, and how many it has. */
  step: { ko: '승인 단계', en: 'Step', schema: z.int() },
  stepCount: { ko: '전체 승인 단계', en: 'Steps', schema: z.int() },
  requesterId: { ko: '요청자 아이디', en: 'Requester ID', ...SEARCHED, isInSearchBox: true },
  requesterName: { ko: '요청자', en: 'Requester', ...SEARCHED, isInSearchBox: true },
  requesterGroupName: { ko: '요청자 그룹', en: 'Requester group', ...SEARCHED },
  fileCount: { ko: '파일 수', en: 'Files', schema: z.int(), isSortable: true },
  fileSize: { ko: '크기(바이트)', en: 'Size (bytes)', schema: z.int(), as: 'bytes', isSortable: true },
  requestDT: { ko: '요청 일시', en: 'Requested', schema: moment, as: 'moment', isSortable: true },
  requestPurpose: { ko: '요청 사유', en: 'Purpose', schema },
  approverId: { ko: '승인자 아이디', en: 'Approver ID', schema: schema.nullable() },
  approverName: { ko: '승인자', en: 'Approver', ...SEARCHED, schema: schema.nullable() },
  approveDT: { ko: '처리 일시', en: 'Decided', schema: moment.nullable(), as: 'moment', isSortable: true },
  approvePurpose: { ko: '처리 사유', en: 'Reason', schema: schema.nullable() },
  /** Why an export could not wait for an approver; null for others. */
  urgentReason: { ko: '긴급 사유', en: 'Urgent reason', schema: schema.nullable() },
  /** Until when an urgent export is reviewed; null until its files have arrived, and once it waits for an approver. */
  reviewDueDT: { ko: '검토 기한', en: 'Review due', schema: moment.nullable(), as: 'moment' },
  /** When the stored files of a decided request were removed; null while they are kept. */
  filesRemovedDT: { ko: '파일 삭제 일시', en: 'Files removed', schema: moment.nullable(), as: 'moment' },
} satisfies Columns

export const transfer = z.literal(Transfer.values)
export const approvalState = FILE_EXIMPORT_COLUMNS.state.schema

/** `idx`: first digits. With filterType 0, `idx`, `requesterId` and `requesterName` hold one text; any may match. */
export const FileEximportFilter = queryOf(FILE_EXIMPORT_COLUMNS).extend({
  type: transfer,
  filterType,
  /** Another spelling of `requesterId` in the specification. */
  requesterID: searchText.optional(),
  state: approvalState.optional(),
  /** With state 0: 1 finds requests that wait for a decision, 0 those that wait for their files. */
  isFileUploaded: flag.optional(),
  /** 1: only requests of others that wait for a decision of the caller: in groups with level 2, or at their step. */
  isDecidable: flag.default(0),
  /** 1: only urgent exports that nobody has reviewed; with `isDecidable`, those that the caller may review. */
  isToReview: flag.default(0),
  /** 1: only requests that wait, or are to be reviewed, and that no enabled person can decide. */
  isUndecidable: flag.default(0),
  /** 1: overdue requests come first, each part in the order of `sort`. */
  overdueFirst: flag.default(0),
  /** Inclusive start and exclusive end. */
  requestSDT: anyMoment.optional(),
  requestEDT: anyMoment.optional(),
  groupIdxes: chosenGroups.describe('Of requesters in these groups and their subgroups'),
})
export type FileEximportFilter = z.output<typeof FileEximportFilter>
