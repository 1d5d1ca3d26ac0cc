// What sessions have tested.
import type { Reader, Tx } from '../../db/open.ts'

type MailTestRow = { fields: Buffer; testDT: Date }

export const findMailTest = (db: Reader, sessionIdx: number): Promise<MailTestRow | undefined> =>
  db.selectFrom('mailTests').select(['fields', 'testDT']).where('sessionIdx', '=', sessionIdx).executeTakeFirst()

/** Stores what a session has tested in place of its former test. */
export async function upsertMailTest(tx: Tx, sessionIdx: number, test: MailTestRow): Promise<void> {
  await tx
    .insertInto('mailTests')
    .values({ sessionIdx, ...test })
    .onConflict((conflict) => conflict.column('sessionIdx').doUpdateSet(test))
    .execute()
}

export const deleteMailTest = async (tx: Tx, sessionIdx: number): Promise<void> =>
  void (await tx.deleteFrom('mailTests').where('sessionIdx', '=', sessionIdx).execute())
