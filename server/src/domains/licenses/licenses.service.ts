// Licenses: one for each registered PC, taken when a client signs in from a new PC and returned when the PC is removed.
import type { Empty } from '@acc/contract/core/fields'
import { LicenseUse, SettingManage } from '@acc/contract/labels/history'
import { sql } from 'kysely'
import { type HistoryEntry, logOf, notify } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { fail, requireAll } from '../../core/errors.ts'
import { settingLog } from '../../core/settingLog.ts'
import type { Tx } from '../../db/open.ts'
import { updateSetting } from '../../settings/settings.ts'
import { endSessionsOfRemovedDevices } from '../session/session.service.ts'
import { licenseLog } from './licenses.history.ts'
import {
  countDevices,
  countDevicesOf,
  type DeviceRow,
  deleteDevices,
  insertDevice,
  lockDevice,
  updateDeviceUse,
} from './licenses.queries.ts'
import { findDevicesPerUser, findLicense, type LicenseServices } from './licenses.status.ts'

type Holder = { idx: number; id: string; name: string; groupIdx: number; groupName: string; isSinglePC: 0 | 1 }
type Pc = { deviceId: string; deviceName: string; ip: string; clientVersion: string }

// Advisory lock, held until the transaction ends: no two transactions take the last license or replace it at once.
const LICENSE_LOCK = 4_801_001
export const lockLicense = (tx: Tx) => sql`select pg_advisory_xact_lock(${LICENSE_LOCK})`.execute(tx)

/**
 * Registers the user's PC unless it is registered. A new PC takes a license: 160 if none is left, the license has
 * expired or the user has the maximum number of PCs, 161 if the user is limited to another PC. Returns a history row
 * only if a license was taken.
 */
export async function takeLicense(
  tx: Tx,
  services: LicenseServices,
  user: Holder,
  pc: Pc,
): Promise<{ device: DeviceRow; log: HistoryEntry<'licenseUse'>[] }> {
  const useDT = services.clock.now()
  await lockLicense(tx)
  const known = await lockDevice(tx, user.idx, pc.deviceId)
  if (known !== undefined) {
    await updateDeviceUse(tx, known.idx, pc, useDT)
    return { device: known, log: [] }
  }
  const own = await countDevicesOf(tx, user.idx)
  if (user.isSinglePC === 1 && own > 0) fail('OTHER_PC')
  const { maxCount, isExpired } = await findLicense(tx, services)
  const isNoneLeft = isExpired || (await countDevices(tx)) >= maxCount
  if (isNoneLeft || own >= (await findDevicesPerUser(tx))) fail('NO_LICENSE_LEFT')
  const device = await insertDevice(tx, { userIdx: user.idx, ...pc, useDT })
  const { idx, id, name, groupIdx, groupName } = user
  await notify(tx, { topic: 'licenses' })
  await notify(tx, { topic: 'users', idx, groupIdx })
  // The call is public, so that its history would name no one.
  return { device, log: [{ ...licenseLog(LicenseUse.USE, user, pc), actor: { idx, id, name, groupName } }] }
}

/** Removes registered PCs, all or none. Their clients' next call answers 162. */
export function removeUses(ctx: Change<'licenseUse'>, { idxes }: { idxes: number[] }): Promise<Empty> {
  return ctx.change(async (tx) => {
    const devices = await deleteDevices(tx, idxes)
    requireAll(
      idxes,
      devices.map(({ pc }) => pc),
    )
    await endSessionsOfRemovedDevices(tx, ctx.services, [...new Set(devices.map(({ user }) => user.idx))])
    await notify(tx, { topic: 'licenses' })
    for (const groupIdx of new Set(devices.map(({ user }) => user.groupIdx)))
      await notify(tx, { topic: 'users', groupIdx })
    return { result: {}, log: logOf(devices.map(({ user, pc }) => licenseLog(LicenseUse.RETRIEVE, user, pc))) }
  })
}

/** Sets how many PCs one user may register; those registered before stay. */
export function setDevicesPerUser(
  ctx: Change<'settingManage'>,
  { devicesPerUser }: { devicesPerUser: number },
): Promise<Empty> {
  return ctx.change(async (tx) => {
    await lockLicense(tx)
    const before = await findDevicesPerUser(tx)
    if (before === devicesPerUser) return { result: {}, log: 'unchanged' }
    await updateSetting(tx, 'devicesPerUser', devicesPerUser)
    await notify(tx, { topic: 'licenses' })
    const values = { targetValue: String(devicesPerUser), targetOldValue: String(before) }
    return { result: {}, log: [settingLog(SettingManage.SET_DEVICES_PER_USER, 'devicesPerUser', values)] }
  })
}
