// The configurations that desktop clients receive: siteConfig (XML) and clientPolicy (JSON), with their former values
// (spec S1 §2 to §5, §7).
import { z } from 'zod'
import { Empty, idx, moment } from './core/fields.ts'
import { defineRoutes, get, post } from './core/route.ts'

/** Replaced by the host server address when a client receives the text. */
export const HOST_PLACEHOLDER = '{{HOST}}'
/** Bytes of a call that sets a text, and characters of the text at most. */
export const MAX_CONFIG = 2 * 1024 * 1024
/** Former values that a list names. */
export const MAX_OLD_CONFIGS = 20

/** Stored unchanged; the server only checks that it is well formed. */
const text = z
  .string()
  .max(MAX_CONFIG)
  .refine((value) => value.isWellFormed(), 'characters')
/** 0: never set. */
const revision = z.int().min(0)

const OldConfig = z.object({
  idx,
  logDT: moment,
  actorId: z.string(),
  actorName: z.string(),
  /** The value that this change replaced; null if the list would become too long, then it is read by its idx. */
  oldValue: z.string().nullable(),
})
export type OldConfig = z.output<typeof OldConfig>
/** The last changes, the oldest first; with an idx that one alone. */
const oldConfigs = {
  input: z.object({ idx: idx.optional() }),
  data: z.object({ logs: z.array(OldConfig).max(MAX_OLD_CONFIGS) }),
  access: 'admin',
  errors: [],
  shows: ['settings'],
} as const

const change = {
  data: z.object({ revision }),
  access: 'admin',
  errors: ['CHANGED_MEANWHILE'],
  changes: ['settings'],
  audit: 'settingManage',
  maxBody: MAX_CONFIG,
} as const

const read = { input: Empty, access: 'admin', errors: [], shows: ['settings'] } as const

export const configTexts = defineRoutes({
  /** Returns the site configuration (XML). */
  findSiteConfig: get('/SiteConfig', { ...read, data: z.object({ siteConfig: z.string(), revision }) }),
  /** Without a revision the value is replaced unconditionally. */
  setSiteConfig: post('/SiteConfig', {
    ...change,
    input: z.object({ siteConfig: text, revision: revision.optional() }),
  }),
  /** Lists the last 20 site configurations, oldest first. */
  searchOldSiteConfigs: get('/OldSiteConfigs', oldConfigs),
  /** Returns the client policy (JSON). */
  findClientPolicy: get('/ClientPolicy', { ...read, data: z.object({ clientPolicy: z.string(), revision }) }),
  /** Replaces the client policy. Without a revision it overwrites any value. */
  setClientPolicy: post('/ClientPolicy', {
    ...change,
    input: z.object({ clientPolicy: text, revision: revision.optional() }),
  }),
  /** Lists the last 20 client policies, oldest first. */
  searchOldClientPolicies: get('/OldClientPolicies', oldConfigs),
})
