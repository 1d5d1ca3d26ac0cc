// Figures of the dashboard, counted over the groups that the viewer covers on each call's page (spec S2 §2.5, §3, §7).
import { z } from 'zod'
import { page } from './core/access.ts'
import { anyMoment, chosenGroups, Empty, flag, idx } from './core/fields.ts'
import { defineRoutes, get } from './core/route.ts'
import { Level } from './labels/access.ts'
import { transfer } from './requestFilter.ts'

/** Maximum length of a range, in days. */
export const MAX_DASHBOARD_DAYS = 400

const Chosen = z.object({ groupIdxes: chosenGroups })

const isPeriod = ({ logSDT, logEDT }: { logSDT: string; logEDT: string }) => {
  const length = Date.parse(logEDT) - Date.parse(logSDT)
  return length > 0 && length <= MAX_DASHBOARD_DAYS * 86_400_000
}
/** Inclusive start and exclusive end. */
const Range = Chosen.extend({ logSDT: anyMoment, logEDT: anyMoment })
const WRONG = { path: ['logEDT'], error: 'period' }
const Period = Range.refine(isPeriod, WRONG)
const OfDirection = Range.extend({ type: transfer }).refine(isPeriod, WRONG)
export type DashboardPeriod = z.output<typeof Period>

/** Requests of one direction by state, of those that were made in the period. */
export const RequestStates = z.object({
  approveCounts: z.int(),
  rejectCounts: z.int(),
  cancelCounts: z.int(),
  /** Requests that wait for a decision: their files are complete. */
  requestCounts: z.int(),
  /** Undecided requests that wait for their files; none of the other counts includes them. */
  uploadCounts: z.int(),
  /** Auto-approved requests; none of the other counts includes them. */
  allowCounts: z.int(),
})
export type RequestStates = z.output<typeof RequestStates>

/** Each account is in one count: suspended before expired before a temporary password. */
export const UserStates = z.object({
  normalCounts: z.int(),
  newCounts: z.int(),
  expiredCounts: z.int(),
  disabledCounts: z.int(),
})
export type UserStates = z.output<typeof UserStates>

export const RequestMonth = z.object({
  /** YYYY-MM in the caller's time zone. */
  dt: z.string(),
  /** Requests in any state. */
  count: z.int(),
  /** Bytes of their files. */
  size: z.int(),
})
export type RequestMonth = z.output<typeof RequestMonth>

/** Requests that were made in a week, by how they ended so far. */
export const DecisionWeek = z.object({
  /** YYYY-MM-DD of its Monday in the caller's time zone. */
  dt: z.string(),
  approveCounts: z.int(),
  rejectCounts: z.int(),
  cancelCounts: z.int(),
  /**
   * Median seconds from the arrival of the files to the decision, of the newest MAX_TIMED_DECISIONS of the week; null
   * without any.
   */
  waitSeconds: z.int().nullable(),
})
export type DecisionWeek = z.output<typeof DecisionWeek>
export const MAX_TIMED_DECISIONS = 500

/** What groups are compared by: the history that shows the rows. */
export const TOP_GROUP_KINDS = ['clientLogin', 'fileExport', 'fileImport'] as const
export type TopGroupKind = (typeof TOP_GROUP_KINDS)[number]
/** Groups that the comparison returns, and the rows that it counts: the newest ones of the period. */
export const MAX_TOP_GROUPS = 5
export const MAX_COMPARED_ROWS = 20_000

export const TopGroups = z.object({
  /** The groups on the first level at which the rows differ, each with all below it; the largest count first. */
  groups: z.array(z.object({ groupIdx: idx, groupName: z.string(), count: z.int() })),
  /** The rows that were counted, also those of other groups. */
  totalCount: z.int(),
})
export type TopGroups = z.output<typeof TopGroups>

/** Days within which a PC was seen, to count as used. */
export const USED_PC_DAYS = 30
/** Client versions that are returned; the remaining ones are only in the total. */
export const MAX_USED_VERSIONS = 5

