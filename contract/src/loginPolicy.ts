// The login policy: password rules, and who signs in with a one-time password (spec S2 §2.7, §3, §5, §7).
import { z } from 'zod'
import { AccountProtection } from './accountProtection.ts'
import { PasswordRule } from './configs.ts'
import { type Columns, queryOf, shapeOf } from './core/columns.ts'
import { Empty, flag, idx, idxes, line, role, searchText, verbatimLine } from './core/fields.ts'
import { filterType } from './core/paging.ts'
import { defineRoutes, del, get, list, post } from './core/route.ts'
import { PRESET_NAMES } from './labels/passwordRules.ts'
import { OtpUse } from './labels/users.ts'
import { EXPIRY_COLUMN, PERSON_COLUMNS } from './personColumns.ts'

/** Rules of one list. */
export const MAX_RULES = 30
/** Characters of a rule's regular expression. */
export const MAX_REGEX = 1000

const isExpression = (reg: string) => {
  try {
    return new RegExp(reg) instanceof RegExp
  } catch {
    return false
  }
}

/** A rule as it is set; name and expression of a preset are the preset's own. */
export const NewPasswordRule = z.object({
  name: line(30).min(1),
  reg: verbatimLine(MAX_REGEX).min(1).refine(isExpression, 'expression'),
  preset: z.enum(PRESET_NAMES).optional(),
})
const rules = z.array(NewPasswordRule).max(MAX_RULES)

/** The data of an error that one rule causes. */
export const RuleFault = z.object({ name: z.string() })

const PasswordRules = z.object({ positiveRules: z.array(PasswordRule), negativeRules: z.array(PasswordRule) })

const OTP_COLUMNS = {
  /** 0 always without OTP, 1 always with OTP. */
  useOtp: { ko: 'OTP', en: 'OTP', schema: flag, values: OtpUse.labels },
  ...PERSON_COLUMNS,
  email: { ...PERSON_COLUMNS.email, filter: searchText },
  expireDT: { ...EXPIRY_COLUMN.expireDT, ko: '계정 만료', en: 'Account expires' },
} satisfies Columns

export const OtpExceptionUser = z.object({ idx, ...shapeOf(OTP_COLUMNS), role })
export type OtpExceptionUser = z.output<typeof OtpExceptionUser>

export const loginPolicy = defineRoutes({
  /** Returns the password rules. */
  findPasswordRules: get('/LoginPolicy/PWRules', {
    input: Empty,
    data: z.object({ pwRules: PasswordRules, revision: z.int() }),
    access: 'admin',
    errors: [],
    shows: ['settings'],
  }),
  /**
   * Replaces both lists. Refuses rules that share a name or an expression, an expression that could run long, and rules
   * that no temporary password satisfies. `data` has the `name` of the rule.
   */
  setPasswordRules: post('/LoginPolicy/PWRules', {
    input: z.object({ positiveRules: rules, negativeRules: rules, revision: z.int().optional() }),
    data: Empty,
    access: 'admin',
    errors: ['DUPLICATE_NAME', 'DUPLICATE_REGEX', 'UNSAFE_REGEX', 'UNSATISFIABLE_RULES', 'CHANGED_MEANWHILE'],
    changes: ['settings'],
    audit: 'settingManage',
  }),
  /** Returns the settings that protect accounts. */
  findProtection: get('/LoginPolicy/AccountProtection', {
    input: Empty,
    data: AccountProtection.extend({ revision: z.int() }),
    access: 'admin',
    errors: [],
    shows: ['settings'],
    assumed: true,
  }),
  /** Changes the settings that protect accounts. */
  setProtection: post('/LoginPolicy/AccountProtection', {
    input: AccountProtection.extend({ revision: z.int().optional() }),
    data: Empty,
    access: 'admin',
    errors: ['CHANGED_MEANWHILE'],
    changes: ['settings'],
    audit: 'settingManage',
    assumed: true,
  }),
  /** Returns whether users need a one-time password by default. */
  findDefaultOtp: get('/LoginPolicy/DefaultOtp', {
    input: Empty,
    /** `userCount`: users without an exception. A change affects them. */
    data: z.object({ defaultOtp: flag, userCount: z.int() }),
    access: 'admin',
    errors: [],
    shows: ['settings', 'users'],
  }),
  /** Sets whether users need a one-time password by default. */
  setDefaultOtp: post('/LoginPolicy/DefaultOtp', {
    input: z.object({ defaultOtp: flag }),
    data: Empty,
    access: 'admin',
    errors: [],
    changes: ['settings'],
    audit: 'settingManage',
  }),
  /** Searches the users who always or never need a one-time password. */
  searchOtpExceptions: list('/LoginPolicy/OtpExceptionUsers', {
    input: queryOf(OTP_COLUMNS).extend({ filterType, useOtp: flag.optional() }),
    item: OtpExceptionUser,
    columns: OTP_COLUMNS,
    access: 'admin',
    errors: [],
    shows: ['users', 'groups', 'authorities'],
  }),
  /** All or none of the users: refused if one is an exception already, in either list. */
  addOtpExceptions: post('/LoginPolicy/OtpExceptionUsers', {
    input: z.object({ userIdxes: idxes, useOtp: flag }),
    data: Empty,
    access: 'admin',
    errors: ['ADMIN_SELECTED', 'ALREADY_ADDED'],
    changes: ['users', 'mails', 'session'],
    audit: 'settingManage',
  }),
  /** Users without an exception are 980, and then nothing changes. */
  removeOtpExceptions: del('/LoginPolicy/OtpExceptionUsers', {
    input: z.object({ userIdxes: idxes }),
    data: Empty,
    access: 'admin',
    errors: [],
    changes: ['users', 'mails', 'session'],
    audit: 'settingManage',
  }),
})
