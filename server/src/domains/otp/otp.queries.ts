// Second factors as rows: the columns of an account, and codes that were mailed.
import type { Insertable, Selectable } from 'kysely'
import type { Reader, Tx } from '../../db/open.ts'
import type { OtpCodes, Users } from '../../db/schema.gen.ts'

export type OtpPurpose = OtpCodes['purpose']

const FACTOR = ['otpSecret', 'otpStep', 'otpPending', 'otpPendingExpireDT', 'otpFails'] as const
export type Factor = Pick<Selectable<Users>, (typeof FACTOR)[number]>

/** Locks an account and returns its factor. Of two codes at once, the second one sees the effects of the first one. */
export const lockFactor = (tx: Tx, userIdx: number): Promise<Factor | undefined> =>
  tx.selectFrom('users').select(FACTOR).where('idx', '=', userIdx).forNoKeyUpdate().executeTakeFirst()

export const updateFactor = (tx: Tx, userIdx: number, columns: Partial<Factor>) =>
  tx.updateTable('users').set(columns).where('idx', '=', userIdx).execute()

type Code = Selectable<OtpCodes>

export const findCode = (db: Reader, userIdx: number, purpose: OtpPurpose): Promise<Code | undefined> =>
  db.selectFrom('otpCodes').selectAll().where('userIdx', '=', userIdx).where('purpose', '=', purpose).executeTakeFirst()

/** Stores a code, which replaces the previous one of its purpose. */
export const replaceCode = (tx: Tx, code: Insertable<OtpCodes>) =>
  tx
    .insertInto('otpCodes')
    .values({ ...code, tries: 0 })
    .onConflict((conflict) =>
      conflict.columns(['userIdx', 'purpose']).doUpdateSet((eb) => ({
        codeHash: eb.ref('excluded.codeHash'),
        tries: eb.ref('excluded.tries'),
        sendDT: eb.ref('excluded.sendDT'),
        expireDT: eb.ref('excluded.expireDT'),
      })),
    )
    .execute()

export const updateCodeTried = (tx: Tx, { userIdx, purpose, tries }: Pick<Code, 'userIdx' | 'purpose' | 'tries'>) =>
  tx
    .updateTable('otpCodes')
    .set({ tries: tries + 1 })
    .where('userIdx', '=', userIdx)
    .where('purpose', '=', purpose)
    .execute()

export const deleteCode = (tx: Tx, userIdx: number, purpose: OtpPurpose) =>
  tx.deleteFrom('otpCodes').where('userIdx', '=', userIdx).where('purpose', '=', purpose).execute()
