// Every enumeration has the specification's numbers, and labels in both languages.
import { describe, expect, test } from 'vitest'
import { POLICY_FIELDS, PolicyValues } from '../policies.ts'
import { FILE_EXIMPORT_COLUMNS } from '../requestColumns.ts'
import * as access from './access.ts'
import * as bim from './bim.ts'
import type { Label } from './enumOf.ts'
import * as history from './history.ts'
import * as licenses from './licenses.ts'
import * as mails from './mails.ts'
import * as notices from './notices.ts'
import * as policies from './policies.ts'
import * as requests from './requests.ts'
import * as users from './users.ts'

/** Copied from spec S1 §4 and S2 §4; the rows marked * are additions. */
const NUMBERS: Record<string, Record<string, number>> = {
  Role: { ADMIN: 0, MANAGER: 1, USER: 2 },
  Level: { NONE: 0, READ: 1, EDIT: 2 },
  UserState: { NORMAL: 0, NEW: 1, DISABLED: 2 },
  ShownState: { NORMAL: 0, NEW: 1, DISABLED: 2, EXPIRED: 3 }, // *
  Suspension: { BY_PASSWORDS: 4, BY_OTPS: 5, BY_ADMIN: 6 }, // *
  StateFilter: { NORMAL: 0, NEW: 1, DISABLED: 2, EXPIRED: 3, BY_PASSWORDS: 4, BY_OTPS: 5, BY_ADMIN: 6 }, // *
  LoginType: { NONE: 0, DEFAULT: 1, SSO: 2 },
  OtpUse: { NEVER: 0, ALWAYS: 1 },
  RequestState: { REQUESTED: 0, APPROVED: 1, REJECTED: 2, CANCELED: 3, ALLOWED: 4 },
  RequestEvent: { REQUESTED: 0, APPROVED: 1, REJECTED: 2, CANCELED: 3, ALLOWED: 4, UPLOADED: 5, FILES_REMOVED: 6 }, // *
  RequestBlock: { SUSPENDED: 1, EXPIRED: 2, POLICY: 3 }, // *
  Decision: { REJECT: 0, APPROVE: 1 },
  Transfer: { IMPORT: 0, EXPORT: 1 },
  MailState: { WAITING: 0, SENT: 1, FAILED: 2 }, // *
  ShownMailState: { WAITING: 0, SENT: 1, FAILED: 2, IN_OUTBOX: 3 }, // *
  OwnerType: { GROUP: 0, USER: 1 },
  Clipboard: { BLOCK: 0, LOCAL_TO_VIRTUAL: 1, VIRTUAL_TO_LOCAL: 2, BOTH: 3 },
  FileExport: { BLOCK: 0, ALLOW: 1, APPROVAL: 2 },
  Permission: { BLOCK: 0, ALLOW: 1 },
  Use: { OFF: 0, ON: 1 },
  ExceptionType: { DOMAIN: 0, IP_RANGE: 1, SUBNET: 2 },
  SignInType: {
    LOGIN: 0,
    OTP_FAILED: 3,
    PW_DISABLED: 4,
    OTP_SUCCESS: 5,
    SSO_LOGIN: 6,
    OTP_DISABLED: 7,
    PW_FAILED: 8, // *
    REFUSED: 9, // *
  },
  LogoutType: { LOGOUT: 0, SESSION_EXPIRED: 1 },
  // SET_NOTICE *
  AccountAction: { FIND_ID: 0, FIND_PW: 1, CHANGE_PW: 2, REGISTER_OTP: 3, SET_NOTICE: 10 },
  NoticeChoice: { OFF: 0, AT_ONCE: 1, HOURLY: 2, DAILY: 3 }, // *
  AccountResult: { SUCCESS: 0, OTP_FAILED: 1, OTP_DISABLED: 2 },
  GroupManage: { CREATE: 0, UPDATE: 1, DELETE: 2 },
  PolicyManage: {
    SEPARATE: 0,
    INHERIT: 1,
    UPDATE_DESKTOP_ENVIRONMENT: 2,
    UPDATE_NETWORK: 3,
    UPDATE_SHORTCUT: 4,
    UPDATE_ISSINGLEPC: 5,
  },
  UserManage: { CREATE: 0, DELETE: 1, UPDATE: 2, RESET_PW: 3, DISABLED: 4, ENABLED: 5, RESET_TOTP: 6, END_SESSION: 7 },
  ShortcutManage: {
    CREATE_WEB: 0,
    UPDATE_WEB: 1,
    DELETE_WEB: 2,
    CREATE_PROGRAM: 3,
    UPDATE_PROGRAM: 4,
    DELETE_PROGRAM: 5,
  },
  LicenseUse: { USE: 0, RETRIEVE: 1 },
  ClientManage: { CREATE: 0, UPDATE: 1, DELETE: 2 },
  AuthManage: { CREATE: 0, DELETE: 1, UPDATE_AUTH: 2, UPDATE_MANAGER: 3 },
  Encryption: { NONE: 0, TLS: 1, STARTTLS: 2 },
  SettingManage: {
    RESEND_MAIL: 0, // *
    CHOOSE_OUTBOX: 1, // *
    SET_HOST_ADDRESS: 2, // *
    SET_LOGIN_LOGO: 3, // *
    SET_MANAGE_LOGO: 4, // *
    SET_MAIL_SERVER: 5, // *
    SET_SITE_CONFIG: 6, // *
    SET_CLIENT_POLICY: 7, // *
    READ_MAIL: 8, // *
    UPDATE_SSO_POLICY: 20, // *
    DEFAULT_OTP_ON: 21, // *
    DEFAULT_OTP_OFF: 22, // *
    ADD_OTP_NEVER: 23, // *
    ADD_OTP_ALWAYS: 24, // *
    REMOVE_OTP_NEVER: 25, // *
    REMOVE_OTP_ALWAYS: 26, // *
    UPDATE_PASSWORD_RULES: 27, // *
    UPDATE_PROTECTION: 28, // *
    SET_OVERDUE_HOURS: 30, // *
    SET_FILE_RETENTION: 31, // *
    SET_DEVICES_PER_USER: 40, // *
    REGISTER_LICENSE: 41, // *
    CHOOSE_EVALUATION_LICENSE: 42, // *
    MAKE_BACKUP: 60, // *
    VERIFY_BACKUP: 61, // *
    RESTORE_BACKUP: 62, // *
    ROTATE_KEY: 63, // *
    VERIFY_HISTORY: 64, // *
    TAKE_SEAL_HEAD: 65, // *
    ACCEPT_HISTORY: 66, // *
    RESTORE_FILE: 67, // *
    SET_USER_SYNC: 70, // *
  },
  UserImportEvent: { DONE: 0, CANCELED: 1, REFUSED: 2 }, // *
  CountType: { DEVICES: 0 }, // *
  BimServerState: { OFFLINE: 0, ONLINE: 1 }, // *
  BimManage: {
    CREATE_SERVER: 0, // *
    UPDATE_SERVER: 1, // *
    DELETE_SERVER: 2, // *
    CREATE_EXCEPTION: 3, // *
    UPDATE_EXCEPTION: 4, // *
    DELETE_EXCEPTION: 5, // *
    ADD_TARGETS: 6, // *
    REMOVE_TARGETS: 7, // *
    CHANGE_SERVER_ID: 8, // *
    SYNC: 9, // *
  },
  NetworkBlock: { BLOCK_VIRTUAL: 0, BLOCK_LOCAL: 1 },
}

