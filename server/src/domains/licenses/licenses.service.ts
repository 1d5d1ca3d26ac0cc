// Licences: one per registered PC. Until the customer loads a licence file, the built-in evaluation licence applies.
import { LicenseUse } from '@acc/contract/labels/history'
import { sql } from 'kysely'
import type { HistoryEntry } from '../../core/change.ts'
import { fail } from '../../core/errors.ts'
import type { Tx } from '../../db/open.ts'
import { countDevices, type DeviceRow, findDevice, insertDevice, updateDeviceUse } from './licenses.queries.ts'

/** Devices that the built-in evaluation licence allows. */
export const EVALUATION_DEVICES = 10
/** Licence files come with the settings screens; until then every installation runs on the evaluation licence. */
export const isEvaluation = (): boolean => true

type Holder = { idx: number; id: string; name: string; groupIdx: number; groupName: string; isSinglePC: 0 | 1 }
type Pc = { deviceId: string; deviceName: string; ip: string; clientVersion: string }

/** Returns the history row of an assigned or released licence. */
export const licenseLog = (
  type: 0 | 1,
  user: Omit<Holder, 'isSinglePC'>,
  device: { deviceName: string; ip: string },
): HistoryEntry<'licenseUse'> => ({
  kind: 'licenseUse',
  type,
  subject: user.id,
  subjectIdx: user.idx,
  groupIdx: user.groupIdx,
  detail: {
    userId: user.id,
    userName: user.name,
    userGroupName: user.groupName,
    deviceName: device.deviceName,
    deviceIp: device.ip,
  },
})

// Advisory lock, held until the transaction ends, so that two transactions cannot both take the last licence.
const LICENSE_LOCK = 4_801_001

/**
 * Registers the user's PC unless it is registered. A new PC takes a licence: 160 if none is left or the user has the maximum
 * number of PCs, 161 if the user is limited to another PC. Returns a history row only if a licence was taken.
 */
export async function takeLicense(
  tx: Tx,
  user: Holder,
  pc: Pc,
  { at, maxOwn }: { at: Date; maxOwn: number },
): Promise<{ device: DeviceRow; log: HistoryEntry<'licenseUse'>[] }> {
  await sql`select pg_advisory_xact_lock(${LICENSE_LOCK})`.execute(tx)
  const known = await findDevice(tx, user.idx, pc.deviceId)
  if (known !== undefined) {
    await updateDeviceUse(tx, known.idx, pc, at)
    return { device: known, log: [] }
  }
  const { total, own } = await countDevices(tx, user.idx)
  if (user.isSinglePC === 1 && own > 0) fail('OTHER_PC')
  if (total >= EVALUATION_DEVICES || own >= maxOwn) fail('NO_LICENSE_LEFT')
  const device = await insertDevice(tx, { userIdx: user.idx, ...pc, useDT: at })
  const { idx, id, name, groupName } = user
  // The call is public, so that its history would name no one.
  return { device, log: [{ ...licenseLog(LicenseUse.USE, user, pc), actor: { idx, id, name, groupName } }] }
}
