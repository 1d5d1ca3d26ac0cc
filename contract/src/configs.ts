// What the console needs before sign-in: runtime configuration and app configs (spec S1 §3).
import { z } from 'zod'
import { Empty, flag } from './core/fields.ts'
import { defineRoutes, get } from './core/route.ts'
import { PRESET_NAMES } from './labels/passwordRules.ts'

/** The operator's configuration of the console (ACC_CONSOLE_CONFIG); every field has the default of spec S1 §3. */
export const RuntimeConfig = z.strictObject({
  /** Origin of the server that the pages call; empty: the one that serves them. */
  serverAddress: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  isExternalMode: z.boolean().default(false),
  dmsLink: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  dmsManualLink: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  disableDevTools: z.boolean().default(false),
  frontRoute: z
    .string()
    .regex(/^\/[a-z0-9/_-]*[a-z0-9]$/i)
    .default('/acc'),
  defaultDateRange: z.int().min(1).max(3650).default(1),
  defaultDateRangeUnit: z.enum(['day', 'week', 'month', 'year']).default('day'),
  /** Days; 0 does not limit a user's expiry date. */
  maxExpireDT: z.int().min(0).max(36_500).default(0),
  product: z
    .strictObject({
      clientName: z.string().min(1).max(60).default('ACC Client'),
      serverName: z.string().min(1).max(60).default('ACC'),
      short: z.string().min(1).max(30).default('ACC'),
    })
    .prefault({}),
  show: z
    .strictObject({
      dashboard: z.boolean().default(true),
      policy: z.boolean().default(true),
      account: z.boolean().default(true),
      approve: z.strictObject({ import: z.boolean().default(false), export: z.boolean().default(true) }).prefault({}),
      log: z.boolean().default(true),
      setting: z.boolean().default(true),
      loginPolicy: z.boolean().default(true),
    })
    .prefault({}),
})
export type RuntimeConfig = z.output<typeof RuntimeConfig>

/** `preset` is the key of a rule that the product knows; its name is then shown in the viewer's language. */
export const PasswordRule = z.object({ name: z.string(), reg: z.string(), preset: z.enum(PRESET_NAMES).optional() })
export type PasswordRule = z.output<typeof PasswordRule>

export const AppConfigs = z.object({
  sessionValidMinutes: z.int(),
  maxLoginFails: z.int(),
  pwChangeRecommendDays: z.int(),
  isLicensed: flag,
  /** 1: the built-in evaluation license is in use. */
  isEvaluation: flag,
  hasMailServer: flag,
  /** 1: mail is kept in the evaluation outbox and not delivered. */
  usesOutbox: flag,
  /** 1: users may sign in by single sign-on. */
  hasSso: flag,
  /** A new password must match every positive rule and no negative rule. */
  positiveRules: z.array(PasswordRule),
  negativeRules: z.array(PasswordRule),
  /** 1: a new password must not contain names of the product, the organization or the person. */
  refusesContextWords: flag,
  /** PNG as base64; null if none was uploaded. */
  loginPageLogoData: z.string().nullable(),
  managePageLogoData: z.string().nullable(),
  allowExtensionsLogo: z.array(z.string()),
  allowExtensionsLicense: z.array(z.string()),
  allowExtensionsClient: z.array(z.string()),
  useKnoxMailServer: flag,
  serverVersion: z.string(),
  runtime: RuntimeConfig,
})
export type AppConfigs = z.output<typeof AppConfigs>

export const configs = defineRoutes({
  /** Returns what the console needs before a sign-in: limits, password rules, logos, versions. */
  find: get('/Configs', {
    input: Empty,
    data: AppConfigs,
    access: 'public',
    credentials: 'omit',
    errors: [],
    shows: ['settings'],
  }),
})
