// Histories of the console (spec S2 §2.6): accounts, groups, users. Those of policies are in policies.ts.
import { z } from 'zod'
import { page } from '../core/access.ts'
import { idx } from '../core/fields.ts'
import { Level } from '../labels/access.ts'
import { AccountAction, AccountResult, GroupManage, UserImportEvent, UserManage } from '../labels/history.ts'
import { RequestState, Transfer } from '../labels/requests.ts'
import { ImportRefusal, ImportSource } from '../labels/userImports.ts'
import { LOGIN_TYPE_LABELS, OtpUse, USER_STATE_LABELS } from '../labels/users.ts'
import { NoticeChoice } from '../notices.ts'
import { ACTOR, choice, count, dayField, flags, keyText, maybe, momentField, PERSON, text, yesNo } from './fields.ts'
import { historyKind, traced } from './kind.ts'

const reader = page('log', Level.READ)

export const account = historyKind({
  title: { ko: '계정 (ID/PW)', en: 'Accounts (ID/PW)' },
  group: 'web',
  path: '/Logs/Account',
  access: reader,
  target: 'user',
  head: { actionType: choice('작업', 'Action', AccountAction), resultType: choice('결과', 'Result', AccountResult) },
  facts: PERSON,
  compared: { targetNotice: maybe(choice('승인 알림', 'Approval notifications', NoticeChoice)) },
  lists: {},
  columns: ['logDT', 'actionType', 'resultType', 'userId', 'userName', 'userGroupName', 'ip'],
  filters: ['actionType', 'resultType', 'userId', 'userName', 'userGroupName', 'ip'],
  sorts: ['actionType', 'resultType', 'userId', 'userName', 'userGroupName'],
})

const groups = historyKind({
  title: { ko: '그룹 관리', en: 'Groups' },
  group: 'web',
  path: '/Logs/GroupManage',
  access: reader,
  target: 'group',
  head: { type: choice('작업', 'Action', GroupManage), ...ACTOR },
  facts: {
    parentName: maybe(text('상위 그룹', 'Parent group')),
    /** For a deleted group: the users and groups that moved to its parent. */
    movedGroups: maybe(text('이동한 하위 그룹', 'Moved subgroups')),
    userCount: maybe(count('이동한 사용자 수', 'Moved users')),
    requestCount: maybe(count('이동한 요청 수', 'Moved requests')),
    authorityCount: maybe(count('변경된 권한 수', 'Changed authorities')),
    bimTargetCount: maybe(count('삭제된 BIM 허용 대상 수', 'Removed BIM targets')),
  },
  compared: {
    targetName: text('그룹 이름', 'Group name'),
    targetKey: keyText('그룹 키', 'Group key'),
    targetDescription: text('설명', 'Description'),
    targetIsDmsParent: yesNo('DMS 최상위 그룹', 'DMS root'),
    targetChildren: maybe(text('하위 그룹 순서', 'Order of subgroups')),
  },
  lists: {
    /** For a deleted group; of very many, the undecided and the newest ones. Moved users have a row each. */
    movedRequests: {
      ko: '이동한 요청',
      en: 'Moved requests',
      rows: 6,
      isOneSided: true,
      fields: {
        number: { ko: '번호', en: 'No.', schema: idx },
        type: choice('구분', 'Direction', Transfer),
        state: choice('상태', 'State', RequestState),
        requesterId: text('요청자 아이디', 'Requester ID'),
        requesterName: text('요청자', 'Requester'),
      },
    },
  },
  columns: ['logDT', 'type', 'targetName', 'actorName', 'actorGroupName'],
  filters: ['type', 'targetName', 'actorId', 'actorName', 'actorGroupName'],
  sorts: ['type', 'targetName', 'actorName'],
})
/** Rows of deleted groups hold the numbers of the subgroups that moved up. No answer has them. */
export const groupManage = traced({
  ...groups,
  detail: groups.detail.extend({ movedGroupIdxes: z.array(idx).optional() }),
})

const users = historyKind({
  title: { ko: '사용자 관리', en: 'Users' },
  group: 'web',
  path: '/Logs/UserManage',
  access: reader,
  target: 'user',
  head: { type: choice('작업', 'Action', UserManage), ...ACTOR },
  facts: {
    /** The import that changed the user. An addition to the specification, as are the fields of an absence. */
    importIdx: maybe(count('가져오기 번호', 'Import no.')),
    substituteId: maybe(text('대리인 아이디', 'Substitute ID')),
    substituteName: maybe(text('대리인', 'Substitute')),
    absenceStartDT: maybe(momentField('부재 시작', 'Absent from')),
    absenceEndDT: maybe(momentField('부재 종료', 'Absent until')),
    absenceReason: maybe(text('부재 사유', 'Reason for absence')),
  },
  compared: {
    targetId: text('아이디', 'ID'),
    targetName: text('이름', 'Name'),
    targetEmail: text('이메일', 'Email'),
    targetGroupName: text('그룹', 'Group'),
    targetIsMortal: yesNo('만료 사용', 'Account expires'),
    targetExpireDT: maybe(dayField('만료일', 'Expires')),
    targetKey: keyText('사용자 키', 'User key'),
    targetLoginType: flags('로그인 방식', 'Sign-in methods', LOGIN_TYPE_LABELS),
    targetState: flags('상태', 'State', USER_STATE_LABELS),
    /** An addition to the specification; null follows the login policy. */
    targetUseOtp: maybe(choice('OTP 사용', 'OTP use', OtpUse)),
  },
  lists: {},
  columns: ['logDT', 'type', 'targetId', 'targetName', 'actorName'],
  filters: ['type', 'targetId', 'targetName', 'targetGroupName', 'actorId', 'actorName'],
  sorts: ['type', 'targetId', 'targetName', 'targetGroupName', 'actorName'],
})
/** Rows of moved users hold the group that they left, whose managers read the row too. No answer has it. */
export const userManage = traced({ ...users, detail: users.detail.extend({ formerGroupIdx: idx.optional() }) })

export const userImport = historyKind({
  title: { ko: '사용자 가져오기', en: 'User imports' },
  group: 'web',
  path: '/Logs/UserImport',
  access: reader,
  target: 'userImport',
  assumed: true,
  head: { type: choice('작업', 'Action', UserImportEvent), ...ACTOR },
  facts: {
    source: choice('원본', 'Source', ImportSource),
    fileName: text('파일', 'File'),
    fileHash: text('SHA-256', 'SHA-256'),
    createCount: count('생성', 'New'),
    updateCount: count('수정', 'Changed'),
    moveCount: count('이동', 'Moved'),
    enableCount: count('정지 해제', 'Reactivated'),
    disableCount: count('정지', 'Suspended'),
    skipCount: count('건너뜀', 'Skipped'),
    failCount: count('오류', 'Errors'),
    groupCount: count('생성한 그룹', 'New groups'),
    refusal: maybe(choice('거부 사유', 'Reason', ImportRefusal)),
  },
  compared: {},
  lists: {},
  columns: [
    'logDT',
    'type',
    'source',
    'fileName',
    'createCount',
    'updateCount',
    'moveCount',
    'disableCount',
    'failCount',
    'actorName',
  ],
  filters: ['type', 'source', 'fileName', 'actorId', 'actorName'],
  sorts: ['type', 'actorName'],
})
