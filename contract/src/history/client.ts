// Histories of the desktop client (spec S2 §2.6): sign-ins, exported and imported files, blocked connections.
import { z } from 'zod'
import { page } from '../core/access.ts'
import { shapeOf, sortsOf } from '../core/columns.ts'
import { idx, moment, searchText } from '../core/fields.ts'
import { Level, Role } from '../labels/access.ts'
import { LogoutType, NetworkBlock, SignInType } from '../labels/history.ts'
import { FileAccess, RequestEvent, RequestState, STATES_BY_UPLOAD, Transfer } from '../labels/requests.ts'
import { RequestFile } from '../requestFiles.ts'
import { FILE_EXIMPORT_COLUMNS } from '../requestFilter.ts'
import { RequestStep } from '../requestSteps.ts'
import { FileEximport } from '../requests.ts'
import { ACTOR, bytes, choice, type Fields, type Lists, maybe, momentField, PERSON, shortText, text } from './fields.ts'
import { filterOf, historyKind, listColumnsOf } from './kind.ts'

const reader = page('log', Level.READ)

const SIGN_IN_FIELDS = {
  loginDT: momentField('로그인 일시', 'Signed in'),
  type: choice('유형', 'Type', SignInType),
  ...PERSON,
  ip: shortText('IP', 'IP'),
  userRole: choice('역할', 'Role', Role),
  logoutDT: momentField('로그아웃 일시', 'Signed out'),
  logoutType: choice('종료 유형', 'Ended by', LogoutType),
} satisfies Fields

/** A sign-in or a failed attempt. */
const SignIn = z.object({
  idx,
  loginDT: moment,
  /** Null while the session is open, and for failed attempts. */
  logoutDT: moment.nullable(),
  /** For links: null for unknown IDs, deleted users, and users that the viewer may not open. */
  targetIdx: idx.nullable(),
  userId: z.string(),
  userName: z.string(),
  userGroupName: z.string(),
  ip: z.string(),
  userRole: z.literal(Role.values),
  type: z.literal(SignInType.values),
  logoutType: z.literal(LogoutType.values).nullable(),
})

const SIGN_IN_FILTERS = ['userId', 'userName', 'userGroupName', 'ip', 'type', 'logoutType'] as const
const SIGN_IN_SORTS = ['loginDT', 'logoutDT', 'userId', 'userName', 'userGroupName', 'ip', 'type'] as const

export const webLogin = {
  title: { ko: '웹 로그인', en: 'Web sign-ins' },
  group: 'web',
  path: '/Logs/WebLogin',
  access: reader,
  target: 'user',
  store: 'signIns',
  time: 'loginDT',
  item: SignIn,
  fields: SIGN_IN_FIELDS,
  columns: ['loginDT', 'type', 'userId', 'userName', 'userGroupName', 'ip', 'logoutDT', 'logoutType'],
  filters: SIGN_IN_FILTERS,
  sorts: SIGN_IN_SORTS,
  filter: filterOf(SIGN_IN_FIELDS, SIGN_IN_FILTERS, SIGN_IN_SORTS),
} as const

const CLIENT_FIELDS = {
  ...SIGN_IN_FIELDS,
  deviceName: text('PC 이름', 'PC name'),
  clientVersion: shortText('버전', 'Version'),
} satisfies Fields
const CLIENT_FILTERS = [...SIGN_IN_FILTERS, 'clientVersion'] as const
const CLIENT_SORTS = [...SIGN_IN_SORTS, 'clientVersion'] as const

export const clientLogin = {
  ...webLogin,
  title: { ko: '로그인', en: 'Sign-ins' },
  group: 'client',
  path: '/Logs/ClientLogin',
  menus: { clientLogin: { notOffered: { type: [SignInType.SSO_LOGIN] } } },
  item: SignIn.extend({ clientVersion: z.string(), deviceName: z.string() }),
  fields: CLIENT_FIELDS,
  columns: ['loginDT', 'type', 'userId', 'userName', 'userGroupName', 'ip', 'clientVersion', 'logoutDT'],
  filters: CLIENT_FILTERS,
  sorts: CLIENT_SORTS,
  filter: filterOf(CLIENT_FIELDS, CLIENT_FILTERS, CLIENT_SORTS),
} as const

const FILES = {
  files: {
    ko: '파일',
    en: 'Files',
    rows: 5,
    fields: {
      fileName: text('파일 이름', 'File name'),
      fileSize: bytes('크기', 'Size'),
      sha256: text('SHA-256', 'SHA-256'),
    },
  },
} satisfies Lists

const DECIDED_STEP = {
  step: maybe(FILE_EXIMPORT_COLUMNS.step),
  forName: maybe(text('대리한 승인자', 'On behalf of')),
}
const STEPS = {
  steps: {
    ko: '처리 과정',
    en: 'Steps',
    rows: 6,
    fields: {
      type: choice('단계', 'Step', RequestEvent),
      logDT: momentField('일시', 'Time'),
      actorName: text('처리자', 'By'),
      ...DECIDED_STEP,
    },
  },
} satisfies Lists

