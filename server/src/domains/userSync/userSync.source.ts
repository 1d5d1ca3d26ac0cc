// Reads the source of a setting as the rows of an import.
import { ImportRefusal, ImportSource, SyncKind } from '@acc/contract/labels/userImports'
import { today } from '../../clock.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Env } from '../../env.ts'
import { RefusedSource, type Source } from '../userImports/source.ts'
import { type PeopleFile, readNewest } from './userSync.folder.ts'
import type { Sync } from './userSync.settings.ts'

/** What a run calls its source: the address of the directory, or the folder. */
export const sourceOf = ({ kind, directory }: Sync, env: Pick<Env, 'peopleDir'>) =>
  kind === SyncKind.DIRECTORY
    ? { source: ImportSource.DIRECTORY, fileName: directory?.serverAddress ?? '' }
    : { source: ImportSource.FOLDER, fileName: env.peopleDir ?? '' }

export async function findFile({ peopleDir }: Pick<Env, 'peopleDir'>): Promise<PeopleFile> {
  if (peopleDir === undefined) throw new RefusedSource({ reason: ImportRefusal.FOLDER, text: 'ACC_PEOPLE_DIR' })
  return readNewest(peopleDir)
}

/** Reads all people of the source; `baseKey` is the key of its group. Throws RefusedSource. */
export async function readSource(
  sync: Sync,
  baseKey: string,
  { env, clock }: Pick<HandlerServices, 'env' | 'clock'>,
): Promise<Source> {
  const { kind, directory, bindPw } = sync
  // The libraries are loaded with the first run.
  if (kind === SyncKind.DIRECTORY && directory !== null) {
    const { readDirectory } = await import('./userSync.directory.ts')
    return readDirectory({ ...directory, bindPw }, { baseKey, today: today(clock) })
  }
  const { readFile } = await import('../userImports/userImports.file.ts')
  return readFile((await findFile(env)).bytes, true)
}
