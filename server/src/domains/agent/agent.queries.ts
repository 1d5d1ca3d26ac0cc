// Rows behind the connection of a desktop client: its session, its device and its user.
import type { Expression } from 'kysely'
import { fail } from '../../core/errors.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { compiledOnce } from '../../db/statement.ts'
import { TEXT_COLUMNS, VERSION_COLUMNS } from '../configTexts/configTexts.queries.ts'
import { LIST_COLUMNS, userPolicy } from '../policies/policies.queries.ts'

type Session = { idx: number; sessionIdx: number; deviceIdx: number | null }

/** Finds the registered client version of the session's PC, and whether the user has signed in on another PC since. */
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
    .executeTakeFirst()

/** Returns the row of a person; none is left of one who was deleted since the call began. */
const requireRow = <O>([row]: readonly O[]): O => row ?? fail('SESSION_ENDED')

const selectClientRow = compiledOnce((db, userIdx: Expression<number>) =>
  userPolicy(db, userIdx).select(VERSION_COLUMNS),
)
/** Finds the columns that the revision of a client's policy depends on, in one statement. */
export const findClientRow = async (db: Reader, userIdx: number) => requireRow(await selectClientRow(db, userIdx))
export type ClientRow = Awaited<ReturnType<typeof findClientRow>>

const selectFullClientRow = compiledOnce((db, userIdx: Expression<number>) =>
  userPolicy(db, userIdx).select([...LIST_COLUMNS, ...VERSION_COLUMNS, ...TEXT_COLUMNS]),
)
/** Finds the same with the lists and the texts. */
export const findFullClientRow = async (db: Reader, userIdx: number) =>
  requireRow(await selectFullClientRow(db, userIdx))

/** Stores the sign-in. The account remains locked until the transaction ends. */
export const updateClientLogin = (tx: Tx, userIdx: number, at: Date) =>
  tx.updateTable('users').set({ lastClientLoginDT: at }).where('idx', '=', userIdx).execute()

export const updateClientVersion = (tx: Tx, deviceIdx: number, clientVersion: string) =>
  tx.updateTable('devices').set({ clientVersion }).where('idx', '=', deviceIdx).execute()
