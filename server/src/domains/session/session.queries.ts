// Sessions and temporary tokens as rows, found by the hash of their token.
import type { SignInType } from '@acc/contract/labels/history'
import { type Expression, type Insertable, type SqlBool, sql } from 'kysely'
import { highestLevels, isSubstitute } from '../../core/grants.ts'
import { rightsRevision } from '../../core/rights.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { Sessions, SignIns, TmpTokens } from '../../db/schema.gen.ts'
import { type StatementPool, statement } from '../../db/statement.ts'
import type { EndedSignIn } from './signIns.ts'

const selectSession = statement('session', (db, tokenHash: Expression<Buffer>) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.idx', 'sessions.userIdx')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .select([
      'sessions.idx as sessionIdx',
      'sessions.kind',
      'sessions.deviceIdx',
      'sessions.lastSeenDT',
      'sessions.limitDT',
      'sessions.expireDT as sessionExpireDT',
      'sessions.endDT',
      'sessions.endReason',
      'users.idx',
      'users.id',
      'users.name',
      'users.email',
      'users.groupIdx',
      'users.isAdmin',
      'users.state',
      'users.loginFails',
      'users.otpFails',
      'users.isMortal',
      'users.expireDT',
      'users.loginType',
      'users.pwSetDT',
      'groups.name as groupName',
      highestLevels(sql.ref('users.idx')).as('levels'),
      isSubstitute(sql.ref('users.idx')).as('isSubstitute'),
    ])
    .select(rightsRevision.as('rightsRevision'))
    .where('sessions.tokenHash', '=', tokenHash),
)
/** Finds a token's session, open or ended, with its person and their levels. Every call begins with it. */
export const findSession = async (sessions: StatementPool, tokenHash: Buffer) =>
  (await selectSession(sessions, tokenHash))[0]

type NewSession = Omit<Insertable<Sessions>, 'signInIdx' | 'signInDT'>

/**
 * Inserts a session with its row of the sign-in log. Returns the person's other open sessions, except for the `kept`
 * most recently used ones, as they were before the statement.
 */
export const insertSession = (
  tx: Tx,
  session: NewSession,
  signIn: Insertable<SignIns>,
  kept: number,
): Promise<{ idx: number }[]> =>
  tx
    .with('signIn', (db) => db.insertInto('signIns').values(signIn).returning(['idx', 'loginDT']))
    .with('opened', (db) =>
      db.insertInto('sessions').values((eb) => ({
        ...session,
        signInIdx: eb.selectFrom('signIn').select('signIn.idx'),
        signInDT: eb.selectFrom('signIn').select('signIn.loginDT'),
      })),
    )
    .selectFrom('sessions')
    .select('idx')
    .where('userIdx', '=', session.userIdx)
    .where('endDT', 'is', null)
    .orderBy('lastSeenDT', 'desc')
    .orderBy('idx', 'desc')
    .offset(kept)
    .execute()

export async function findSessionIdx(db: Reader, tokenHash: Buffer): Promise<number | undefined> {
  const row = await db.selectFrom('sessions').select('idx').where('tokenHash', '=', tokenHash).executeTakeFirst()
  return row?.idx
}

export const findOpenSession = (db: Reader, tokenHash: Buffer, now: Date): Promise<{ userIdx: number } | undefined> =>
  db
    .selectFrom('sessions')
    .select('userIdx')
    .where('tokenHash', '=', tokenHash)
    .where('endDT', 'is', null)
    .where('expireDT', '>', now)
    .executeTakeFirst()

export const findSealedProviderLogout = (db: Reader, idx: number) =>
  db
    .selectFrom('sessions')
    .select(['tokenHash', 'providerLogout'])
    .where('idx', '=', idx)
    .where('endDT', 'is', null)
    .executeTakeFirst()

/** Keeps an open session open. */
export const updateSessionSeen = (tx: Tx, idx: number, at: Date, expireDT: Date) =>
  tx
    .updateTable('sessions')
    .set({ lastSeenDT: at, expireDT })
    .where('idx', '=', idx)
    .where('endDT', 'is', null)
    .execute()

