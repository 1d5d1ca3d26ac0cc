// Restores the embedded database from its WAL archive, to a moment or to the end, with the stored files of that time.
import { SettingManage } from '@acc/contract/labels/history'
import { sql } from 'kysely'
import { cleaningUp } from '../backup/cleanUp.ts'
import { fillEmptyPlace, type Place, placeAll } from '../backup/emptyPlace.ts'
import { BackupError } from '../backup/errors.ts'
import type { BackupKey } from '../backup/key.ts'
import { inTransaction, type Target } from '../backup/load.ts'
import { verifySeals } from '../backup/verify.ts'
import { voidAccess } from '../backup/voidAccess.ts'
import { systemClock } from '../clock.ts'
import { type Author, insertHistory } from '../core/change.ts'
import { settingLog } from '../core/settingLog.ts'
import type { SecretKey } from '../crypto/secretKey.ts'
import { findUnknown } from '../db/migrate.ts'
import { renewOrigin } from '../domains/history/history.origin.ts'
import type { Stage } from '../files/medium.ts'
import { findKeyNames } from '../settings/keyRing.ts'
import { chooseStart, openArchive, recover } from './recover.ts'
import { type RestoredFiles, restoreArchivedFiles } from './restoredFiles.ts'

export type ArchiveRestore = {
  root: string
  /** Undefined: to the end. */
  until: Date | undefined
  key: BackupKey
  place: Place
  author: Author
  /** The server's, where it is at hand, and since when no row of the history was dropped. */
  secretKey: SecretKey | undefined
  keptSince: Date
}

export type RestoreReport = {
  base: string
  /** All that was acknowledged before is there; nothing that was committed after a given moment. */
  throughDT: Date
  secretKeyFingerprint: string | null
  files: RestoredFiles
  /** Rows of the history that are as they were sealed; null without the secret key. */
  sealed: number | null
}

/** Restores to an empty place. Throws BackupError, and leaves everything as it was. */
export function restoreArchive(order: ArchiveRestore): Promise<RestoreReport> {
  const { root, until, key, place } = order
  if (place.databaseUrl !== undefined)
    throw new BackupError('A WAL archive is restored into the embedded database only: leave ACC_DATABASE_URL out.')
  return fillEmptyPlace(place, async (empty) => {
    const { stage, staged } = empty
    const start = await chooseStart(await openArchive(root, key), until)
    const recovered = await recover(start, until, staged)
    const throughDT = until ?? start.throughDT
    const complete = (target: Target) => completeRestore(target, order, { stage, throughDT })
    const rest = await cleaningUp(() => inTransaction(recovered.owner, complete), [recovered.stop])
    await placeAll(place.dataDir, empty)
    return { base: start.base.name, throughDT, ...rest }
  })
}

async function completeRestore(
  target: Target,
  order: ArchiveRestore,
  { stage, throughDT }: { stage: Stage; throughDT: Date },
): Promise<Omit<RestoreReport, 'base' | 'throughDT'>> {
  const { current = null } = await findKeyNames(target.tx)
  const secretKey = order.secretKey?.fingerprint === current ? order.secretKey : undefined
  const sealed = await prepare(target, order, secretKey, throughDT)
  const files = await restoreArchivedFiles(target.tx, order.root, { stage, secretKey })
  return { files, sealed, secretKeyFingerprint: current }
}

/** Checks the recovered database, and makes void what it must not open again. Returns the verified rows of its history. */
async function prepare(
  { tx }: Target,
  { author, keptSince }: ArchiveRestore,
  secretKey: SecretKey | undefined,
  throughDT: Date,
): Promise<number | null> {
  if ((await findUnknown(tx)).length > 0)
    throw new BackupError('A newer version wrote the archived database: install that version.')
  const sealed = secretKey === undefined ? null : await verifySeals(tx, { key: secretKey, keptSince })
  await voidAccess(tx, systemClock)
  await renewOrigin(tx)
  // As after the restore of a backup, the queue is made anew: what waited comes round by its cron.
  await sql`drop schema if exists jobs cascade`.execute(tx)
  const log = settingLog(SettingManage.RESTORE_BACKUP, 'WAL', { targetName: throughDT.toISOString() })
  await insertHistory(tx, author, systemClock.now(), [log])
  return sealed
}
