// Enumerations have the specification's numbers, and labels in both languages.
import { describe, expect, test } from 'vitest'
import * as bim from '../bim.ts'
import * as licenses from '../licenses.ts'
import * as notices from '../notices.ts'
import { POLICY_FIELDS, PolicyValues } from '../policyValues.ts'
import { FILE_EXIMPORT_COLUMNS } from '../requestFilter.ts'
import * as access from './access.ts'
import type { Label } from './enumOf.ts'
import * as history from './history.ts'
import * as mails from './mails.ts'
import * as policies from './policies.ts'
import * as requests from './requests.ts'
import * as users from './users.ts'

/** Copied from spec S1 §4 and S2 §4. Additions are not listed. */
const NUMBERS: Record<string, Record<string, number>> = {
  Role: { ADMIN: 0, MANAGER: 1, USER: 2 },
  Level: { NONE: 0, READ: 1, EDIT: 2 },
  UserState: { NORMAL: 0, NEW: 1, DISABLED: 2 },
  LoginType: { NONE: 0, DEFAULT: 1, SSO: 2 },
  OtpUse: { NEVER: 0, ALWAYS: 1 },
  RequestState: { REQUESTED: 0, APPROVED: 1, REJECTED: 2, CANCELED: 3, ALLOWED: 4 },
  Decision: { REJECT: 0, APPROVE: 1 },
  Transfer: { IMPORT: 0, EXPORT: 1 },
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
  },
  LogoutType: { LOGOUT: 0, SESSION_EXPIRED: 1 },
  AccountAction: { FIND_ID: 0, FIND_PW: 1, CHANGE_PW: 2 },
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
  UserManage: { CREATE: 0, DELETE: 1, UPDATE: 2, RESET_PW: 3, DISABLED: 4, ENABLED: 5, RESET_TOTP: 6 },
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
  NetworkBlock: { BLOCK_VIRTUAL: 0, BLOCK_LOCAL: 1 },
}

type Enumeration = { values: readonly number[]; labels: Record<number, Label> }
const isEnumeration = (value: unknown): value is Enumeration & Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'values' in value && 'labels' in value

const enumerations = [access, users, requests, policies, history, mails, notices, licenses, bim]
  .flatMap((module) => Object.entries(module))
  .flatMap(([name, value]) => (isEnumeration(value) ? [{ name, value }] : []))

test.each(Object.entries(NUMBERS))('%s has the numbers of the specification', (name, numbers) => {
  expect(enumerations.find((one) => one.name === name)?.value).toMatchObject(numbers)
})

describe.each(enumerations)('$name', ({ value: { values, labels } }) => {
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
    [{}, 'Waiting, step 2 of 3', '대기 (2/3단계)'],
    [{ isOverdue: 1 }, 'Overdue, step 2 of 3', '장기 대기 (2/3단계)'],
    [{ block: 1 }, 'On hold, step 2 of 3', '보류 (2/3단계)'],
    [{ state: 2 }, 'Rejected', '반려'],
  ] as const)('a request with steps %o reads %s', (request, en, ko) => {
    const waiting = { state: 0, isFileUploaded: 1, step: 2, stepCount: 3 } as const
    expect(requests.requestStateLabel({ ...waiting, ...request })).toMatchObject({ en, ko })
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
  ['urgentReviewHours', 24, 'ko', '24시간'],
  ['downloadCount', 0, 'ko', '제한 없음'],
  ['downloadCount', 1, 'en', 'Once'],
  ['downloadDays', 0, 'en', 'No limit'],
] as const)('the value of %s, %i, reads %s: %s', (field, value, language, text) => {
  expect(policies.policyValueText(field, value, language)).toBe(text)
})

test.each(POLICY_FIELDS)('the values of %s are those of its schema', (field) => {
  const { values, unit } = policies.POLICY_FIELD_LABELS[field]
  const schema = PolicyValues.shape[field]
  const accepted = Array.from({ length: 10 }, (_, value) => value).filter((value) => schema.safeParse(value).success)
  const named = Object.keys(values ?? {}).map(Number)
  expect(accepted).toEqual(unit === undefined ? named : [...named, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})
