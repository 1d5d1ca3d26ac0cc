// The information menu: versions, the host server address, the logos (spec S1 §2, §3).
import type { Infos } from '@acc/contract/infos'
import { SettingManage } from '@acc/contract/labels/history'
import { notify } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import type { Reader } from '../../db/open.ts'
import { findSetting, lockSetting, updateSetting } from '../../settings/settings.ts'
import { SERVER_VERSION } from '../../version.ts'
import { findLogos } from './infos.logos.ts'

/** Returns the address under which desktop clients reach this server; empty if it was never set. */
export const findHost = async (db: Reader): Promise<string> => (await findSetting(db, 'hostServerAddress')) ?? ''

export const readInfos = async (db: Reader): Promise<Infos> => ({
  hostServerAddress: await findHost(db),
  ...(await findLogos(db)),
  serverVersion: SERVER_VERSION,
})

/** Sets the host server address. */
export async function setHost(ctx: Change<'settingManage'>, host: string) {
  return ctx.change(async (tx) => {
    const old = await lockSetting(tx, 'hostServerAddress')
    if (old === host) return { result: {}, log: 'unchanged' }
    await updateSetting(tx, 'hostServerAddress', host)
    await notify(tx, { topic: 'settings' })
    const log = {
      kind: 'settingManage',
      type: SettingManage.SET_HOST_ADDRESS,
      subject: 'hostServerAddress',
      subjectIdx: null,
      groupIdx: null,
      detail: { targetName: null, targetValue: host, targetOldValue: old ?? null },
    } as const
    return { result: {}, log: [log] }
  })
}
