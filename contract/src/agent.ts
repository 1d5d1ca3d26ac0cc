// The connection of a desktop client: sign-in with a device, heartbeat, policy. Its file requests are in requests.ts.
import { z } from 'zod'
import { OTP_ERRORS } from './account.ts'
import { ClientFile } from './clientVersions.ts'
import {
  clientVersion,
  deviceId,
  deviceName,
  Empty,
  fileSize,
  flag,
  idx,
  otp,
  password,
  typedId,
} from './core/fields.ts'
import { defineRoutes, download, get, post } from './core/route.ts'
import { PolicyContents } from './policies.ts'
import { PolicyShortcuts } from './policyShortcuts.ts'
import { PolicyValues } from './policyValues.ts'

const { policyNetworkExceptions, policyLoopbackExceptions } = PolicyContents.shape
const networkExceptions = z.array(policyNetworkExceptions.element.omit({ idx: true, endDT: true, endReason: true }))

export const AgentPolicy = z.object({
  /** Changes with anything else in this answer, except for the owner's name. */
  revision: z.string(),
  ownerName: z.string(),
  policy: PolicyValues,
  policyNetworkExceptions: networkExceptions,
  policyLocalNetworkExceptions: networkExceptions,
  policyLoopbackExceptions: z.array(policyLoopbackExceptions.element.omit({ idx: true, policyIdx: true })),
  shortcutWebs: z.array(PolicyShortcuts.shape.shortcutWebs.element.omit({ idx: true })),
  shortcutPrograms: z.array(PolicyShortcuts.shape.shortcutPrograms.element.omit({ idx: true })),
  isSinglePC: flag,
  /** XML, with the host server address filled in; empty if none was set. */
  siteConfig: z.string(),
  /** JSON, or JSON after its backslashes are doubled; filled in likewise. */
  clientPolicy: z.string(),
})
export type AgentPolicy = z.output<typeof AgentPolicy>

const SIGN_IN = { none: 'the client sign-in log keeps it' } as const

export const agent = defineRoutes({
  /**
   * Signs a desktop client in, registers its PC and takes a license. The data of a 110 is the key of an
   * authenticator to register.
   */
  login: post('/Agent/Login', {
    input: z.object({
      id: typedId,
      pw: password,
      otp: otp.optional(),
      deviceId,
      deviceName,
      clientVersion,
    }),
    data: z.object({
      token: z.string(),
      user: z.object({ idx, id: z.string(), name: z.string(), email: z.string(), groupName: z.string() }),
      policyRevision: z.string(),
      sessionValidMinutes: z.int(),
    }),
    access: 'public',
    errors: [
      'WRONG_CREDENTIALS',
      'PASSWORD_ATTEMPTS_EXCEEDED',
      'ACCOUNT_EXPIRED',
      'LOGIN_TYPE_REFUSED',
      'NO_LICENSE_LEFT',
      'OTHER_PC',
      ...OTP_ERRORS,
    ],
    changes: ['licenses', 'users', 'signIns', 'session'],
    audit: 'licenseUse',
  }),
  /** Ends the client's session. */
  logout: post('/Agent/Logout', {
    input: Empty,
    data: Empty,
    access: 'agent',
    errors: [],
    changes: ['session'],
    audit: SIGN_IN,
  }),
  /** Keeps the session; returns the revision of the policy and the deployed client version. */
  heartbeat: post('/Agent/Heartbeat', {
    input: z.object({ clientVersion: clientVersion.optional() }),
    data: z.object({
      policyRevision: z.string(),
      /** The deployed version; null before the first deployment. */
      deployedVersion: z.string().nullable(),
      signOut: flag,
    }),
    access: 'agent',
    errors: [],
    changes: [],
    audit: { none: 'keeps a session, changes nothing else' },
  }),
  /**
   * Returns the person's effective policy with exceptions and shortcuts, the client policy and the site
   * configuration.
   */
  findPolicy: get('/Agent/Policy', {
    input: Empty,
    data: AgentPolicy,
    access: 'agent',
    errors: [],
    shows: ['policies', 'shortcuts', 'settings'],
  }),
  /** The deployed version of the client; null as long as none is. */
  findClient: get('/Agent/Client', {
    input: Empty,
    data: z.object({ client: ClientFile.nullable() }),
    access: 'agent',
    errors: [],
    shows: ['clientVersions'],
    assumed: true,
  }),
  /** The bytes of the deployed version from `offset` on; 170 once another version is deployed. */
  downloadClient: download('/Agent/Client/Download', {
    mediaType: 'application/octet-stream',
    input: z.object({ version: ClientFile.shape.version, offset: fileSize.default(0) }),
    data: z.string(),
    access: 'agent',
    errors: ['REQUEST_STATE'],
    audit: { none: 'the program is the same for everybody' },
    assumed: true,
  }),
  /** Returns a temporary token that opens the portal once within a minute. */
  tmpToken: post('/Agent/TmpToken', {
    input: Empty,
    data: z.object({ tmpToken: z.string(), url: z.string() }),
    access: 'agent',
    errors: [],
    changes: [],
    audit: { none: 'the token is void after a minute; its use is a sign-in' },
  }),
})
