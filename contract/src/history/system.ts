// Histories for system administrators (spec S2 §2.6). Those of settings and of BIM are additions to the specification.

import { PROTECTION_SWITCHES, ProtectionSetting } from '../accountProtection.ts'
import { idx } from '../core/fields.ts'
import { Level } from '../labels/access.ts'
import { AuthManage, BimManage, ClientManage, LicenseUse, SettingManage, ShortcutManage } from '../labels/history.ts'
import { PasswordRuleList, PRESET_WORDS } from '../labels/passwordRules.ts'
import { Use } from '../labels/policies.ts'
import { SETTING_NAMES, SETTING_VALUES } from '../labels/settingValues.ts'
import { ACTOR, choice, count, ENTRY_END, keyText, type Lists, maybe, PERSON, shortText, text } from './fields.ts'
import { historyKind, traced } from './kind.ts'

const GROUPS = {
  groups: {
    ko: '관리 그룹',
    en: 'Managed groups',
    rows: 3,
    fields: {
      groupIdx: { ko: '번호', en: 'No.', schema: idx },
      groupName: text('그룹', 'Group'),
      groupKey: keyText('그룹 키', 'Group key'),
    },
  },
} satisfies Lists
const USERS = {
  users: {
    ko: '사용자',
    en: 'Users',
    rows: 3,
    fields: {
      userIdx: { ko: '번호', en: 'No.', schema: idx },
      userId: text('아이디', 'ID'),
      userName: text('이름', 'Name'),
      userGroupName: text('그룹', 'Group'),
    },
  },
} satisfies Lists
const PASSWORD_RULES = {
  passwordRules: {
    ko: '비밀번호 규칙',
    en: 'Password rules',
    rows: 6,
    fields: {
      ruleList: choice('구분', 'List', PasswordRuleList),
      ruleName: { ...text('이름', 'Name'), words: PRESET_WORDS },
      ruleReg: text('정규식', 'Regular expression'),
    },
  },
} satisfies Lists
const PROTECTION_WORDS = {
  ...Object.fromEntries(PROTECTION_SWITCHES.map((setting) => [setting, Use.labels])),
  [ProtectionSetting.MAX_PASSWORD_DAYS]: { 0: Use.labels[0] },
}
const PROTECTION = {
  protection: {
    ko: '계정 보호',
    en: 'Account protection',
    rows: 5,
    fields: {
      protectionName: choice('항목', 'Setting', ProtectionSetting),
      protectionValue: { ...count('값', 'Value'), valuesBy: { field: 'protectionName', values: PROTECTION_WORDS } },
    },
  },
} satisfies Lists

export const shortcutManage = traced(
  historyKind({
    title: { ko: '바로가기 관리', en: 'Shortcuts' },
    group: 'system',
    path: '/Logs/ShortcutManage',
    access: 'admin',
    target: 'shortcut',
    head: { type: choice('작업', 'Action', ShortcutManage), ...ACTOR },
    facts: {},
    compared: { targetName: text('이름', 'Name'), targetData: text('URL / 경로', 'URL / path') },
    lists: {},
    columns: ['logDT', 'type', 'targetName', 'targetData', 'actorName'],
    filters: ['type', 'targetName', 'targetData', 'actorId', 'actorName'],
    sorts: ['type', 'targetName', 'actorName'],
  }),
)

export const licenseUse = historyKind({
  title: { ko: '라이선스 사용', en: 'License use' },
  group: 'system',
  path: '/Logs/LicenseUse',
  access: 'admin',
  target: 'user',
  head: { type: choice('작업', 'Action', LicenseUse), ...ACTOR },
  facts: { ...PERSON, deviceName: text('PC 이름', 'PC name'), deviceIp: shortText('PC IP', 'PC IP') },
  compared: {},
  lists: {},
  columns: ['logDT', 'type', 'userId', 'userName', 'userGroupName', 'deviceName', 'deviceIp', 'actorName'],
  filters: ['type', 'userId', 'userName', 'userGroupName', 'deviceName', 'deviceIp', 'actorName'],
  sorts: ['type', 'userId', 'userName', 'userGroupName', 'actorName'],
})

