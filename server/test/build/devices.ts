// Inserts registered PCs: `buildDevice(app, employee, { deviceName: 'NOTEBOOK' })`.
import type { Insertable } from 'kysely'
import type { Services } from '../../src/core/services.ts'
import type { Devices } from '../../src/db/schema.gen.ts'

let built = 0

/** Inserts a registered PC of a user, by default used now from this host. */
export function buildDevice(
  { db, clock }: Services,
  user: { idx: number },
  columns: Partial<Insertable<Devices>> = {},
) {
  const number = ++built
  const pc = { deviceId: `pc-${number}`, deviceName: `PC ${number}`, clientVersion: '1.0.0', ip: '127.0.0.1' }
  return db.write
    .insertInto('devices')
    .values({ ...pc, userIdx: user.idx, useDT: clock.now(), ...columns })
    .returning(['idx', 'deviceId', 'deviceName', 'clientVersion', 'ip'])
    .executeTakeFirstOrThrow()
}
