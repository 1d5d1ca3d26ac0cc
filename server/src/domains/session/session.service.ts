// Signing in and out, and who is behind a request (S1 section 4; design, section 4).
import { FULL_PAGE_AUTH, NO_PAGE_AUTH, type PageAuth, Role } from '@acc/contract/core/access'
import { hasFlag, LoginType, SignInType } from '@acc/contract/enums'
import type { FastifyRequest } from 'fastify'
import { days, later, minutes, today } from '../../clock.ts'
import { change, notify, SYSTEM } from '../../core/change.ts'
import type { Actor, ChangeContext, FreeContext } from '../../core/context.ts'
import { Failure, fail } from '../../core/errors.ts'
import type { HandlerServices, Services } from '../../core/services.ts'
import { hashToken, newToken } from '../../crypto/token.ts'
import type { Tx } from '../../db/open.ts'
import { tokenOf } from '../../http/cookies.ts'
import { type Account, findHeldAccount, isDisabled, isNew } from '../credentials/credentials.queries.ts'
import { findProven, type Proof, provePassword, requireUsable } from '../credentials/prove.ts'
import { dropOldCounts } from '../credentials/throttles.ts'
import {
  deleteSessionsEndedBefore,
  deleteTmpToken,
  deleteTmpTokensBefore,
  deleteTmpTokensOf,
  findSession,
  insertSession,
  insertTmpToken,
  updateSessionSeen,
  updateSessionsEnded,
  updateSessionsExpired,
} from './session.queries.ts'
import { closeSignIns, insertSignIn, LOGOUT, SESSION_EXPIRED } from './signIns.ts'

/** Seconds that a temporary token is good for. */
const TMP_TOKEN_SECONDS = 60
/** Milliseconds after which a session ends however much it is used, and the person signs in again. */
const LONGEST = { web: days(1), client: days(30) }

type Credentials = { id: string; pw: string }
type From = { ip: string; userAgent: string }
type SignInContext = FreeContext<undefined> | ChangeContext<undefined, 'licenseUse' | 'account'>
type Client = { deviceIdx: number; deviceName: string; clientVersion: string }

export const roleOf = (account: Pick<Account, 'isAdmin' | 'isManager'>): Role =>
  account.isAdmin === 1 ? Role.ADMIN : account.isManager ? Role.MANAGER : Role.USER

type Person = Pick<Account, 'id' | 'name' | 'groupName' | 'isAdmin' | 'isManager'> & {
  idx: number | null
  groupIdx: number | null
}
/** Whom an unknown ID stands for in the sign-in log: a row of no group, which administrators alone read. */
const nobody = (id: string): Person => ({
  idx: null,
  id,
  name: '',
  groupIdx: null,
  groupName: '',
  isAdmin: 0,
  isManager: false,
})

const signInOf = (account: Person, from: From, kind: 'web' | 'client', type: SignInType, client?: Partial<Client>) => ({
  kind,
  type,
  userIdx: account.idx,
  userId: account.id,
  userName: account.name,
  userGroupName: account.groupName,
  groupIdx: account.groupIdx,
  ip: from.ip,
  userRole: roleOf(account),
  clientVersion: client?.clientVersion ?? '',
  deviceName: client?.deviceName ?? '',
})

/** Proves a password for a sign-in; failures, of unknown IDs too, are in the sign-in log before they are answered. */
export const proveSignIn = (
  ctx: SignInContext,
  input: Credentials,
  kind: 'web' | 'client',
  client?: Omit<Client, 'deviceIdx'>,
): Promise<Proof> =>
  provePassword(ctx, { ...input, ip: ctx.ip }, (tx, { id, account, isExceeded }) => {
    const type = isExceeded ? SignInType.PW_DISABLED : SignInType.PW_FAILED
    return insertSignIn(tx, ctx.app.clock.now(), signInOf(account ?? nobody(id), ctx, kind, type, client))
  })

/** Writes down that a right password opened no session: for what the account, its PC or the licences are. */
export const logRefusal = (
  ctx: SignInContext,
  account: Account,
  kind: 'web' | 'client',
  client?: Partial<Client>,
): Promise<unknown> =>
  ctx.record((tx) => insertSignIn(tx, ctx.app.clock.now(), signInOf(account, ctx, kind, SignInType.REFUSED, client)))

