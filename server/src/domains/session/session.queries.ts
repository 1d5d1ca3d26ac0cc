// Sessions as rows: found by the hash of their token, slid forward while used, ended with a reason that their owner is told.
import { type Expression, sql } from 'kysely'
import { highestLevels } from '../../core/grants.ts'
import { rightsRevision } from '../../core/rights.ts'
import type { Database, Reader, Tx } from '../../db/open.ts'
import { type StatementPool, statement } from '../../db/statement.ts'
import type { EndedSession } from './signIns.ts'

const selectSession = statement('session', (db, tokenHash: Expression<Buffer>) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.idx', 'sessions.userIdx')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .select([
      'sessions.idx as sessionIdx',
      'sessions.kind',
      'sessions.deviceIdx',
      'sessions.createDT',
      'sessions.lastSeenDT',
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
      'users.isMortal',
      'users.expireDT',
      'users.pwSetDT',
      'groups.name as groupName',
      highestLevels(sql.ref('users.idx')).as('levels'),
    ])
    .select(rightsRevision.as('rightsRevision'))
    .where('sessions.tokenHash', '=', tokenHash),
)
/** The session of a token with its person and their levels, open or not. Every call begins with it. */
export const findSession = async (sessions: StatementPool, tokenHash: Buffer) =>
  (await selectSession(sessions, tokenHash))[0]

type NewSession = {
  tokenHash: Buffer
  kind: 'web' | 'client'
  userIdx: number
  deviceIdx: number | null
  signIn: { idx: number; loginDT: Date }
  ip: string
  userAgent: string
  at: Date
  expireDT: Date
}

export const insertSession = (tx: Tx, session: NewSession) =>
  tx
    .insertInto('sessions')
    .values({
      tokenHash: session.tokenHash,
      kind: session.kind,
      userIdx: session.userIdx,
      deviceIdx: session.deviceIdx,
      signInIdx: session.signIn.idx,
      signInDT: session.signIn.loginDT,
      ip: session.ip,
      userAgent: session.userAgent,
      createDT: session.at,
      lastSeenDT: session.at,
      expireDT: session.expireDT,
    })
    .returning('idx')
    .executeTakeFirstOrThrow()

/** Keeps a session open. Not a change that the history knows of, so it needs no transaction with anything else. */
export const updateSessionSeen = (db: Database, idx: number, at: Date, expireDT: Date) =>
  db.write
    .updateTable('sessions')
    .set({ lastSeenDT: at, expireDT })
    .where('idx', '=', idx)
    .where('endDT', 'is', null)
    .execute()

type Which = { idx?: number; tokenHash?: Buffer; userIdxes?: readonly number[]; except?: number | undefined }

/** Ends open sessions: one by its idx or token, or all of some people's but one. Answers what their sign-in rows are completed with. */
export function updateSessionsEnded(
  tx: Tx,
  { idx, tokenHash, userIdxes, except }: Which,
  at: Date,
  reason: 'signedOut' | 'ended',
): Promise<(EndedSession & { idx: number; userIdx: number })[]> {
  return tx
    .updateTable('sessions')
    .set({ endDT: at, endReason: reason })
    .where('endDT', 'is', null)
    .$if(idx !== undefined, (query) => query.where('idx', '=', idx ?? 0))
    .$if(tokenHash !== undefined, (query) => query.where('tokenHash', '=', tokenHash ?? Buffer.of()))
    .$if(userIdxes !== undefined, (query) => query.where('userIdx', '=', sql<number>`any(${userIdxes})`))
    .$if(except !== undefined, (query) => query.where('idx', '!=', except ?? 0))
    .returning(['idx', 'signInIdx', 'signInDT', 'endDT', 'userIdx'])
    .execute()
}

/** Ends the sessions that fell silent; they count as over from the moment they would have ended. */
export const updateSessionsExpired = (tx: Tx, now: Date): Promise<EndedSession[]> =>
  tx
    .updateTable('sessions')
    .set((eb) => ({ endDT: eb.ref('expireDT'), endReason: 'expired' }))
    .where('endDT', 'is', null)
    .where('expireDT', '<=', now)
    .returning(['signInIdx', 'signInDT', 'endDT'])
    .execute()

export const deleteSessionsEndedBefore = (tx: Tx, before: Date) =>
  tx.deleteFrom('sessions').where('endDT', '<', before).execute()

/** A person's open sign-ins, the newest first. A removed PC's session is over but for the call that tells it so (162). */
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

export const insertTmpToken = (
  tx: Tx,
  token: { tokenHash: Buffer; userIdx: number; sessionIdx: number; fromClient: 0 | 1; expireDT: Date },
) => tx.insertInto('tmpTokens').values(token).execute()

/** Takes a temporary token out of the table: whoever gets the row has it, everybody else comes too late. */
export const deleteTmpToken = (tx: Tx, tokenHash: Buffer) =>
  tx
    .deleteFrom('tmpTokens')
    .where('tokenHash', '=', tokenHash)
    .returning(['userIdx', 'fromClient', 'expireDT'])
    .executeTakeFirst()

export const deleteTmpTokensOf = (tx: Tx, sessionIdxes: readonly number[]) =>
  tx.deleteFrom('tmpTokens').where('sessionIdx', '=', sql<number>`any(${sessionIdxes})`).execute()

export const deleteTmpTokensBefore = (tx: Tx, now: Date) =>
  tx.deleteFrom('tmpTokens').where('expireDT', '<=', now).execute()