export const clientManage = historyKind({
  title: { ko: '클라이언트 관리', en: 'Client versions' },
  group: 'system',
  path: '/Logs/ClientManage',
  access: 'admin',
  target: 'clientVersion',
  head: { type: choice('작업', 'Action', ClientManage), ...ACTOR },
  facts: {},
  compared: { targetVersion: shortText('버전', 'Version') },
  lists: {},
  columns: ['logDT', 'type', 'targetVersion', 'actorName', 'actorGroupName'],
  filters: ['type', 'targetVersion', 'actorId', 'actorName', 'actorGroupName'],
  sorts: ['type', 'actorName'],
})

export const authManage = traced(
  historyKind({
    title: { ko: '권한 관리', en: 'Authorities' },
    group: 'system',
    path: '/Logs/AuthManage',
    access: 'admin',
    target: 'authority',
    head: { type: choice('작업', 'Action', AuthManage), ...ACTOR },
    facts: {},
    compared: {
      targetName: text('권한 이름', 'Authority name'),
      targetDescription: text('설명', 'Description'),
      targetPolicy: choice('정책', 'Policies', Level),
      targetUser: choice('사용자', 'Users', Level),
      targetFileImportApprove: choice('반입 승인', 'Import approval', Level),
      targetFileExportApprove: choice('반출 승인', 'Export approval', Level),
      targetLog: choice('이력', 'History', Level),
    },
    lists: { ...GROUPS, users: { ...USERS.users, fields: { ...USERS.users.fields, ...ENTRY_END } } },
    columns: ['logDT', 'type', 'targetName', 'actorName', 'actorGroupName'],
    filters: ['type', 'targetName', 'actorId', 'actorName', 'actorGroupName'],
    sorts: ['type', 'targetName', 'actorName'],
  }),
)

export const settingManage = historyKind({
  title: { ko: '설정 관리', en: 'Settings' },
  group: 'system',
  path: '/Logs/SettingManage',
  access: 'admin',
  target: 'setting',
  assumed: true,
  head: { type: choice('작업', 'Action', SettingManage), ...ACTOR },
  /** The object of the setting if there are several, such as the recipient of a mail. */
  facts: { targetName: maybe({ ...text('대상', 'Target'), wordsBy: { field: 'type', words: SETTING_NAMES } }) },
  /** Must not contain secrets. */
  compared: { targetValue: maybe({ ...text('값', 'Value'), wordsBy: { field: 'type', words: SETTING_VALUES } }) },
  lists: { ...USERS, ...PASSWORD_RULES, ...PROTECTION },
  columns: ['logDT', 'type', 'targetName', 'actorName'],
  filters: ['type', 'targetName', 'actorId', 'actorName'],
  sorts: ['type', 'targetName', 'actorName'],
})

export const bimManage = traced(
  historyKind({
    title: { ko: 'BIM 관리', en: 'BIM' },
    group: 'system',
    path: '/Logs/BimManage',
    access: 'admin',
    target: 'bim',
    assumed: true,
    head: { type: choice('작업', 'Action', BimManage), ...ACTOR },
    facts: {},
    /** A server's PC name and address, or an allowed address; never a server's id, which is its secret. */
    compared: {
      targetName: maybe(text('PC 이름', 'PC name')),
      targetIp: maybe(shortText('대상 IP', 'Target IP')),
      targetDescription: maybe(text('설명', 'Description')),
    },
    lists: { groups: { ...GROUPS.groups, ko: '그룹', en: 'Groups' }, ...USERS },
    columns: ['logDT', 'type', 'targetName', 'targetIp', 'actorName'],
    filters: ['type', 'targetName', 'targetIp', 'actorId', 'actorName'],
    sorts: ['type', 'targetName', 'actorName'],
  }),
)
