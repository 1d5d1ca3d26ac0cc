// Histories of the console (spec S2 §2.6): accounts, groups, policies, users.
import type { z } from 'zod'
import { page } from '../core/access.ts'
import { idx } from '../core/fields.ts'
import { Level } from '../labels/access.ts'
import type { Label } from '../labels/enumOf.ts'
import {
  AccountAction,
  AccountResult,
  GroupManage,
  PolicyManage,
  UserImportEvent,
  UserManage,
} from '../labels/history.ts'
import { NoticeChoice } from '../labels/notices.ts'
import {
  ExceptionType,
  OwnerType,
  Permission,
  POLICY_FIELD_LABELS,
  POLICY_LIST_LABELS,
  type PolicyField,
  Use,
} from '../labels/policies.ts'
import { RequestState, Transfer } from '../labels/requests.ts'
import { ImportRefusal, ImportSource } from '../labels/userImports.ts'
import { LOGIN_TYPE_LABELS, OtpUse, USER_STATE_LABELS } from '../labels/users.ts'
import {
  ACTOR,
  choice,
  count,
  dayField,
  type Field,
  flags,
  keyText,
  type Lists,
  maybe,
  PERSON,
  text,
  yesNo,
} from './fields.ts'
import { historyKind } from './kind.ts'

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

export const groupManage = historyKind({
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

type PolicyKey<K extends string> = `policy${Capitalize<K>}`
type PolicyFields = { [K in PolicyField as PolicyKey<K>]: Field<z.ZodNullable<z.ZodInt>> }
/** The fields of a policy by their names in the history: `clipboard` is `policyClipboard`. */
const policyFields = Object.fromEntries(
  Object.entries(POLICY_FIELD_LABELS).map(([name, { unit, ...label }]) => [
    `policy${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    maybe({ ...count(label.ko, label.en), ...(label.values && { values: label.values }), ...(unit && { as: unit }) }),
  ]),
) as PolicyFields

const networkExceptions = (label: Label) =>
  ({
    ...label,
    rows: 5,
    fields: {
      idx: count('번호', 'Number'),
      description: text('설명', 'Description'),
      type: choice('유형', 'Type', ExceptionType),
      ip1: text('IP 1 / 도메인', 'IP 1 / domain'),
      ip2: text('IP 2', 'IP 2'),
      port: count('포트', 'Port'),
      access: choice('접근', 'Access', Permission),
    },
  }) as const

const POLICY_LISTS = {
  policyNetworkExceptions: networkExceptions(POLICY_LIST_LABELS.policyNetworkExceptions),
  policyLocalNetworkExceptions: networkExceptions(POLICY_LIST_LABELS.policyLocalNetworkExceptions),
  policyLoopbackExceptions: {
    ...POLICY_LIST_LABELS.policyLoopbackExceptions,
    rows: 5,
    fields: { description: text('설명', 'Description'), processName: text('프로세스', 'Process') },
  },
  policyShortcutWebs: {
    ...POLICY_LIST_LABELS.shortcutWebs,
    rows: 5,
    fields: { name: text('이름', 'Name'), url: text('URL', 'URL') },
  },
  policyShortcutPrograms: {
    ...POLICY_LIST_LABELS.shortcutPrograms,
    rows: 5,
    fields: { name: text('이름', 'Name'), path: text('경로', 'Path') },
  },
} satisfies Lists

export const policyManage = historyKind({
  title: { ko: '정책 관리', en: 'Policies' },
  group: 'web',
  path: '/Logs/PolicyManage',
  access: reader,
  target: 'policyOwner',
  head: { type: choice('작업', 'Action', PolicyManage), ...ACTOR },
  facts: {
    targetType: choice('대상', 'Target', OwnerType),
    targetName: text('이름', 'Name'),
    /** Users only. */
    targetId: maybe(text('아이디', 'ID')),
    targetGroupName: maybe(text('그룹', 'Group')),
    /** Owner of the policy that was copied or now applies. */
    diffOwnerName: maybe(text('정책 소유자', 'Policy owner')),
  },
  compared: { ...policyFields, targetIsSinglePC: maybe(choice('PC 1대 제한', 'One-PC limit', Use)) },
  lists: POLICY_LISTS,
  columns: ['logDT', 'type', 'targetType', 'targetName', 'actorName'],
  filters: ['type', 'targetType', 'targetName', 'targetId', 'targetGroupName', 'actorName'],
  sorts: ['type', 'targetName', 'targetId', 'targetGroupName', 'actorName'],
})

const users = historyKind({
  title: { ko: '사용자 관리', en: 'Users' },
  group: 'web',
  path: '/Logs/UserManage',
  access: reader,
  target: 'user',
  head: { type: choice('작업', 'Action', UserManage), ...ACTOR },
  /** The import that changed the user. An addition to the specification. */
  facts: { importIdx: maybe(count('가져오기 번호', 'Import no.')) },
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
export const userManage = { ...users, detail: users.detail.extend({ formerGroupIdx: idx.optional() }) }

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
