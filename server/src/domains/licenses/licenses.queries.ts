// Registered PCs as rows.
import type { licenses } from '@acc/contract/licenses'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import { USER_SORTS, USER_TEXTS } from '../../core/userSearch.ts'
import { filterBy } from '../../db/filters.ts'
import { type List, listOf, searchedIn } from '../../db/list.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { Devices } from '../../db/schema.gen.ts'
import { contains, type Reading } from '../../db/search.ts'

export type DeviceRow = Selectable<Devices>

/** Locks a PC of a user against its removal until the transaction ends; undefined if it is not registered. */
export const lockDevice = (tx: Tx, userIdx: number, deviceId: string): Promise<DeviceRow | undefined> =>
  tx
    .selectFrom('devices')
    .selectAll()
    .where('userIdx', '=', userIdx)
    .where('deviceId', '=', deviceId)
    .forNoKeyUpdate()
    .executeTakeFirst()

const selectCount = (db: Reader) => db.selectFrom('devices').select((eb) => eb.fn.countAll<number>().as('count'))

/** Licenses in use. */
export const countDevices = async (db: Reader): Promise<number> =>
  (await selectCount(db).executeTakeFirstOrThrow()).count

export const countDevicesOf = async (db: Reader, userIdx: number): Promise<number> =>
  (await selectCount(db).where('userIdx', '=', userIdx).executeTakeFirstOrThrow()).count

export const insertDevice = (tx: Tx, device: Insertable<Devices>): Promise<DeviceRow> =>
  tx.insertInto('devices').values(device).returningAll().executeTakeFirstOrThrow()

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
export const findDevices = (db: Reader, userIdx: number): Promise<DeviceRow[]> =>
  db.selectFrom('devices').selectAll().where('userIdx', '=', userIdx).orderBy('useDT', 'desc').execute()

/** Removes all registered PCs of users. */
export const deleteDevicesOf = (tx: Tx, userIdxes: readonly number[]): Promise<DeviceRow[]> =>
  tx.deleteFrom('devices').where('userIdx', 'in', userIdxes).returningAll().execute()

type DeletedDevice = {
  user: { idx: number; id: string; name: string; groupIdx: number; groupName: string }
  pc: { idx: number; deviceName: string; ip: string }
}

/** Removes registered PCs and returns those that existed, with their users. */
export async function deleteDevices(tx: Tx, idxes: readonly number[]): Promise<DeletedDevice[]> {
  const rows = await tx
    .deleteFrom('devices')
    .using('users')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .whereRef('users.idx', '=', 'devices.userIdx')
    .where('devices.idx', '=', sql<number>`any(${idxes})`)
    .returning([
      'devices.idx as deviceIdx',
      'devices.deviceName',
      'devices.ip',
      'users.idx',
      'users.id',
      'users.name',
      'users.groupIdx',
    ])
    .returning('groups.name as groupName')
    .execute()
  return rows.map(({ deviceIdx, deviceName, ip, ...user }) => ({ user, pc: { idx: deviceIdx, deviceName, ip } }))
}

type Query = z.output<typeof licenses.searchUses.input>

const shownDevices = (db: Reader) =>
  db
    .selectFrom('devices')
    .innerJoin('users', 'users.idx', 'devices.userIdx')
    .select([
      'devices.idx',
      'devices.deviceName',
      'devices.ip as deviceIp',
      'devices.clientVersion',
      'devices.useDT',
      'users.id as userId',
      'users.name as userName',
      'users.email as userEmail',
      sql<string>`(select g.name from groups g where g.idx = users."groupIdx")`.as('groupName'),
    ])
type ListedDevice = Awaited<ReturnType<ReturnType<typeof shownDevices>['executeTakeFirstOrThrow']>>

const SORTS = {
  idx: sql.ref('devices.idx'),
  userId: USER_SORTS.id,
  userName: USER_SORTS.name,
  userEmail: USER_SORTS.email,
  groupName: USER_SORTS.groupName,
  deviceName: sql`devices."deviceName" collate people`,
  deviceIp: sql.ref('devices.ip'),
  clientVersion: sql`devices."clientVersion" collate people`,
  useDT: sql.ref('devices.useDT'),
}

/** Registered PCs with their users, and the table of the groups where the order needs it. */
const sortedDevices = (db: Reader, { sort }: Query) =>
  shownDevices(db).$if(sort === 'groupName', (query) => query.innerJoin('groups', 'groups.idx', 'users.groupIdx'))

/** Searches the registered PCs with their users. */
export function searchUses(db: Reader, query: Query): List<ListedDevice> {
  const searched = {
    userId: USER_TEXTS.id,
    userName: USER_TEXTS.name,
    groupName: USER_TEXTS.groupName,
    clientVersion: (text: string, reading: Reading) => contains('devices.clientVersion', text, reading),
  }
  const { condition, texts } = filterBy(query, searched, {})
  const matches = sortedDevices(db, query).where(condition)
  return listOf(db, query, { matches, sorts: SORTS, searchIn: searchedIn('devices', texts) })
}
