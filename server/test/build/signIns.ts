// Inserts rows of the sign-in log: `buildSignIns(app, employee, [{ type: 8 }, { ip: '10.0.0.7' }])`.
import type { Insertable } from 'kysely'
import type { Services } from '../../src/core/services.ts'
import type { SignIns } from '../../src/db/schema.gen.ts'

/** Inserts sign-ins of a desktop client, by default successful and now; returns their idxes. */
export async function buildSignIns(
  app: Services,
  user: { idx: number; id: string; name: string; groupIdx: number },
  rows: Partial<Insertable<SignIns>>[],
): Promise<number[]> {
  const { name } = await app.db.read
    .selectFrom('groups')
    .select('name')
    .where('idx', '=', user.groupIdx)
    .executeTakeFirstOrThrow()
  const made = await app.db.write
    .insertInto('signIns')
    .values(
      rows.map((row) => ({
        kind: 'client' as const,
        loginDT: app.clock.now(),
        userIdx: user.idx,
        userId: user.id,
        userName: user.name,
        userGroupName: name,
        groupIdx: user.groupIdx,
        ip: '127.0.0.1',
        userRole: 2 as const,
        type: 0 as const,
        clientVersion: '1.0.0',
        deviceName: 'PC',
        ...row,
      })),
    )
    .returning('idx')
    .execute()
  return made.map(({ idx }) => idx)
}
