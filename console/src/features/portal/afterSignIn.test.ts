import { type AppConfigs, RuntimeConfig } from '@acc/contract/configs'
import { FULL_PAGE_AUTH, NO_PAGE_AUTH } from '@acc/contract/core/access'
import { Role } from '@acc/contract/labels/access'
import type { Session } from '@acc/contract/session'
import { describe, expect, test } from 'vitest'
import { isLicenseMissing, isPasswordOld, landing } from './afterSignIn.ts'

const now = Date.parse('2026-11-20T00:00:00Z')
const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString()

const sessionOf = (role: Session['role'], pwSetDT: string | null = daysAgo(1)): Session => ({
  id: 'someone',
  name: '김서연',
  email: 'a@b.c',
  idx: 2,
  role,
  pageAuth: role === Role.USER ? NO_PAGE_AUTH : FULL_PAGE_AUTH,
  pwSetDT,
  expireDT: null,
  sessionExpireDT: daysAgo(-1),
  loginType: 1,
  rightsRevision: 1,
})
const configsOf = (change: Partial<AppConfigs> = {}, runtime: Partial<RuntimeConfig> = {}): AppConfigs => ({
  sessionValidMinutes: 30,
  maxLoginFails: 5,
  pwChangeRecommendDays: 90,
  isLicensed: 1,
  isEvaluation: 0,
  hasMailServer: 1,
  usesOutbox: 0,
  hasSso: 0,
  refusesContextWords: 1,
  positiveRules: [],
  negativeRules: [],
  loginPageLogoData: null,
  managePageLogoData: null,
  allowExtensionsLogo: [],
  allowExtensionsLicense: [],
  allowExtensionsClient: [],
  useKnoxMailServer: 0,
  serverVersion: '1.0.0',
  runtime: { ...RuntimeConfig.parse({}), ...runtime },
  ...change,
})

describe('where signing in leads', () => {
  test('ordinary users download', () => expect(landing(sessionOf(Role.USER), configsOf())).toBe('download'))
  test.each([Role.ADMIN, Role.MANAGER, Role.USER])('in external mode role %i downloads', (role) =>
    expect(landing(sessionOf(role), configsOf({}, { isExternalMode: true }))).toBe('download'),
  )
  test('the register step comes first for administrators, in external mode too', () => {
    const external = configsOf({ hasMailServer: 0 }, { isExternalMode: true })
    expect(landing(sessionOf(Role.ADMIN), external)).toBe('register')
    expect(landing(sessionOf(Role.MANAGER), external)).toBe('download')
  })
  test('administrators settle license and mail first', () => {
    expect(landing(sessionOf(Role.ADMIN), configsOf({ hasMailServer: 0 }))).toBe('register')
    expect(landing(sessionOf(Role.ADMIN), configsOf({ isLicensed: 0 }))).toBe('register')
    expect(landing(sessionOf(Role.ADMIN), configsOf())).toBe('main')
  })
  test('an expired license can be registered later, a missing one cannot', () => {
    for (const isPostponed of [false, true]) {
      expect(isLicenseMissing(configsOf({ isLicensed: 0 }), isPostponed)).toBe(!isPostponed)
      expect(isLicenseMissing(configsOf({ isLicensed: 0, isEvaluation: 1 }), isPostponed)).toBe(true)
      expect(isLicenseMissing(configsOf(), isPostponed)).toBe(false)
    }
  })
  test('managers enter even without a license and a mail server', () =>
    expect(landing(sessionOf(Role.MANAGER), configsOf({ hasMailServer: 0, isLicensed: 0 }))).toBe('main'))
})

test('an old password is pointed out, but not to administrators', () => {
  expect(isPasswordOld(sessionOf(Role.USER, daysAgo(91)), 90, now)).toBe(true)
  expect(isPasswordOld(sessionOf(Role.USER, daysAgo(89)), 90, now)).toBe(false)
  expect(isPasswordOld(sessionOf(Role.ADMIN, daysAgo(900)), 90, now)).toBe(false)
  expect(isPasswordOld(sessionOf(Role.USER, null), 90, now)).toBe(false)
  expect(isPasswordOld(sessionOf(Role.USER, daysAgo(900)), 0, now)).toBe(false)
})