/** Ends the call unless the proven account may sign in with its password: states of S1 section 4, login type, own password. */
export function requireSignIn({ account, usedTemporary }: Proof, app: HandlerServices): void {
  requireUsable(account, app.env, today(app.clock))
  if (!hasFlag(account.loginType, LoginType.DEFAULT)) fail('LOGIN_TYPE_REFUSED')
  if (isNew(account) || usedTemporary) fail('PASSWORD_CHANGE_REQUIRED')
}

/** Opens a session with its sign-in row; answers the token, which is kept nowhere. */
export async function openSession(
  tx: Tx,
  app: HandlerServices,
  account: Account,
  from: From,
  client?: Client,
): Promise<string> {
  const token = newToken()
  const at = app.clock.now()
  const kind = client === undefined ? 'web' : 'client'
  const signIn = await insertSignIn(tx, at, signInOf(account, from, kind, SignInType.LOGIN, client))
  await insertSession(tx, {
    tokenHash: hashToken(token),
    kind,
    userIdx: account.idx,
    deviceIdx: client?.deviceIdx ?? null,
    signIn,
    ip: from.ip,
    userAgent: from.userAgent,
    at,
    expireDT: later(at, minutes(app.env.sessionMinutes)),
  })
  return token
}

/** Opens a browser's session; the one that it had before, whose token it forgets now, ends. */
async function openInPlaceOf(tx: Tx, ctx: FreeContext<undefined>, account: Account, former: string | undefined) {
  if (former !== undefined) await end(tx, ctx.app, { tokenHash: hashToken(former) }, 'signedOut')
  return openSession(tx, ctx.app, account, ctx)
}

/** Signs in with ID and password from a browser that had the `former` token; answers the session's token. */
export async function signIn(ctx: FreeContext<undefined>, input: Credentials, former?: string): Promise<string> {
  const { app } = ctx
  const proof = await proveSignIn(ctx, input, 'web')
  try {
    return await ctx.change(async (tx) => {
      const account = await findProven(tx, proof, app.env)
      requireSignIn({ ...proof, account }, app)
      // Last of all: supplier staff change a temporary password in the portal, which opens no session.
      if (account.isPartner) fail('CLIENT_REQUIRED')
      return { result: await openInPlaceOf(tx, ctx, account, former) }
    })
  } catch (error) {
    if (error instanceof Failure) await logRefusal(ctx, proof.account, 'web')
    throw error
  }
}

type Which = Parameters<typeof updateSessionsEnded>[1]

/** Ends sessions, closes their log rows and tells their open screens. */
async function end(tx: Tx, app: HandlerServices, which: Which, reason: 'signedOut' | 'ended'): Promise<number> {
  const ended = await updateSessionsEnded(tx, which, app.clock.now(), reason)
  // A temporary token carries a sign-in on: with a session that is over, nobody comes back.
  await deleteTmpTokensOf(
    tx,
    ended.map((session) => session.idx),
  )
  await closeSignIns(tx, ended, LOGOUT)
  for (const userIdx of new Set(ended.map((session) => session.userIdx)))
    await notify(tx, { topic: 'session', userIdx })
  return ended.length
}

/** Ends one session of a person by their own wish. */
export const endSession = async (tx: Tx, app: HandlerServices, idx: number): Promise<void> =>
  void (await end(tx, app, { idx }, 'signedOut'))

/** Ends the caller's other sessions by their own wish. */
export const endOtherSessions = async (ctx: FreeContext<Actor>): Promise<Record<string, never>> => {
  const { idx, sessionIdx } = ctx.actor
  return ctx.change(async (tx) => {
    await end(tx, ctx.app, { userIdxes: [idx], except: sessionIdx }, 'signedOut')
    return { result: {} }
  })
}

/** Ends people's sessions because their accounts changed: password, state, role, authority. `except` goes on. */
export async function endSessionsOf(
  tx: Tx,
  app: HandlerServices,
  userIdxes: number | readonly number[],
  except?: number,
): Promise<void> {
  await end(tx, app, { userIdxes: typeof userIdxes === 'number' ? [userIdxes] : userIdxes, except }, 'ended')
}

