// File requests: direction, state and decision (spec S2 §4).
import { enumOf, type ToneLabel, type ValueOf } from './enumOf.ts'

const STATES = {
  REQUESTED: { value: 0, ko: '대기', en: 'Waiting', tone: 'warn' },
  APPROVED: { value: 1, ko: '승인', en: 'Approved', tone: 'ok' },
  REJECTED: { value: 2, ko: '반려', en: 'Rejected', tone: 'bad' },
  CANCELED: { value: 3, ko: '취소', en: 'Canceled', tone: 'quiet' },
  ALLOWED: { value: 4, ko: '자동 승인', en: 'Auto-approved', tone: 'quiet' },
} as const

export const RequestState = enumOf(STATES)
export type RequestState = ValueOf<typeof RequestState>

/** Events of a request in the history: its new state, the arrival of its last file, or the removal of its files. */
export const RequestEvent = enumOf({
  ...STATES,
  REQUESTED: { value: 0, ko: '요청', en: 'Requested', tone: 'accent' },
  UPLOADED: { value: 5, ko: '업로드 완료', en: 'Uploaded', tone: 'accent' },
  FILES_REMOVED: { value: 6, ko: '파일 삭제', en: 'Files removed', tone: 'quiet' },
  /** An addition to the specification: a step was approved, and the request waits for the next one. */
  STEP_APPROVED: { value: 7, ko: '단계 승인', en: 'Step approved', tone: 'ok' },
  /** An addition: the server canceled it, since nobody decided it in time. */
  EXPIRED: { value: 8, ko: '기한 만료', en: 'Expired', tone: 'quiet' },
  /** Additions: an urgent export was reviewed. */
  CONFIRMED: { value: 9, ko: '긴급 반출 확인', en: 'Urgent export confirmed', tone: 'ok' },
  OBJECTED: { value: 10, ko: '이의 제기', en: 'Objected to', tone: 'bad' },
})
export type RequestEvent = ValueOf<typeof RequestEvent>

/** A request that waits for its files, not for an approver. */
export const UPLOADING_LABEL: ToneLabel = { ko: '업로드 중', en: 'Uploading', tone: 'accent' }

/** A request that waits for a decision longer than administrators accept. */
export const OVERDUE_LABEL: ToneLabel = { ko: '장기 대기', en: 'Overdue', tone: 'bad' }

/** An urgent export that nobody has reviewed, in time and later. */
export const TO_REVIEW_LABEL: ToneLabel = { ko: '검토 대기', en: 'To review', tone: 'warn' }
export const REVIEW_OVERDUE_LABEL: ToneLabel = { ko: '검토 지연', en: 'Review overdue', tone: 'bad' }

/** What stops a request although its state would let it pass. */
export const RequestBlock = enumOf({
  SUSPENDED: { value: 1, ko: '요청자 정지', en: 'Requester suspended' },
  EXPIRED: { value: 2, ko: '요청자 계정 만료', en: 'Requester expired' },
  POLICY: { value: 3, ko: '정책에서 차단', en: 'Blocked by policy' },
})
export type RequestBlock = ValueOf<typeof RequestBlock>

/** A request that waits for a decision and cannot be approved now. */
export const ON_HOLD_LABEL: ToneLabel = { ko: '보류', en: 'On hold', tone: 'bad' }

type LabeledRequest = {
  state: RequestState
  isFileUploaded: 0 | 1
  isOverdue?: 0 | 1
  block?: RequestBlock | null
  step?: number
  stepCount?: number
  reviewDueDT?: Date | string | null
}

/**
 * The label of a request. Undecided, it is uploading until its last file arrives, then possibly on hold or overdue. A
 * request with several steps says which one it waits for, an urgent export that it is to be reviewed.
 */
export function requestStateLabel(request: LabeledRequest): ToneLabel {
  if (request.state === RequestState.ALLOWED && request.reviewDueDT)
    return request.isOverdue === 1 ? REVIEW_OVERDUE_LABEL : TO_REVIEW_LABEL
  if (request.state !== RequestState.REQUESTED) return RequestState.labels[request.state]
  if (request.isFileUploaded === 0) return UPLOADING_LABEL
  const waiting = request.isOverdue === 1 ? OVERDUE_LABEL : RequestState.labels[request.state]
  const { ko, en, tone } = request.block ? ON_HOLD_LABEL : waiting
  const { step = 1, stepCount = 1 } = request
  if (stepCount === 1) return { ko, en, tone }
  return { ko: `${ko} (${step}/${stepCount}단계)`, en: `${en}, step ${step} of ${stepCount}`, tone }
}

/** The labels of a row's state by its `isFileUploaded`, for lists and files that do not know whether it is overdue. */
export const STATES_BY_UPLOAD = {
  field: 'isFileUploaded',
  values: {
    0: Object.fromEntries(RequestState.values.map((state) => [state, requestStateLabel({ state, isFileUploaded: 0 })])),
  },
}

/** Input of the decision call; the stored state is APPROVED or REJECTED. */
export const Decision = enumOf({
  REJECT: { value: 0, ko: '반려', en: 'Reject' },
  APPROVE: { value: 1, ko: '승인', en: 'Approve' },
})
export type Decision = ValueOf<typeof Decision>

/** Input of the review of an urgent export, with the numbers of a decision. */
export const Review = enumOf({
  OBJECT: { value: 0, ko: '이의 제기', en: 'Object' },
  CONFIRM: { value: 1, ko: '확인', en: 'Confirm' },
})
export type Review = ValueOf<typeof Review>

/** How somebody received the bytes of a file. */
export const FileAccess = enumOf({
  DOWNLOAD: { value: 0, ko: '다운로드', en: 'Download' },
  PREVIEW: { value: 1, ko: '미리보기', en: 'Preview', tone: 'accent' },
})
export type FileAccess = ValueOf<typeof FileAccess>

export const Transfer = enumOf({
  IMPORT: { value: 0, ko: '반입', en: 'Import' },
  EXPORT: { value: 1, ko: '반출', en: 'Export' },
})
export type Transfer = ValueOf<typeof Transfer>
