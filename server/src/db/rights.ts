// The rights of the server's database role on the schema, which another role owns: exactly this list, so that neither a
// defect nor a stolen connection empties, drops or alters anything, or changes a row of the histories
// (docs/decisions/22-database.md).
import type { DB } from './schema.gen.ts'

/** Names columns of an INSERT or UPDATE: no others may be written. */
export type Right<T> = 'select' | 'insert' | 'update' | 'delete' | { insert: readonly T[] } | { update: readonly T[] }

export const READ = ['select'] as const
const ADD = ['select', 'insert'] as const
const ADD_AND_CHANGE = ['select', 'insert', 'update'] as const
const ADD_AND_REMOVE = ['select', 'insert', 'delete'] as const
export const ALL = ['select', 'insert', 'update', 'delete'] as const

/**
 * The rights on each table. Rows that a statement locks need `update`, as does ON CONFLICT DO UPDATE. A right is
 * revoked one version after its last use, since the previous version works with it while nodes are upgraded.
 */
export const TABLE_RIGHTS: { readonly [T in keyof DB]: readonly Right<keyof DB[T]>[] } = {
  absences: ALL,
  accountReminders: ADD,
  activityCounts: ADD_AND_CHANGE,
  authorities: ALL,
  authorityGroups: ADD_AND_REMOVE,
  authorityUsers: ALL,
  bimConnections: ADD_AND_REMOVE,
  bimExceptions: ALL,
  bimGroups: ADD_AND_REMOVE,
  bimServers: ALL,
  bimUsers: ADD_AND_REMOVE,
  clientVersions: ALL,
  configTexts: ADD,
  damagedFiles: ADD_AND_REMOVE,
  deletedGroups: ADD_AND_CHANGE,
  devices: ALL,
  fileEximports: ADD_AND_CHANGE,
  formerPasswords: ADD_AND_REMOVE,
  groups: ALL,
  // Rows are added, never with a number of the writer's choice.
  history: [
    'select',
    {
      insert: [
        'kind',
        'logDT',
        'actorIdx',
        'actorId',
        'actorName',
        'actorGroupName',
        'subject',
        'subjectIdx',
        'groupIdx',
        'ip',
        'type',
        'result',
        'detail',
      ],
    },
  ],
  historyOutlets: ADD_AND_CHANGE,
  historyRetention: READ,
  // Added by addHistorySeal alone. The version before fails to seal while nodes are upgraded; the new ones do.
  historySeals: READ,
  jobRuns: ADD_AND_CHANGE,
  mailTests: ALL,
  mails: ALL,
  networkBlockBatches: ALL,
  nodes: ALL,
  otpCodes: ALL,
  personNotices: ADD_AND_CHANGE,
  policies: ALL,
  policyApprovalSteps: ADD_AND_REMOVE,
  policyLoopbackExceptions: ALL,
  policyNetworkExceptions: ALL,
  policyShortcuts: ADD_AND_REMOVE,
  requestDecisions: ADD,
  requestFiles: ADD_AND_CHANGE,
  requestSteps: ADD,
  requesterNotices: ALL,
  sessions: ALL,
  settings: ALL,
  shortcuts: ALL,
  // A session that ends completes its row.
  signIns: [
    'select',
    {
      insert: [
        'kind',
        'loginDT',
        'userIdx',
        'userId',
        'userName',
        'userGroupName',
        'groupIdx',
        'ip',
        'userRole',
        'type',
        'clientVersion',
        'deviceName',
        'logoutDT',
        'logoutType',
      ],
    },
    { update: ['logoutDT', 'logoutType'] },
  ],
  statusSamples: ADD_AND_REMOVE,
  throttles: ALL,
  tmpTokens: ALL,
  userImportRows: ALL,
  userImports: ALL,
  // After the first start, a trigger refuses new system administrators, except those that acc-admin adds as the owner.
  users: [
    'select',
    'insert',
    'delete',
    {
      update: [
        'id',
        'name',
        'email',
        'groupIdx',
        'key',
        'loginType',
        'state',
        'isMortal',
        'expireDT',
        'pwHash',
        'pwSetDT',
        'tmpPwHash',
        'tmpPwExpireDT',
        'loginFails',
        'otpFails',
        'useOtp',
        'otpSecret',
        'otpStep',
        'otpPending',
        'otpPendingExpireDT',
        'isMyPolicy',
        'isSinglePC',
        'activeDT',
        'lastClientLoginDT',
        'importSource',
        'importSuspended',
        'revision',
      ],
    },
  ],
  waitingNotices: ALL,
}

/** Backups read all sequences. From these, statements take numbers; the root group sets its own. */
export const SEQUENCE_RIGHTS: Readonly<Record<string, readonly string[]>> = {
  bimServers_idx_seq: ['usage'],
  groups_idx_seq: ['usage', 'update'],
  mails_idx_seq: ['usage'],
  noticeNo: ['usage'],
  rightsRevision: ['usage'],
  // The trigger that numbers the ends of sessions takes from it.
  signInsEnd: ['usage'],
}

export const FUNCTION_RIGHTS: readonly string[] = [
  'addHistorySeal("historySeals", bytea)',
  'pairs(text)',
  'keepMonths(integer)',
  'lastComplete(text)',
]
