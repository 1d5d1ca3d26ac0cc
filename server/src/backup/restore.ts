// Restores a backup into the embedded database of an empty data directory, or into an empty external database.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingManage } from '@acc/contract/labels/history'
import { systemClock } from '../clock.ts'
import { type Author, insertHistory } from '../core/change.ts'
import { settingLog } from '../core/settingLog.ts'
import { startEmbedded } from '../db/embedded/embedded.ts'
import type { Connection } from '../db/open.ts'
import { headFile } from '../domains/history/history.head.ts'
import { renewOrigin } from '../domains/history/history.origin.ts'
import { withCleanUp } from './cleanUp.ts'
import { type EmptyPlace, fillEmptyPlace, type Place, placeAll } from './emptyPlace.ts'
import { inTransaction, loadBackup, requireEmptyDatabase, type Target } from './load.ts'
import type { Backup } from './read.ts'
import { restoreFiles } from './storedFiles.ts'
import { voidAccess } from './voidAccess.ts'

type RestoreOrder = { backup: Backup; place: Place; author: Author }

/** Restores a backup. Throws BackupError, and then changes nothing. */
export async function restoreBackup({ backup, place, author }: RestoreOrder): Promise<void> {
  const { dataDir, databaseUrl, databaseOwnerUrl } = place
  const outside = databaseUrl === undefined ? undefined : { connectionString: databaseOwnerUrl ?? databaseUrl }
  // Checked before files of an interrupted restore are removed, which the database may name.
  if (outside !== undefined) await inTransaction(outside, requireEmptyDatabase)
  await fillEmptyPlace(place, async (empty) => {
    await restoreFiles(join(backup.folder, 'files'), backup.files(), empty.stage)
    if (outside === undefined)
      return restoreEmbedded(dataDir, empty, (owner) => inTransaction(owner, (target) => fill(target, backup, author)))
    await inTransaction(outside, async (target) => {
      await fill(target, backup, author)
      await empty.stage.place()
    })
    // Nodes on other machines refuse to seal until the operator accepts the restored history there.
    await rm(headFile(place), { force: true })
  })
}

async function fill(target: Target, backup: Backup, author: Author): Promise<void> {
  await requireEmptyDatabase(target)
  await loadBackup(target, backup)
  await voidAccess(target.tx, systemClock)
  await renewOrigin(target.tx)
  const { moment, id } = backup.manifest
  const log = settingLog(SettingManage.RESTORE_BACKUP, id, { targetName: moment })
  await insertHistory(target.tx, author, systemClock.now(), [log])
}

/** Fills an embedded database next to its place, and then moves it there. */
async function restoreEmbedded(
  dataDir: string,
  empty: EmptyPlace,
  load: (connection: Connection) => Promise<void>,
): Promise<void> {
  const embedded = await startEmbedded({ dataDir: empty.staged })
  await withCleanUp(() => load(embedded.owner), [embedded.stop])
  await placeAll(dataDir, empty)
}
