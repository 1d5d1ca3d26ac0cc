// Fills an empty database: the secret key's fingerprint, the root group with its policy, and the first administrator.

import { randomUUID } from 'node:crypto'
import { ROOT_GROUP } from '@acc/contract/groups'
import { DEFAULT_POLICY } from '@acc/contract/policyValues'
import { sql } from 'kysely'
import type { Clock } from './clock.ts'
import {
  findGivenKeys,
  firstSecretKey,
  type KeyRing,
  type KeySource,
  makeKeyRing,
  nextKeyFile,
  type SecretKey,
  SecretKeyError,
} from './crypto/secretKey.ts'
import type { Database, Tx } from './db/open.ts'
import type { Env } from './env.ts'
import { type FirstAdmin, firstPassword, insertFirstAdmin } from './firstAdmin.ts'
import { findKeyNames, inOrder } from './settings/keyRing.ts'
import { insertSetting } from './settings/settings.ts'

async function insertRoot(tx: Tx): Promise<void> {
  await tx
    .insertInto('groups')
    .values({
      idx: ROOT_GROUP,
      parentIdx: null,
      name: '전체 조직',
      key: randomUUID(),
      path: [ROOT_GROUP],
      position: 0,
      isMyPolicy: 1,
    })
    .execute()
  await sql`select setval(pg_get_serial_sequence('groups', 'idx'), ${ROOT_GROUP})`.execute(tx)
  await tx
    .insertInto('policies')
    .values({ groupIdx: ROOT_GROUP, ...DEFAULT_POLICY })
    .execute()
}

/**
 * Fills an empty database. Returns the created administrator, or undefined if there was one already. `show` is called
 * before the commit, so that every account's password was shown, even if the start fails.
 */
export async function fillEmptyDatabase(
  db: Database,
  env: Env,
  clock: Clock,
  show: (admin: FirstAdmin) => Promise<void>,
): Promise<FirstAdmin | undefined> {
  const known = await db.read.selectFrom('groups').select('idx').where('idx', '=', ROOT_GROUP).executeTakeFirst()
  if (known !== undefined) return undefined
  const { admin, columns } = await firstPassword(env, clock)
  return db.write.transaction().execute(async (tx) => {
    // Nodes that start at once on an empty database: the first fills it, the others find it filled.
    await sql`lock table groups in exclusive mode`.execute(tx)
    const filled = await tx.selectFrom('groups').select('idx').where('idx', '=', ROOT_GROUP).executeTakeFirst()
    if (filled !== undefined) return undefined
    await insertRoot(tx)
    await insertFirstAdmin(tx, columns)
    await show(admin)
    return admin
  })
}

const otherKey = (sealedWith: string) =>
  new SecretKeyError(
    `The secret key is not the one that this database was sealed with (${sealedWith}): put DATA_DIR/secret.key or ACC_SECRET_KEY back.`,
  )

/** Returns the keys that the database was sealed with: none before its schema or its first start. */
async function findNames(db: Pick<Database, 'read'>): ReturnType<typeof findKeyNames> {
  const { rows } = await sql<{ isThere: boolean }>`select to_regclass('settings') is not null as "isThere"`.execute(
    db.read,
  )
  return rows[0]?.isThere === true ? findKeyNames(db.read) : { current: undefined, next: undefined }
}

const missingNext = (next: string, source: KeySource) =>
  new SecretKeyError(
    `Secrets are being rotated to the key ${next}, which is missing: put it next to the current one as ${nextKeyFile(source)}, or set ACC_SECRET_KEY_NEXT.`,
  )

/**
 * Returns the operator's key, by setting or by file, else a new one for a database that none has sealed yet. Ends the
 * start, before anything is written, if the database was sealed with another key or a key of it is missing.
 */
export async function openSecretKey(db: Pick<Database, 'read'>, source: KeySource): Promise<KeyRing> {
  const given = await findGivenKeys(source)
  const { current, next } = await findNames(db)
  const find = (name: string): SecretKey | undefined => given.find(({ fingerprint }) => fingerprint === name)
  const [first] = given
  if (current === undefined) return makeKeyRing(first ?? (await firstSecretKey(source.file)))
  const key = find(current)
  if (key === undefined && first !== undefined) throw otherKey(current)
  if (key === undefined)
    throw new SecretKeyError(
      `The secret key that this database was sealed with (${current}) is missing: put it back as ${source.file}, or set ACC_SECRET_KEY.`,
    )
  const sealing = next === undefined ? key : find(next)
  if (sealing === undefined) throw missingNext(next ?? '', source)
  return makeKeyRing(...inOrder(sealing, given))
}

/** Stores the secret key's fingerprint. Of nodes that start at once with two keys, one continues. */
export async function keepFingerprint(db: Database, key: SecretKey): Promise<void> {
  await db.write.transaction().execute((tx) => insertSetting(tx, 'secretKeyFingerprint', key.fingerprint))
  const { current } = await findNames(db)
  if (current !== undefined && !key.opening().some(({ fingerprint }) => fingerprint === current))
    throw otherKey(current)
}
