// Restores the embedded database and its files from the WAL archive, to a moment or to the end.
import { sql } from 'kysely'
import { withCleanUp } from '../backup/cleanUp.ts'
import { fillEmptyPlace, type Place, placeAll } from '../backup/emptyPlace.ts'
import { BackupError } from '../backup/errors.ts'
import type { BackupKey } from '../backup/key.ts'
import { inTransaction, type Target } from '../backup/load.ts'
import { verifySeals } from '../backup/verify.ts'
import { endRestore } from '../backup/voidAccess.ts'
import type { Author } from '../core/change.ts'
import type { SecretKey } from '../crypto/secretKey.ts'
import { findUnknown } from '../db/migrate.ts'
import type { Stage } from '../files/medium.ts'
import { findKeyNames } from '../settings/keyRing.ts'
import { type RestoredFiles, restoreArchivedFiles } from './archivedFiles.ts'
import { openArchive } from './pieces.ts'
import { chooseStart, recover } from './recover.ts'

type ArchiveRestore = {
  root: string
  /** Undefined: to the end. */
  until: Date | undefined
  key: BackupKey
  place: Place
  author: Author
  /** The server's key if it is known, and since when no row of the history was dropped. */
  secretKey: SecretKey | undefined
  keptSince: Date
}

type Content = {
  secretKeyFingerprint: string | null
  files: RestoredFiles
  /** Verified rows of the history; null without the secret key. */
  sealed: number | null
}
/** Every write acknowledged before `throughDT` is restored, and none that was committed after a given moment. */
type RestoreReport = Content & { base: string; throughDT: Date }

/** Verifies a recovered database and its files, which are copied to the stage if there is one. */
export async function examine(
  { tx }: Target,
  { root, keptSince, secretKey }: Pick<ArchiveRestore, 'root' | 'keptSince' | 'secretKey'>,
  stage?: Stage,
): Promise<Content> {
  if ((await findUnknown(tx)).length > 0)
    throw new BackupError('A newer version wrote the archived database: install that version.')
  const { current = null } = await findKeyNames(tx)
  const key = secretKey?.fingerprint === current ? secretKey : undefined
  const sealed = key === undefined ? null : await verifySeals(tx, { key, keptSince })
  const files = await restoreArchivedFiles(tx, root, key, stage)
  return { sealed, files, secretKeyFingerprint: current }
}

/** Restores to an empty place. Throws BackupError, and leaves everything as it was. */
export function restoreArchive(order: ArchiveRestore): Promise<RestoreReport> {
  const { root, until, key, place, author } = order
  if (place.databaseUrl !== undefined)
    throw new BackupError('A WAL archive is restored into the embedded database only: leave ACC_DATABASE_URL out.')
  return fillEmptyPlace(place, async (empty) => {
    const { stage, staged } = empty
    const start = await chooseStart(await openArchive(root, key), until)
    const recovered = await recover(start, until, staged)
    const throughDT = until ?? start.throughDT
    const complete = async (target: Target) => {
      const content = await examine(target, order, stage)
      // The server creates the queue of jobs again.
      await sql`drop schema if exists jobs cascade`.execute(target.tx)
      await endRestore(target.tx, author, 'WAL', throughDT.toISOString())
      return content
    }
    const content = await withCleanUp(() => inTransaction(recovered.owner, complete), [recovered.stop])
    await placeAll(place.dataDir, empty)
    return { base: start.base.name, throughDT, ...content }
  })
}