export type EndReason = 'signedOut' | 'ended'
export type EndedSession = EndedSignIn & { idx: number; userIdx: number }
/** Selects a session with its descendants, or sessions of people. `except` and `keeps` exclude some of these. */
export type SessionSelection = {
  family?: number
  userIdxes?: readonly number[]
  except?: number | undefined
  keeps?: readonly SignInType[]
}

/** Builds the condition that a session, or the first of its ancestors, was opened by one of these sign-ins. */
const wasOpenedBy = (types: readonly SignInType[]) => sql<SqlBool>`exists (select from sessions root
  join "signIns" s on s.idx = root."signInIdx" and s."loginDT" = root."signInDT"
  where root.idx = coalesce(sessions.ancestors[1], sessions.idx) and s.type = any(${types}))`

const endedColumns = ['idx', 'signInIdx', 'signInDT', 'endDT', 'userIdx'] as const

const updateOpenSessions = (tx: Tx, at: Date, reason: EndReason) =>
  tx.updateTable('sessions').set({ endDT: at, endReason: reason, providerLogout: null }).where('endDT', 'is', null)

/** Ends open sessions and returns them. */
export const updateSessionsEnded = (
  tx: Tx,
  { family, userIdxes, except, keeps }: SessionSelection,
  at: Date,
  reason: EndReason,
): Promise<EndedSession[]> =>
  updateOpenSessions(tx, at, reason)
    .$if(family !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('idx', '=', family ?? 0),
          // The condition of the index on ancestors, then the lookup in it.
          sql<SqlBool>`ancestors <> '{}' and ancestors @> array[${family}::bigint]`,
        ]),
      ),
    )
    .$if(userIdxes !== undefined, (query) => query.where('userIdx', '=', sql<number>`any(${userIdxes})`))
    .$if(except !== undefined, (query) => query.where('idx', '!=', except ?? 0))
    .$if(keeps !== undefined, (query) => query.where(({ not }) => not(wasOpenedBy(keeps ?? []))))
    .returning(endedColumns)
    .execute()

/** Shortens open sessions of people without an OTP setting of their own. */
export const updateLimits = (tx: Tx, keeps: readonly SignInType[], latest: Date) =>
  tx
    .updateTable('sessions')
    .set({ limitDT: latest, expireDT: sql<Date>`least("expireDT", ${latest})` })
    .where('endDT', 'is', null)
    .where('limitDT', '>', latest)
    .where(sql<SqlBool>`exists (select from users u where u.idx = sessions."userIdx" and u."useOtp" is null)`)
    .where(({ not }) => not(wasOpenedBy(keeps)))
    .execute()

/** Ends the sessions of expired accounts. */
export const updateExpiredAccountsEnded = (tx: Tx, at: Date, today: string): Promise<EndedSession[]> =>
  updateOpenSessions(tx, at, 'ended')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('users')
          .select('users.idx')
          .whereRef('users.idx', '=', 'sessions.userIdx')
          .where('users.isMortal', '=', 1)
          .where('users.expireDT', '<', today),
      ),
    )
    .returning(endedColumns)
    .execute()

/** Ends browser sessions opened by a desktop client whose PC is no longer registered. */
export const updateOrphansEnded = (tx: Tx, userIdxes: readonly number[], at: Date): Promise<EndedSession[]> =>
  updateOpenSessions(tx, at, 'ended')
    .where('kind', '=', 'web')
    .where('userIdx', '=', sql<number>`any(${userIdxes})`)
    .where(
      sql<SqlBool>`exists (select from sessions client
        where client.idx = any(sessions.ancestors) and client.kind = 'client' and client."deviceIdx" is null)`,
    )
    .returning(endedColumns)
    .execute()

