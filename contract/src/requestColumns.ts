// Columns and sorts of request lists, which the approval list and the history share.
import { RequestState, STATES_BY_UPLOAD } from './labels/requests.ts'

export const FILE_EXIMPORT_COLUMNS = {
  idx: { ko: '번호', en: 'No.' },
  state: { ko: '상태', en: 'State', values: RequestState.labels, valuesBy: STATES_BY_UPLOAD },
  requesterId: { ko: '요청자 아이디', en: 'Requester ID' },
  requesterName: { ko: '요청자', en: 'Requester' },
  requesterGroupName: { ko: '요청자 그룹', en: 'Requester group' },
  fileCount: { ko: '파일 수', en: 'Files' },
  fileSize: { ko: '크기(바이트)', en: 'Size (bytes)' },
  requestDT: { ko: '요청 일시', en: 'Requested', as: 'moment' },
  requestPurpose: { ko: '요청 사유', en: 'Purpose' },
  approverId: { ko: '승인자 아이디', en: 'Approver ID' },
  approverName: { ko: '승인자', en: 'Approver' },
  approveDT: { ko: '처리 일시', en: 'Decided', as: 'moment' },
  approvePurpose: { ko: '처리 사유', en: 'Reason' },
  filesRemovedDT: { ko: '파일 삭제 일시', en: 'Files removed', as: 'moment' },
} as const

export const FILE_EXIMPORT_SORTS = [
  'idx',
  'state',
  'requesterId',
  'requesterName',
  'requesterGroupName',
  'fileCount',
  'fileSize',
  'requestDT',
  'approveDT',
  'approverName',
] as const
