// Sessions: opened by a sign-in or a temporary token, found at every call, ended with their descendants (spec S1 §4).

import { FULL_PAGE_AUTH, NO_PAGE_AUTH, type PageAuth } from '@acc/contract/core/access'
import type { Empty } from '@acc/contract/core/fields'
import { Level, Role } from '@acc/contract/labels/access'
import { flagOf } from '@acc/contract/labels/flags'
import { SignInType } from '@acc/contract/labels/history'
import { days, later, minutes, today } from '../../clock.ts'
import { notifyAll } from '../../core/change.ts'
import type { Actor, FreeContext, Read } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { personValues } from '../../core/historyValues.ts'
import { asSystem, type Job } from '../../core/job.ts'
import type { HandlerServices, Services } from '../../core/services.ts'
import { hashToken, newToken } from '../../crypto/token.ts'
import type { Tx } from '../../db/open.ts'
import { isExpired, isSuspended } from '../credentials/accountStates.ts'
import { type Account, updateActive } from '../credentials/credentials.queries.ts'
import { deleteVoidCounts } from '../credentials/throttles.ts'
import { sealProviderLogout } from './session.providerLogout.ts'
import {
  deleteSessionsEndedBefore,
  deleteTmpTokensBefore,
  deleteTmpTokensOf,
  type EndedSession,
  type EndReason,
  findOpenSessions,
  findSession,
  findSessionIdx,
  insertSession,
  type ParentSession,
  type SessionSelection,
  updateExpiredAccountsEnded,
  updateLimits,
  updateOrphansEnded,
  updatePartnersEnded,
  updateSessionSeen,
  updateSessionsEnded,
  updateSessionsExpired,
} from './session.queries.ts'
import { closeSignIns, LOGOUT, SESSION_EXPIRED } from './signIns.ts'

/** Maximum length of a session in milliseconds. */
const LONGEST = { web: days(1), client: days(30) }

/** Open sessions that a person may have. Sessions of closed browsers remain open until they are idle for too long. */
const MAX_OPEN = 100

/** Where a call comes from. */
export type Origin = { ip: string; userAgent: string }
export type Device = { deviceIdx: number; deviceName: string; clientVersion: string }

export const roleOf = (account: Pick<Account, 'isAdmin' | 'isManager'>): Role =>
  account.isAdmin === 1 ? Role.ADMIN : account.isManager ? Role.MANAGER : Role.USER

/** The person in a row of the sign-in log; without idx for an unknown ID. */
type LoggedPerson = Pick<Account, 'id' | 'name' | 'groupName' | 'isAdmin' | 'isManager'> & {
  idx: number | null
  groupIdx: number | null
}

export const signInRow = (
  person: LoggedPerson,
  origin: Origin,
  kind: 'web' | 'client',
  type: SignInType,
  device?: Partial<Device>,
) => ({
  kind,
  type,
  userIdx: person.idx,
  ...personValues(person),
  groupIdx: person.groupIdx,
  ip: origin.ip,
  userRole: roleOf(person),
  clientVersion: device?.clientVersion ?? '',
  deviceName: device?.deviceName ?? '',
})

/** Origin of a session: a sign-in, in a browser unless it names a device, or a parent session. */
type SessionOrigin = {
  type?: SignInType
  device?: Device
  parent?: ParentSession
  /** Address at which the provider ends its own session. */
  providerLogout?: string | undefined
}

/**
 * Opens a session with its sign-in row and returns its token, which is stored as a hash only. A session with a `parent`
 * ends no later than the parent. Too many sessions of a person end the least recently used ones.
 */
export async function openSession(
  tx: Tx,
  services: HandlerServices,
  account: Account,
  origin: Origin,
  { type = SignInType.LOGIN, device, parent, providerLogout }: SessionOrigin = {},
): Promise<string> {
  const token = newToken()
  const at = services.clock.now()
  const kind: 'web' | 'client' = device === undefined ? 'web' : 'client'
  const longest = later(at, LONGEST[kind])
  const limitDT = parent !== undefined && parent.limitDT < longest ? parent.limitDT : longest
  await updateActive(tx, account, at)
  const tokenHash = hashToken(token)
  const session = {
    tokenHash,
    kind,
    userIdx: account.idx,
    deviceIdx: device?.deviceIdx ?? null,
    ip: origin.ip,
    userAgent: origin.userAgent,
    createDT: at,
    lastSeenDT: at,
    expireDT: idleEnd(services, at, limitDT),
    limitDT,
    ancestors: parent === undefined ? [] : [...parent.ancestors, parent.idx],
    providerLogout: providerLogout === undefined ? null : sealProviderLogout(services, tokenHash, providerLogout),
  }
  const signIn = { ...signInRow(account, origin, kind, type, device), loginDT: at }
  const unused = await insertSession(tx, session, signIn, MAX_OPEN - 1)
  for (const { idx } of unused) await end(tx, services, { family: idx }, 'ended')
  return token
}

