import type { LicenseUse } from '@acc/contract/labels/history'
import type { HistoryEntry } from '../../core/change.ts'
import { personValues } from '../../core/historyValues.ts'

type Holder = { idx: number; id: string; name: string; groupIdx: number; groupName: string }

/** Returns the history row of an assigned or released license. */
export const licenseLog = (
  type: (typeof LicenseUse.values)[number],
  user: Holder,
  device: { deviceName: string; ip: string },
): HistoryEntry<'licenseUse'> => ({
  kind: 'licenseUse',
  type,
  subject: user.id,
  subjectIdx: user.idx,
  groupIdx: user.groupIdx,
  detail: { ...personValues(user), deviceName: device.deviceName, deviceIp: device.ip },
})
