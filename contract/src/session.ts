// Sign-in, sign-out, sessions, and temporary tokens that carry a sign-in to another page (spec S1 §4, §7).
import { z } from 'zod'
import { OTP_ERRORS } from './account.ts'
import type { PageAuth as Levels } from './core/access.ts'
import {
  ByIdx,
  day,
  Empty,
  flag,
  idx,
  level,
  logLevel,
  moment,
  otp,
  password,
  role,
  twoFlags,
  typedId,
} from './core/fields.ts'
import { defineRoutes, del, get, post } from './core/route.ts'

/** The highest level that the viewer holds anywhere, for each page. */
const PageAuth = z.object({
  policy: level,
  user: level,
  fileExportApprove: level,
  fileImportApprove: level,
  log: logLevel,
}) satisfies z.ZodType<Levels>

export const Session = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  idx,
  role,
  /** How the person may sign in: flags of LoginType. */
  loginType: twoFlags,
  pageAuth: PageAuth,
  /** When the password was set; null while the user has only had temporary ones. */
  pwSetDT: moment.nullable(),
  /** Last day of the account; null if it does not expire. */
  expireDT: day.nullable(),
  /** When this session expires without further calls. */
  sessionExpireDT: moment,
  /** Version of the viewer's group rights; it grows when another person changes them. */
  rightsRevision: z.int(),
})
export type Session = z.output<typeof Session>

/** A session that is still open. */
export const OpenSession = z.object({
  idx,
  kind: z.enum(['web', 'client']),
  ip: z.string(),
  userAgent: z.string(),
  deviceName: z.string().nullable(),
  loginDT: moment,
  lastSeenDT: moment,
  isCurrent: flag,
})
export type OpenSession = z.output<typeof OpenSession>

export const TmpToken = z.object({ tmpToken: z.string() })

/** Purpose of a temporary token: a session of the same person, or only their identity. */
export const TmpTokenPurpose = z.enum(['portal', 'dms'])

export const TmpTokenResult = z.discriminatedUnion('result', [
  /** The cookie of a new session was set. */
  z.object({ result: z.literal('signedIn') }),
  /** The browser has a session of another person; the token was not consumed. */
  z.object({ result: z.literal('confirm'), id: z.string(), name: z.string() }),
  /** For the document-security page. No session was opened. */
  z.object({
    result: z.literal('identity'),
    id: z.string(),
    name: z.string(),
    email: z.string(),
    groupName: z.string(),
  }),
])
export type TmpTokenResult = z.output<typeof TmpTokenResult>

const SIGN_IN_LOG = { none: 'the sign-in log keeps it' } as const

export const session = defineRoutes({
  /** Returns who is signed in, with role and levels. */
  find: get('/Account/Session', {
    input: Empty,
    data: Session,
    access: 'session',
    errors: [],
    shows: ['session', 'authorities'],
    slides: false,
  }),
  /** Opens a session. The data of a 110 is an OtpRegistration: the key of the authenticator to register. */
  login: post('/Account/Login', {
    input: z.object({ id: typedId, pw: password, otp: otp.optional() }),
    data: Empty,
    access: 'public',
    errors: [
      'WRONG_CREDENTIALS',
      'PASSWORD_ATTEMPTS_EXCEEDED',
      'ACCOUNT_EXPIRED',
      'LOGIN_TYPE_REFUSED',
      'CLIENT_REQUIRED',
      ...OTP_ERRORS,
    ],
    changes: ['session', 'mails'],
    audit: SIGN_IN_LOG,
  }),
  /** Ends the session. `endSessionUrl`: where the browser also ends the session of the single sign-on provider. */
  logout: post('/Account/Logout', {
    input: Empty,
    data: z.object({ endSessionUrl: z.string().optional() }),
    access: 'session',
    errors: [],
    changes: ['session'],
    audit: SIGN_IN_LOG,
  }),
  /** Returns a temporary token of the caller that is valid once, for a minute. */
  createTmpToken: post('/Account/CreateTmpToken', {
    input: z.object({ purpose: TmpTokenPurpose.default('portal') }),
    data: TmpToken,
    access: 'session',
    errors: [],
    changes: [],
    audit: { none: 'the token is void after a minute; its use is a sign-in' },
  }),
  /** Exchanges a temporary token for a session, or for the identity of its person. */
  consumeTmpToken: post('/Account/ConsumeTmpToken', {
    /** `replaces`: the person agreed to replace the browser's current session. */
    input: z.object({ tmpToken: z.string().min(1).max(200), replaces: flag.default(0) }),
    data: TmpTokenResult,
    access: 'public',
    errors: ['ACCOUNT_EXPIRED', 'PASSWORD_ATTEMPTS_EXCEEDED', 'OTP_ATTEMPTS_EXCEEDED', 'CLIENT_REQUIRED'],
    changes: ['session'],
    audit: SIGN_IN_LOG,
  }),
  /** Lists the caller's own sessions, newest first. */
  search: get('/Account/Sessions', {
    input: Empty,
    data: z.object({ sessions: z.array(OpenSession) }),
    access: 'session',
    errors: [],
    shows: ['session'],
    assumed: true,
  }),
  /** Ends one of the caller's own sessions. */
  end: del('/Account/Session', {
    input: ByIdx,
    data: Empty,
    access: 'session',
    errors: [],
    changes: ['session'],
    audit: SIGN_IN_LOG,
    assumed: true,
  }),
  /** Ends all of the caller's own sessions except the current one. */
  endOthers: del('/Account/Sessions', {
    input: Empty,
    data: Empty,
    access: 'session',
    errors: [],
    changes: ['session'],
    audit: SIGN_IN_LOG,
    assumed: true,
  }),
})
