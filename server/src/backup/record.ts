// Stores the newest backup and its verification in the database, each with a row of the history.
import { stat } from 'node:fs/promises'
import { flagOf } from '@acc/contract/labels/flags'
import { SettingManage } from '@acc/contract/labels/history'
import type { change } from '../core/change.ts'
import { settingLog } from '../core/settingLog.ts'
import type { Env } from '../env.ts'
import { type Setting, updateSetting } from '../settings/settings.ts'
import type { MadeBackup } from './write.ts'

type Work = Parameters<typeof change<void>>[2]

/** Whether a folder is lost with the disk of the embedded database, or of the stored files. */
async function isOnSameDisk(folder: string, { databaseUrl, dataDir, files }: Env): Promise<boolean> {
  const places = [...(databaseUrl === undefined ? [dataDir] : []), ...('folder' in files ? [files.folder] : [])]
  const [own, ...disks] = await Promise.all([folder, ...places].map(async (path) => (await stat(path)).dev))
  return disks.some((disk) => disk === own)
}

export async function recordBackup({ folder, manifest }: MadeBackup, env: Env): Promise<Work> {
  const { id, moment, tables, files } = manifest
  const { count, size, missing } = files
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const onSameDisk = flagOf(await isOnSameDisk(folder, env))
  return async (tx) => {
    await updateSetting(tx, 'lastBackup', { id, moment, rows, files: count, size, missing, isOnSameDisk: onSameDisk })
    const detail = { targetName: moment, targetValue: `${rows} / ${count}` }
    return { result: undefined, log: [settingLog(SettingManage.MAKE_BACKUP, id, detail)] }
  }
}

/** Records the verification of the newest backup; `failure` is why it failed. */
export const recordVerification =
  (last: Pick<Setting<'lastBackup'>, 'id' | 'moment'>, now: Date, failure: string | null): Work =>
  async (tx) => {
    await updateSetting(tx, 'lastBackupCheck', { id: last.id, moment: now.toISOString(), failure })
    const detail = { targetName: last.moment, targetValue: failure ?? 'OK' }
    return { result: undefined, log: [settingLog(SettingManage.VERIFY_BACKUP, last.id, detail)] }
  }