const REQUEST_FIELDS = {
  idx: { ko: '번호', en: 'No.', schema: idx },
  state: { ...choice('상태', 'State', RequestState), valuesBy: STATES_BY_UPLOAD },
  requesterId: text('요청자 아이디', 'Requester ID'),
  requesterName: text('요청자', 'Requester'),
  requesterEmail: text('요청자 이메일', 'Requester email'),
  requesterGroupName: text('요청자 그룹', 'Requester group'),
  fileSize: bytes('크기', 'Size'),
  requestDT: momentField('요청 일시', 'Requested'),
  approverId: text('승인자 아이디', 'Approver ID'),
  approverName: text('승인자', 'Approver'),
  approverGroupName: text('승인자 그룹', 'Approver group'),
  approveDT: momentField('처리 일시', 'Decided'),
  requestPurpose: text('요청 사유', 'Purpose'),
  approvePurpose: text('처리 사유', 'Reason'),
  urgentReason: text('긴급 사유', 'Urgent reason'),
  reviewDueDT: momentField('검토 기한', 'Review due'),
  filesRemovedDT: momentField('파일 삭제 일시', 'Files removed'),
  fileName: text('파일 이름', 'File name'),
} satisfies Fields
const REQUESTER_FILTERS = ['requesterId', 'requesterName', 'requesterGroupName'] as const
const REQUEST_FILTERS = ['idx', ...REQUESTER_FILTERS, 'approverId', 'approverName', 'fileName', 'state'] as const
const REQUEST_SORTS = sortsOf(FILE_EXIMPORT_COLUMNS)

/** Requests of one direction, by `type`. */
export const fileEximport = {
  title: { ko: '파일 반출입', en: 'File transfers' },
  group: 'client',
  path: '/Logs/FileEximport',
  menus: {
    fileExport: {
      type: Transfer.EXPORT,
      title: { ko: '파일 반출', en: 'File exports' },
      notOffered: { state: [RequestState.CANCELED] },
    },
    fileImport: { type: Transfer.IMPORT, title: { ko: '파일 반입', en: 'File imports' } },
  },
  access: reader,
  target: 'request',
  store: 'requests',
  time: 'requestDT',
  item: FileEximport.extend({
    /** Omitted for the last rows of a page with too many files. */
    files: z.array(RequestFile),
    /** From the first to the last; in the detail only. */
    steps: z.array(RequestStep).optional(),
  }),
  fields: REQUEST_FIELDS,
  lists: { ...FILES, ...STEPS },
  columns: ['idx', 'state', 'requesterName', 'requesterGroupName', 'requestDT', 'approverName'],
  csv: { ...FILE_EXIMPORT_COLUMNS, ...listColumnsOf(FILES) },
  filters: REQUEST_FILTERS,
  sorts: REQUEST_SORTS,
  filter: filterOf(
    // Matches the first digits of the number.
    { ...REQUEST_FIELDS, idx: text('번호', 'No.') },
    REQUEST_FILTERS,
    REQUEST_SORTS,
  ).extend({
    type: z.literal(Transfer.values),
    /** Another spelling of `requesterId` in the specification. */
    requesterID: searchText.optional(),
  }),
} as const

const { requesterId, requesterName, requesterGroupName } = REQUEST_FIELDS
const REQUESTER = { requesterId, requesterName, requesterGroupName }

/** Downloads and previews of files; `targetIdx` is the request, for those who may open it. */
export const fileDownload = historyKind({
  title: { ko: '파일 열람', en: 'File access' },
  group: 'client',
  path: '/Logs/FileDownload',
  access: reader,
  target: 'request',
  assumed: true,
  head: {
    type: choice('구분', 'Direction', Transfer),
    requestIdx: maybe({ ko: '요청 번호', en: 'Request no.', schema: idx }),
    ...ACTOR,
  },
  facts: {
    ...REQUESTER,
    purpose: text('요청 사유', 'Purpose'),
    /** Null in rows of downloads before previews existed. */
    accessType: maybe(choice('방법', 'Access', FileAccess)),
  },
  compared: {},
  lists: FILES,
  columns: ['logDT', 'type', 'accessType', 'requestIdx', 'actorName', 'requesterName', 'requesterGroupName'],
  filters: ['type', 'accessType', 'requestIdx', 'actorId', 'actorName', ...REQUESTER_FILTERS, 'fileName'],
  sorts: ['type', 'actorName', 'requesterName', 'requesterGroupName'],
})

/** Connections that a desktop client blocked. */
export const networkAccess = historyKind({
  title: { ko: '네트워크 차단', en: 'Blocked traffic' },
  group: 'client',
  path: '/Logs/NetworkAccess',
  access: reader,
  target: 'user',
  head: { type: choice('유형', 'Type', NetworkBlock) },
  facts: {
    ...PERSON,
    targetIp: shortText('대상 IP', 'Target IP'),
    processName: maybe(text('프로세스', 'Process')),
    /** Time of the PC's clock; `logDT` is the server's time. */
    blockDT: momentField('차단 일시 (PC)', 'Blocked (PC clock)'),
  },
  compared: {},
  lists: {},
  columns: ['logDT', 'type', 'userId', 'userName', 'userGroupName', 'targetIp', 'processName'],
  filters: ['type', 'userId', 'userName', 'userGroupName', 'targetIp', 'processName'],
  sorts: ['type', 'userId', 'userName', 'userGroupName', 'targetIp'],
})

/** A step of a request: its old and new state. The list above shows the requests themselves. */
const STEP = {
  ...REQUESTER,
  targetState: choice('상태', 'State', RequestState),
  targetOldState: maybe(choice('이전 상태', 'Old state', RequestState)),
  requestPurpose: text('요청 사유', 'Purpose'),
  /** Null in rows of requests before urgent exports existed. */
  urgentReason: maybe(text('긴급 사유', 'Urgent reason')),
  approverName: maybe(text('승인자', 'Approver')),
  approvePurpose: maybe(text('처리 사유', 'Reason')),
  /** Null in rows of requests before approval steps existed. */
  ...DECIDED_STEP,
  stepCount: maybe(FILE_EXIMPORT_COLUMNS.stepCount),
}
export const requestStep = {
  head: { type: choice('단계', 'Step', RequestEvent) },
  detail: z.object(shapeOf(STEP)).extend({ files: z.array(z.object(shapeOf(FILES.files.fields))) }),
}