/** Ends the browser sessions of supplier staff that no desktop client opened. */
export const updatePartnersEnded = (tx: Tx, at: Date): Promise<EndedSession[]> =>
  updateOpenSessions(tx, at, 'ended')
    .where('kind', '=', 'web')
    .where(
      sql<SqlBool>`exists (select from users u
        join groups g on g.idx = u."groupIdx"
        join groups dms on dms."isDmsParent" = 1 and dms.idx = any(g.path) and dms.idx <> g.idx
        where u.idx = sessions."userIdx")`,
    )
    .where(
      sql<SqlBool>`not exists (select from sessions client
        where client.idx = any(sessions.ancestors) and client.kind = 'client')`,
    )
    .returning(endedColumns)
    .execute()

/** Ends idle sessions as of the moment when they expired. */
export const updateSessionsExpired = (tx: Tx, now: Date): Promise<EndedSignIn[]> =>
  tx
    .updateTable('sessions')
    .set((eb) => ({ endDT: eb.ref('expireDT'), endReason: 'expired', providerLogout: null }))
    .where('endDT', 'is', null)
    .where('expireDT', '<=', now)
    .returning(['signInIdx', 'signInDT', 'endDT'])
    .execute()

export const deleteSessionsEndedBefore = (tx: Tx, before: Date) =>
  tx.deleteFrom('sessions').where('endDT', '<', before).execute()

/** Finds a person's open sessions, the newest first, without those of removed PCs. */
export const findOpenSessions = (db: Reader, userIdx: number) =>
  db
    .selectFrom('sessions')
    .leftJoin('devices', 'devices.idx', 'sessions.deviceIdx')
    .select([
      'sessions.idx',
      'sessions.kind',
      'sessions.ip',
      'sessions.userAgent',
      'devices.deviceName',
      'sessions.createDT as loginDT',
      'sessions.lastSeenDT',
    ])
    .where('sessions.userIdx', '=', userIdx)
    .where('sessions.endDT', 'is', null)
    .where((eb) => eb.or([eb('sessions.kind', '=', 'web'), eb('sessions.deviceIdx', 'is not', null)]))
    .orderBy('sessions.idx', 'desc')
    .execute()

export const insertTmpToken = (tx: Tx, token: Insertable<TmpTokens>) =>
  tx.insertInto('tmpTokens').values(token).execute()

export type TmpTokenPurpose = 'portal' | 'dms'
/** The session that a token or another session comes from. */
export type ParentSession = { idx: number; ancestors: number[]; limitDT: Date }

export async function findTmpTokenOwner(db: Reader, tokenHash: Buffer): Promise<number | undefined> {
  const token = db.selectFrom('tmpTokens').select('userIdx').where('tokenHash', '=', tokenHash)
  return (await token.executeTakeFirst())?.userIdx
}

/** Locks and returns a valid token with the session that created it. Of two callers at once, one finds it deleted. */
export const lockTmpToken = (tx: Tx, tokenHash: Buffer, now: Date) =>
  tx
    .selectFrom('tmpTokens as token')
    .innerJoin('sessions', 'sessions.idx', 'token.sessionIdx')
    .select(['token.fromClient', 'token.purpose'])
    .select(['sessions.idx', 'sessions.ancestors', 'sessions.limitDT'])
    .where('token.tokenHash', '=', tokenHash)
    .where('token.expireDT', '>', now)
    .where('sessions.endDT', 'is', null)
    .where('sessions.expireDT', '>', now)
    .forUpdate('token')
    .executeTakeFirst()

export const deleteTmpToken = (tx: Tx, tokenHash: Buffer) =>
  tx.deleteFrom('tmpTokens').where('tokenHash', '=', tokenHash).execute()

export const deleteTmpTokensOf = (tx: Tx, sessionIdxes: readonly number[]) =>
  tx.deleteFrom('tmpTokens').where('sessionIdx', '=', sql<number>`any(${sessionIdxes})`).execute()

export const deleteTmpTokensBefore = (tx: Tx, now: Date) =>
  tx.deleteFrom('tmpTokens').where('expireDT', '<=', now).execute()