export const UsedVersions = z.object({
  /** The version on most PCs first. */
  versions: z.array(z.object({ version: z.string(), count: z.int() })),
  totalCount: z.int(),
  /** The version that is deployed; null for none. */
  deployed: z.object({ version: z.string(), count: z.int() }).nullable(),
})
export type UsedVersions = z.output<typeof UsedVersions>

/** What a new installation needs before people can work with it: 1 where it is done. */
export const FirstSteps = z.object({
  /** A mail server or mail service delivers mail: the evaluation outbox does not. */
  mail: flag,
  /** There is a group below the first one. */
  groups: flag,
  /** The policy of the first group was changed, or another group or user has a policy. */
  policy: flag,
  /** There is a user who is no system administrator. */
  people: flag,
  /** Somebody manages a group through an authority. */
  authority: flag,
  /** A client version is deployed. */
  client: flag,
})
export type FirstSteps = z.output<typeof FirstSteps>

const reader = page('log', Level.READ)

export const dashboard = defineRoutes({
  /** Counts successful sign-ins of desktop clients: 24 values, by hour of the day in UTC. */
  findHourlyUserLogins: get('/HourlyUserLogins', {
    input: Period,
    data: z.object({ loginCounts: z.array(z.int()).length(24) }),
    access: reader,
    errors: [],
    shows: ['signIns', 'groups', 'authorities'],
  }),
  /** Counts requests for each month of the period in the caller's time zone (`X-Time-Zone`), months without any too. */
  searchApproveRequests: get('/ApproveRequests', {
    input: OfDirection,
    data: z.object({ approveRequests: z.array(RequestMonth) }),
    access: reader,
    errors: [],
    shows: ['requests', 'groups', 'authorities'],
  }),
  /**
   * Counts requests for each week of the period in the caller's time zone (`X-Time-Zone`) by how they ended, with the
   * time that they waited.
   */
  searchDecisions: get('/RequestDecisions', {
    input: OfDirection,
    data: z.object({ weeks: z.array(DecisionWeek) }),
    access: reader,
    errors: [],
    shows: ['requests', 'groups', 'authorities'],
    assumed: true,
  }),
  /** Finds the groups with most sign-ins or requests in a period. */
  findTopGroups: get('/TopGroups', {
    input: Range.extend({ kind: z.enum(TOP_GROUP_KINDS) }).refine(isPeriod, WRONG),
    data: TopGroups,
    access: reader,
    errors: [],
    shows: ['signIns', 'requests', 'groups', 'authorities'],
    assumed: true,
  }),
  /** Counts the PCs that were seen in the last 30 days by the version of their client. */
  findUsedVersions: get('/UsedClientVersions', {
    input: Chosen,
    data: UsedVersions,
    access: reader,
    errors: [],
    shows: ['signIns', 'licenses', 'users', 'clientVersions', 'groups', 'authorities'],
    assumed: true,
  }),
  /** Counts import requests of a period by their state. */
  findFileImportStates: get('/FileImportStates', {
    input: Period,
    data: RequestStates,
    access: page('fileImportApprove', Level.READ),
    errors: [],
    shows: ['requests', 'groups', 'authorities'],
  }),
  /** Counts export requests of a period by their state. */
  findFileExportStates: get('/FileExportStates', {
    input: Period,
    data: RequestStates,
    access: page('fileExportApprove', Level.READ),
    errors: [],
    shows: ['requests', 'groups', 'authorities'],
  }),
  /** Counts users by their state. */
  findUserStates: get('/UserStates', {
    input: Chosen,
    data: UserStates,
    access: page('user', Level.READ),
    errors: [],
    shows: ['users', 'groups', 'authorities'],
  }),
  /** Returns how many licenses are in use. */
  findLicenseStates: get('/LicenseStates', {
    input: Empty,
    data: z.object({ useCount: z.int(), maxCount: z.int() }),
    access: 'admin',
    errors: [],
    shows: ['licenses'],
  }),
  /** Returns which of the first steps are done. */
  findFirstSteps: get('/FirstSteps', {
    input: Empty,
    data: FirstSteps,
    access: 'admin',
    errors: [],
    shows: ['settings', 'groups', 'policies', 'users', 'authorities', 'clientVersions'],
    assumed: true,
  }),
})