/** Returns the milliseconds between two stored uses of a session. Uses between them are not stored. */
const storeInterval = ({ env }: Pick<Services, 'env'>) => minutes(env.sessionMinutes) / 20

/** Returns when a session ends. It allows for a later use that is not stored. */
function idleEnd(services: Pick<Services, 'env'>, at: Date, limitDT: Date): Date {
  const end = later(at, minutes(services.env.sessionMinutes) + storeInterval(services))
  return end < limitDT ? end : limitDT
}

/** Opens a session in a browser and ends its previous one. */
export async function replaceSession(
  tx: Tx,
  ctx: FreeContext<undefined>,
  account: Account,
  previousToken: string | undefined,
  opening: Omit<SessionOrigin, 'device'>,
): Promise<string> {
  // Ended first, because the new session may come from it.
  const previous = previousToken === undefined ? undefined : await findSessionIdx(tx, hashToken(previousToken))
  if (previous !== undefined) await end(tx, ctx.services, { family: previous }, 'signedOut')
  return openSession(tx, ctx.services, account, ctx, opening)
}

/** Closes the sign-in rows of ended sessions, deletes their tokens and notifies their open screens. */
async function closeEnded(tx: Tx, ended: readonly EndedSession[]): Promise<number> {
  await deleteTmpTokensOf(
    tx,
    ended.map((session) => session.idx),
  )
  await closeSignIns(tx, ended, LOGOUT)
  const userIdxes = [...new Set(ended.map((session) => session.userIdx))]
  await notifyAll(
    tx,
    userIdxes.map((userIdx) => ({ topic: 'session', userIdx })),
  )
  return ended.length
}

const end = async (
  tx: Tx,
  services: Pick<HandlerServices, 'clock'>,
  which: SessionSelection,
  reason: EndReason,
): Promise<number> => closeEnded(tx, await updateSessionsEnded(tx, which, services.clock.now(), reason))

/** Ends the session of the caller. */
export async function endOwnSession(ctx: FreeContext<Actor>): Promise<Empty> {
  await ctx.change(async (tx) => ({
    result: await end(tx, ctx.services, { family: ctx.actor.sessionIdx }, 'signedOut'),
  }))
  return {}
}

/** Ends one of the caller's open sessions, with those that came from it. */
export async function endOneOfOwn(ctx: FreeContext<Actor>, { idx }: { idx: number }): Promise<Empty> {
  const userIdxes = [ctx.actor.idx]
  await ctx.change(async (tx) => {
    if ((await end(tx, ctx.services, { userIdxes, family: idx }, 'signedOut')) === 0) fail('NOT_ALLOWED')
  })
  return {}
}

/** Ends all of the caller's open sessions except the current one. */
export async function endOthersOfOwn(ctx: FreeContext<Actor>): Promise<Empty> {
  const { idx, sessionIdx } = ctx.actor
  await ctx.change(async (tx) => ({
    result: await end(tx, ctx.services, { userIdxes: [idx], except: sessionIdx }, 'signedOut'),
  }))
  return {}
}

/** Returns the caller's open sessions, the newest first. */
export async function listOwnSessions({ actor, read }: Read) {
  const sessions = await findOpenSessions(read, actor.idx)
  return { sessions: sessions.map((session) => ({ ...session, isCurrent: flagOf(session.idx === actor.sessionIdx) })) }
}

/** Ends users' sessions after a change of password, state, role or authority. `except` remains open. */
export async function endSessionsOf(
  tx: Tx,
  services: Pick<HandlerServices, 'clock'>,
  userIdxes: number | readonly number[],
  except?: number,
): Promise<void> {
  await end(tx, services, { userIdxes: typeof userIdxes === 'number' ? [userIdxes] : userIdxes, except }, 'ended')
}

