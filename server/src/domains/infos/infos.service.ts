// The information menu: versions, the host server address, the logos (spec S1 §2, §3), the retention of files.
import type { Empty } from '@acc/contract/core/fields'
import type { Infos } from '@acc/contract/infos'
import { SettingManage } from '@acc/contract/labels/history'
import { notify } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { settingLog } from '../../core/settingLog.ts'
import type { Reader } from '../../db/open.ts'
import { findSetting, lockSetting, updateSetting } from '../../settings/settings.ts'
import { SERVER_VERSION } from '../../version.ts'
import { findLogos } from './infos.logos.ts'

/** Returns the address under which desktop clients reach this server; empty if it was never set. */
const findHost = async (db: Reader): Promise<string> => (await findSetting(db, 'hostServerAddress')) ?? ''

export const readInfos = async (db: Reader): Promise<Infos> => ({
  hostServerAddress: await findHost(db),
  ...(await findLogos(db)),
  fileRetentionDays: (await findSetting(db, 'fileRetention'))?.days ?? 0,
  serverVersion: SERVER_VERSION,
})

/** Sets the host server address. */
export async function setHost(ctx: Change<'settingManage'>, host: string) {
  return ctx.change(async (tx) => {
    const old = await lockSetting(tx, 'hostServerAddress')
    if (old === host) return { result: {}, log: 'unchanged' }
    await updateSetting(tx, 'hostServerAddress', host)
    await notify(tx, { topic: 'settings' })
    const values = { targetValue: host, targetOldValue: old ?? null }
    return { result: {}, log: [settingLog(SettingManage.SET_HOST_ADDRESS, 'hostServerAddress', values)] }
  })
}

/** Sets for how many days the files of decided requests are kept. */
export async function setFileRetention(ctx: Change<'settingManage'>, days: number): Promise<Empty> {
  return ctx.change(async (tx) => {
    const old = (await lockSetting(tx, 'fileRetention'))?.days ?? 0
    if (old === days) return { result: {}, log: 'unchanged' }
    await updateSetting(tx, 'fileRetention', { days, changeDT: ctx.services.clock.now().toISOString() })
    await notify(tx, { topic: 'settings' })
    const values = { targetValue: String(days), targetOldValue: String(old) }
    return { result: {}, log: [settingLog(SettingManage.SET_FILE_RETENTION, 'fileRetentionDays', values)] }
  })
}
