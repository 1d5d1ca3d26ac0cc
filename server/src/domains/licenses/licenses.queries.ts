// Registered PCs as rows.
import { FilterType, type Paging } from '@acc/contract/core/paging'
import { type Expression, type SqlBool, sql } from 'kysely'
import { type List, listOf, searchedIn } from '../../db/list.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { contains, nameContains } from '../../db/search.ts'

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

const selectCount = (db: Reader) => db.selectFrom('devices').select((eb) => eb.fn.countAll<number>().as('count'))

/** Licenses in use. */
export const countDevices = async (db: Reader): Promise<number> =>
  (await selectCount(db).executeTakeFirstOrThrow()).count

export const countDevicesOf = async (db: Reader, userIdx: number): Promise<number> =>
  (await selectCount(db).where('userIdx', '=', userIdx).executeTakeFirstOrThrow()).count

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

/** Removes all registered PCs of users. */
export const deleteDevicesOf = (tx: Tx, userIdxes: readonly number[]): Promise<(DeviceRow & { userIdx: number })[]> =>
  tx
    .deleteFrom('devices')
    .where('userIdx', 'in', userIdxes)
    .returning([...COLUMNS, 'userIdx'])
    .execute()

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

type Filter = Paging & {
  filterType: 0 | 1
  userId?: string | undefined
  userName?: string | undefined
  groupName?: string | undefined
  clientVersion?: string | undefined
}
type Condition = Expression<SqlBool>

// An array, since with it each part of an OR has its index: of the groups so named, then of the texts of users.
const inGroupsNamed = (text: string) =>
  sql<SqlBool>`users."groupIdx" = any(array(select g.idx from groups g where ${nameContains('g.name', text)}))`

const conditionsOf = ({ userId = '', userName = '', groupName = '', clientVersion = '' }: Filter): Condition[] => [
  ...(groupName === '' ? [] : [inGroupsNamed(groupName)]),
  ...(userId === '' ? [] : [contains('users.id', userId)]),
  ...(userName === '' ? [] : [nameContains('users.name', userName)]),
  ...(clientVersion === '' ? [] : [contains('devices.clientVersion', clientVersion)]),
]

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
export type ListedDevice = Awaited<ReturnType<ReturnType<typeof shownDevices>['executeTakeFirstOrThrow']>>

const SORTS = {
  idx: sql.ref('devices.idx'),
  userId: sql`lower(users.id)`,
  userName: sql`users.name collate people`,
  userEmail: sql`lower(users.email)`,
  groupName: sql`groups.name collate people`,
  deviceName: sql`devices."deviceName" collate people`,
  deviceIp: sql.ref('devices.ip'),
  clientVersion: sql`devices."clientVersion" collate people`,
  useDT: sql.ref('devices.useDT'),
}

/** Registered PCs with their users, and the table of the groups where the order needs it. */
const sortedDevices = (db: Reader, { sort }: Paging) =>
  shownDevices(db).$if(sort === 'groupName', (query) => query.innerJoin('groups', 'groups.idx', 'users.groupIdx'))

/** Lists the registered PCs with their users. */
export function searchUses(db: Reader, filter: Filter): List<ListedDevice> {
  const { userId, userName, groupName, clientVersion } = filter
  const conditions = conditionsOf(filter)
  return listOf(db, filter, {
    matches: sortedDevices(db, filter).where((eb) =>
      filter.filterType === FilterType.SINGLE && conditions.length > 0 ? eb.or(conditions) : eb.and(conditions),
    ),
    sorts: SORTS,
    searchIn: searchedIn('devices', [userId, userName, groupName, clientVersion]),
  })
}
