// Registered PCs as rows.
import type { Reader, Tx } from '../../db/open.ts'

export type DeviceRow = { idx: number; deviceId: string; deviceName: string; ip: string }
type NewDevice = {
  userIdx: number
  deviceId: string
  deviceName: string
  ip: string
  clientVersion: string
  useDT: Date
}

const COLUMNS = ['idx', 'deviceId', 'deviceName', 'ip'] as const

export const findDevice = (db: Reader, userIdx: number, deviceId: string): Promise<DeviceRow | undefined> =>
  db
    .selectFrom('devices')
    .select(COLUMNS)
    .where('userIdx', '=', userIdx)
    .where('deviceId', '=', deviceId)
    .executeTakeFirst()

export const countDevices = (db: Reader, userIdx: number): Promise<{ total: number; own: number }> =>
  db
    .selectFrom('devices')
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.countAll<number>().filterWhere('userIdx', '=', userIdx).as('own'),
    ])
    .executeTakeFirstOrThrow()

export const insertDevice = (tx: Tx, device: NewDevice): Promise<DeviceRow> =>
  tx.insertInto('devices').values(device).returning(COLUMNS).executeTakeFirstOrThrow()

export const updateDeviceUse = (
  tx: Tx,
  idx: number,
  pc: { deviceName: string; ip: string; clientVersion: string },
  at: Date,
) =>
  tx
    .updateTable('devices')
    .set({ deviceName: pc.deviceName, ip: pc.ip, clientVersion: pc.clientVersion, useDT: at })
    .where('idx', '=', idx)
    .execute()

/** A user's registered PCs, the latest used first. */
export const findDevices = (db: Reader, userIdx: number) =>
  db
    .selectFrom('devices')
    .select([...COLUMNS, 'clientVersion', 'useDT'])
    .where('userIdx', '=', userIdx)
    .orderBy('useDT', 'desc')
    .execute()

/** Removes registered PCs; each gives its licence back. */
export const deleteDevices = (tx: Tx, userIdxes: readonly number[]): Promise<(DeviceRow & { userIdx: number })[]> =>
  tx
    .deleteFrom('devices')
    .where('userIdx', 'in', userIdxes)
    .returning([...COLUMNS, 'userIdx'])
    .execute()