/** Ends users' sessions that none of these sign-ins opened. `except` remains open. */
export async function endSessionsUnless(
  tx: Tx,
  services: Pick<HandlerServices, 'clock'>,
  userIdxes: readonly number[],
  keeps: readonly SignInType[],
  except: number,
): Promise<void> {
  await end(tx, services, { userIdxes, keeps, except }, 'ended')
}

/** Limits sessions of people who follow the login policy to another day, except those of these sign-ins. */
export const limitSessionsUnless = (tx: Tx, { clock }: Pick<HandlerServices, 'clock'>, keeps: readonly SignInType[]) =>
  updateLimits(tx, keeps, later(clock.now(), LONGEST.web))

/** Ends one session of another user; returns false if that user has no such open session. */
export const endSessionOf = async (tx: Tx, services: HandlerServices, userIdx: number, idx: number): Promise<boolean> =>
  (await end(tx, services, { userIdxes: [userIdx], family: idx }, 'ended')) > 0

/** Ends the browser sessions that came from PCs which were removed. */
export const endSessionsOfRemovedDevices = async (
  tx: Tx,
  services: HandlerServices,
  userIdxes: readonly number[],
): Promise<number> => closeEnded(tx, await updateOrphansEnded(tx, userIdxes, services.clock.now()))

/** Ends the sessions that supplier staff could not open (181), after users or groups came below the DMS root. */
export const endSessionsClosedToPartners = async (tx: Tx, services: HandlerServices): Promise<number> =>
  closeEnded(tx, await updatePartnersEnded(tx, services.clock.now()))

const REASONS = { signedOut: 'NO_SESSION', expired: 'SESSION_EXPIRED', ended: 'SESSION_ENDED' } as const

/** Returns the person behind a token. Ended sessions fail with 961 or 962, unusable accounts with 102 or 103. */
export async function findActor(services: Services, token: string, slides: boolean): Promise<Actor | undefined> {
  const { clock, db, env } = services
  const found = await findSession(db.sessions, hashToken(token))
  if (found === undefined) return undefined
  const now = clock.now()
  // Operators may end sessions by a statement, without a reason.
  if (found.endDT !== null) fail(REASONS[found.endReason ?? 'ended'])
  if (found.sessionExpireDT <= now) fail('SESSION_EXPIRED')
  // Failed attempts block new sign-ins only. Otherwise anyone could end another person's session.
  if (isSuspended(found, env)) fail('ACCOUNT_DISABLED')
  if (isExpired(found, today(clock))) fail('ACCOUNT_EXPIRED')
  const pageAuth: PageAuth = found.isAdmin === 1 ? FULL_PAGE_AUTH : (found.levels ?? NO_PAGE_AUTH)
  const isManager = Object.values(pageAuth).some((level) => level > Level.NONE)
  // Refused calls of a removed PC must not extend its session.
  const isRemoved = found.kind === 'client' && found.deviceIdx === null
  if (slides && !isRemoved && now.getTime() - found.lastSeenDT.getTime() > storeInterval(services)) {
    await extendSession(services, found.sessionIdx, now, idleEnd(services, now, found.limitDT))
  }
  return { ...found, role: roleOf({ isAdmin: found.isAdmin, isManager }), pageAuth }
}

const extendSession = (services: Services, idx: number, now: Date, expireDT: Date): Promise<void> =>
  asSystem(services, async (tx) => void (await updateSessionSeen(tx, idx, now, expireDT)))

/** Ends idle sessions and those of expired accounts, and deletes expired tokens and counters. Runs every minute. */
export async function endSilentSessions(services: Services): Promise<void> {
  const { clock } = services
  const now = clock.now()
  await asSystem(services, async (tx) => {
    await closeEnded(tx, await updateExpiredAccountsEnded(tx, now, today(clock)))
    await closeSignIns(tx, await updateSessionsExpired(tx, now), SESSION_EXPIRED)
    await deleteSessionsEndedBefore(tx, later(now, -days(1)))
    await deleteTmpTokensBefore(tx, now)
    await deleteVoidCounts(tx, now)
  })
}

export const sessionJobs: readonly Job[] = [{ name: 'endSilentSessions', cron: '* * * * *', run: endSilentSessions }]