type Enumeration = { values: readonly number[]; labels: Record<number, Label> }
const isEnumeration = (value: unknown): value is Enumeration & Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'values' in value && 'labels' in value

const enumerations = [access, users, requests, policies, history, mails, notices, licenses, bim]
  .flatMap((module) => Object.entries(module))
  .flatMap(([name, value]) => (isEnumeration(value) ? [{ name, value }] : []))

test('every enumeration has a row of numbers', () => {
  expect(enumerations.map(({ name }) => name).toSorted()).toEqual(Object.keys(NUMBERS).toSorted())
})

describe.each(enumerations)('$name', ({ name, value: { values, labels, ...members } }) => {
  test('has the numbers of the specification', () => {
    expect(members).toEqual(NUMBERS[name])
    expect(values).toEqual(Object.values(members))
  })

  test('names every value in both languages', () => {
    expect(Object.keys(labels)).toEqual(values.map(String))
    for (const { ko, en } of Object.values(labels)) expect([ko.trim(), en.trim()]).not.toContain('')
  })
})

describe('combined states', () => {
  test.each([
    [0, false, 'Active'],
    [1, false, 'Temporary password'],
    [2, false, 'Suspended'],
    [3, false, 'Suspended'],
    [1, true, 'Expired'],
    [2, true, 'Suspended'],
  ])('an account with state %i, expired %s, reads %s', (state, isExpired, word) => {
    expect(users.userStateLabel(state, isExpired).en).toBe(word)
  })

  test.each([
    [{ state: 0, isFileUploaded: 0 }, 'Uploading'],
    [{ state: 0, isFileUploaded: 1 }, 'Waiting'],
    [{ state: 3, isFileUploaded: 0 }, 'Canceled'],
  ] as const)('a request %o reads %s', (request, word) => {
    expect(requests.requestStateLabel(request).en).toBe(word)
    const { valuesBy, values } = FILE_EXIMPORT_COLUMNS.state
    const labels: Record<number, Record<number, Label>> = valuesBy.values
    expect((labels[request.isFileUploaded] ?? values)[request.state]?.en).toBe(word)
  })

  test.each([
    [{ state: 0, tries: 0, isInOutbox: 0 }, 'Waiting'],
    [{ state: 0, tries: 3, isInOutbox: 0 }, 'Retrying'],
    [{ state: 1, tries: 1, isInOutbox: 0 }, 'Sent'],
    [{ state: 1, tries: 1, isInOutbox: 1 }, 'In outbox'],
    [{ state: 2, tries: 8, isInOutbox: 0 }, 'Failed'],
  ] as const)('a mail %o reads %s', (mail, word) => {
    expect(mails.mailStateLabel(mail).en).toBe(word)
  })
})

test.each([
  ['print', 0, 'ko', '차단'],
  ['fileExport', 2, 'en', 'Approval required'],
  ['encryption', 1, 'en', 'On'],
  ['encryptionMaxCapacity', 1000, 'en', '1,000 GB'],
  ['offlineDays', 1, 'en', '1 day'],
  ['offlineDays', 7, 'ko', '7일'],
] as const)('the value of %s, %i, reads %s: %s', (field, value, language, text) => {
  expect(policies.policyValueText(field, value, language)).toBe(text)
})

test.each(POLICY_FIELDS)('the values of %s are those of its schema', (field) => {
  const { values, unit } = policies.POLICY_FIELD_LABELS[field]
  const schema = PolicyValues.shape[field]
  const accepted = Array.from({ length: 10 }, (_, value) => value).filter((value) => schema.safeParse(value).success)
  if (unit === undefined) expect(accepted).toEqual(Object.keys(values ?? {}).map(Number))
  else expect(accepted).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
})