/** Ends one session of somebody else; false where that person has no such session open. */
export const endSessionOf = async (tx: Tx, app: HandlerServices, userIdx: number, idx: number): Promise<boolean> =>
  (await end(tx, app, { userIdxes: [userIdx], idx }, 'ended')) > 0

/** Makes a token that opens the console once within a minute, signed in as the caller. */
export async function createTmpToken(ctx: FreeContext<Actor>): Promise<{ tmpToken: string }> {
  const token = newToken()
  const expireDT = later(ctx.app.clock.now(), TMP_TOKEN_SECONDS * 1000)
  await ctx.change(async (tx) => {
    const fromClient = ctx.actor.kind === 'client' ? 1 : 0
    const { idx: userIdx, sessionIdx } = ctx.actor
    await insertTmpToken(tx, { tokenHash: hashToken(token), userIdx, sessionIdx, fromClient, expireDT })
    return { result: undefined }
  })
  return { tmpToken: token }
}

/** Turns a temporary token into a session, in place of the `former` one. Two at once: one gets it, the other 960. */
export async function consumeTmpToken(ctx: FreeContext<undefined>, tmpToken: string, former?: string): Promise<string> {
  const { app } = ctx
  return ctx.change(async (tx) => {
    const taken = await deleteTmpToken(tx, hashToken(tmpToken))
    if (taken === undefined || taken.expireDT <= app.clock.now()) fail('NO_SESSION')
    const account = await findHeldAccount(tx, taken.userIdx)
    if (account === undefined) fail('NO_SESSION')
    requireUsable(account, app.env, today(app.clock))
    if (isNew(account)) fail('PASSWORD_CHANGE_REQUIRED')
    if (account.isPartner && taken.fromClient === 0) fail('CLIENT_REQUIRED')
    return { result: await openInPlaceOf(tx, ctx, account, former) }
  })
}

const REASONS = { signedOut: 'NO_SESSION', expired: 'SESSION_EXPIRED', ended: 'SESSION_ENDED' } as const

/** Who is behind a request. Ends the call with 961 or 962 where the session is over, 102 or 103 where the account is. */
export async function findActor(app: Services, request: FastifyRequest, slides: boolean): Promise<Actor | undefined> {
  const token = tokenOf(request, app.env.publicUrl)
  if (token === undefined) return undefined
  const found = await findSession(app.db.sessions, hashToken(token))
  if (found === undefined) return undefined
  const now = app.clock.now()
  if (found.endReason !== null) fail(REASONS[found.endReason])
  if (found.sessionExpireDT <= now) fail('SESSION_EXPIRED')
  if (isDisabled(found)) fail('ACCOUNT_DISABLED')
  const pageAuth: PageAuth = found.isAdmin === 1 ? FULL_PAGE_AUTH : (found.levels ?? NO_PAGE_AUTH)
  const isManager = Object.values(pageAuth).some((level) => level > 0)
  if (found.isMortal === 1 && found.expireDT !== null && found.expireDT < today(app.clock)) fail('ACCOUNT_EXPIRED')
  const validMs = minutes(app.env.sessionMinutes)
  const last = later(found.createDT, LONGEST[found.kind])
  const expireDT = new Date(Math.min(later(now, validMs).getTime(), last.getTime()))
  // A removed PC calls in vain: that must not keep its session.
  const isRemoved = found.kind === 'client' && found.deviceIdx === null
  // Written once in a twentieth of the session's length, not at every call.
  if (slides && !isRemoved && now.getTime() - found.lastSeenDT.getTime() > validMs / 20) {
    await updateSessionSeen(app.db, found.sessionIdx, now, expireDT)
  }
  return { ...found, role: roleOf({ isAdmin: found.isAdmin, isManager }), pageAuth }
}

/** The minute's work: silent sessions end, old tokens and counters go. */
export async function endSilentSessions(app: Services): Promise<void> {
  const now = app.clock.now()
  await change(app.db, { author: SYSTEM, now: () => now }, async (tx) => {
    await closeSignIns(tx, await updateSessionsExpired(tx, now), SESSION_EXPIRED)
    await deleteSessionsEndedBefore(tx, later(now, -days(1)))
    await deleteTmpTokensBefore(tx, now)
    return { result: undefined }
  })
  await dropOldCounts(app.db, now)
}
