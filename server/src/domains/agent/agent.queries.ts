// Rows behind the connection of a desktop client: its session, its device and its user.
import type { Reader, Tx } from '../../db/open.ts'

type Session = { idx: number; sessionIdx: number; deviceIdx: number | null }

/** The registered client version of the session's PC, and whether the user has signed in on another PC since. */
export const findClientState = (db: Reader, { idx, sessionIdx, deviceIdx }: Session, now: Date) =>
  db
    .selectFrom('users')
    .leftJoin('devices', (join) => join.onRef('devices.userIdx', '=', 'users.idx').on('devices.idx', '=', deviceIdx))
    .select(['users.isSinglePC', 'devices.clientVersion'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('sessions')
          .select('sessions.idx')
          .whereRef('sessions.userIdx', '=', 'users.idx')
          .where('sessions.kind', '=', 'client')
          .where('sessions.endDT', 'is', null)
          .where('sessions.expireDT', '>', now)
          .where('sessions.idx', '>', sessionIdx)
          // Sessions of removed PCs have no device.
          .where('sessions.deviceIdx', '!=', deviceIdx),
      ).as('isElsewhere'),
    )
    .where('users.idx', '=', idx)
    .executeTakeFirstOrThrow()

/** Records the sign-in; the account stays locked until the transaction ends. */
export const updateClientLogin = (tx: Tx, userIdx: number, at: Date) =>
  tx.updateTable('users').set({ lastClientLoginDT: at }).where('idx', '=', userIdx).execute()

export const updateClientVersion = (tx: Tx, deviceIdx: number, clientVersion: string) =>
  tx.updateTable('devices').set({ clientVersion }).where('idx', '=', deviceIdx).execute()
