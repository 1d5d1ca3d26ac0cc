// Settings in the database: one row of `settings` each, typed by its schema. Secret fields are sealed at rest, each for
// its row and field, so that a stolen dump holds none in the clear and a copied one does not open.
import { type Expression, sql } from 'kysely'
import type { z } from 'zod'
import { seal, unseal } from '../crypto/seal.ts'
import type { SecretKey } from '../crypto/secretKey.ts'
import type { Reader, Tx } from '../db/open.ts'
import { compiledOnce } from '../db/statement.ts'
import { SETTINGS } from './definitions.ts'

type Settings = typeof SETTINGS
export type SettingName = keyof Settings
export type Setting<N extends SettingName> = z.output<Settings[N]['schema']>
/** Settings with sealed fields need the secret key, others take none. */
type Key<N extends SettingName> = Settings[N]['sealed'] extends readonly [] ? [] : [key: SecretKey]

/** A stored setting does not read: of another version, of another key, or altered. Its value is in no message. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

const rowContext = (name: SettingName, field: string) => `settings:${name}:${field}`

/** Maps the sealed fields of a value, whose schema has them as text. */
function mapSealed(name: SettingName, value: unknown, map: (field: string, text: string) => string): unknown {
  const fields: readonly string[] = SETTINGS[name].sealed
  if (fields.length === 0 || typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([field, entry]) => [field, fields.includes(field) ? map(field, String(entry)) : entry]),
  )
}

const stored = <N extends SettingName>(name: N, value: Setting<N>, [key]: readonly [SecretKey?]): string =>
  JSON.stringify(
    mapSealed(name, value, (field, text) => {
      if (key === undefined) throw new SettingError(`the setting ${name} is sealed and needs the secret key`)
      return seal(key, name, rowContext(name, field), text).toString('base64')
    }),
  )

const selectValues = compiledOnce((db, names: Expression<readonly string[]>) =>
  db.selectFrom('settings').select(['name', 'value']).where('name', '=', sql<string>`any(${names}::text[])`),
)

/** Returns a setting, or undefined where it is not set. Throws SettingError where the stored value does not read. */
export async function findSetting<N extends SettingName>(
  db: Reader,
  name: N,
  ...key: Key<N>
): Promise<Setting<N> | undefined> {
  const [row] = await selectValues(db, [name])
  return row === undefined ? undefined : openSetting(name, row.value, ...key)
}

type Plain = { [N in SettingName]: Key<N> extends [] ? N : never }[SettingName]
/** Returns settings without sealed fields as findSetting does, in one statement. */
export async function findSettings<N extends Plain>(db: Reader, names: readonly N[]) {
  const rows = await selectValues(db, names)
  const opened = rows.map(({ name, value }) => [name, openSetting<Plain>(name as N, value)])
  return Object.fromEntries(opened) as { [K in N]?: Setting<K> }
}

/** Opens a stored value. Throws SettingError where it does not read. */
function openSetting<N extends SettingName>(name: N, value: unknown, ...[key]: Key<N>): Setting<N> {
  try {
    const opened = mapSealed(name, value, (field, text) => {
      if (key === undefined) throw new SettingError(name)
      return unseal(key, name, rowContext(name, field), Buffer.from(text, 'base64')).toString('utf8')
    })
    return SETTINGS[name].schema.parse(opened) as Setting<N>
  } catch {
    throw new SettingError(`the setting ${name} cannot be read`)
  }
}

/** Returns a setting as findSetting does, and keeps others from changing it until the transaction ends. */
export async function lockSetting<N extends SettingName>(
  tx: Tx,
  name: N,
  ...key: Key<N>
): Promise<Setting<N> | undefined> {
  // A setting that was never changed has no row to lock.
  await sql`select pg_advisory_xact_lock(hashtext(${`settings:${name}`}))`.execute(tx)
  return findSetting(tx, name, ...key)
}

/** Returns a setting as findSetting does, once no transaction has it locked. Blocks locks of it until this one ends. */
export async function lockSettingShared<N extends SettingName>(
  tx: Tx,
  name: N,
  ...key: Key<N>
): Promise<Setting<N> | undefined> {
  await sql`select pg_advisory_xact_lock_shared(hashtext(${`settings:${name}`}))`.execute(tx)
  return findSetting(tx, name, ...key)
}

/** Changes with each setting that is written or removed. */
export async function findVersion(db: Reader): Promise<string> {
  const rows = await db
    .selectFrom('settings')
    .select(['name', sql<string>`xmin::text`.as('writer')])
    .orderBy('name')
    .execute()
  return rows.map(({ name, writer }) => `${name}:${writer}`).join(' ')
}

/** How often a setting was changed; 0 where it is not set. */
export async function findRevision(db: Reader, name: SettingName): Promise<number> {
  const row = await db.selectFrom('settings').select('revision').where('name', '=', name).executeTakeFirst()
  return row?.revision ?? 0
}

/** Whether any of the settings is set. */
export const hasSetting = async (db: Reader, ...names: readonly SettingName[]): Promise<boolean> =>
  (await selectValues(db, names)).length > 0

/** Stores a setting unless it is set already; returns whether it was stored. */
export async function insertSetting<N extends SettingName>(
  tx: Tx,
  name: N,
  value: Setting<N>,
  ...key: Key<N>
): Promise<boolean> {
  const inserted = await tx
    .insertInto('settings')
    .values({ name, value: stored(name, value, key) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Stores a setting in place of its former value. */
export async function updateSetting<N extends SettingName>(
  tx: Tx,
  name: N,
  value: Setting<N>,
  ...key: Key<N>
): Promise<void> {
  const row = { name, value: stored(name, value, key) }
  await tx
    .insertInto('settings')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: row.value, revision: sql`settings.revision + 1` }),
    )
    .execute()
}

/** Removes a setting, set or not. */
export const deleteSetting = async (tx: Tx, name: SettingName): Promise<void> =>
  void (await tx.deleteFrom('settings').where('name', '=', name).execute())
