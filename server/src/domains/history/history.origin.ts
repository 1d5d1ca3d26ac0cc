// Which installation rows and seals are of, and since which restore: numbers of rows are given out anew after each one.
import { randomBytes } from 'node:crypto'
import { asSystem } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { findSetting, insertSetting, type Setting, updateSetting } from '../../settings/settings.ts'

const newId = () => randomBytes(4).toString('hex')

/** `5f0c2a91.0`, after restores `5f0c2a91.2.9c41d07e`: two restores of one backup differ. */
const originOf = ({ id, restores, restoreId }: Setting<'installation'>): string =>
  [id, restores, ...(restoreId === '' ? [] : [restoreId])].join('.')

export const installationOf = (origin: string): string => origin.split('.', 1)[0] ?? ''

export async function findOrigin(db: Reader): Promise<string | undefined> {
  const installation = await findSetting(db, 'installation')
  return installation && originOf(installation)
}

/** Returns the origin of this database, and draws one for a database that has none. */
export const requireOrigin = async (services: Pick<Services, 'db' | 'clock'>): Promise<string> =>
  (await findOrigin(services.db.read)) ??
  asSystem(services, async (tx) => {
    await insertSetting(tx, 'installation', { id: newId(), restores: 0, restoreId: '' })
    return { result: (await findOrigin(tx)) ?? '' }
  })

/** Draws the next origin of a database that was restored. */
export async function renewOrigin(tx: Tx): Promise<void> {
  const { id = newId(), restores = 0 } = (await findSetting(tx, 'installation')) ?? {}
  await updateSetting(tx, 'installation', { id, restores: restores + 1, restoreId: newId() })
}
