// What an empty database gets: the root group with its policy, and the first system administrator (design, section 10).

import { ROOT_GROUP } from '@acc/contract/groups'
import { DEFAULT_POLICY } from '@acc/contract/policies'
import { sql } from 'kysely'
import { hashPassword } from './credentials/hashing.ts'
import { DEFAULT_RULES, randomPassword } from './credentials/passwordRules.ts'
import { SecretKeyError } from './crypto/secretKey.ts'
import { newKey } from './db/keys.ts'
import type { Database, Tx } from './db/open.ts'
import type { Env } from './env.ts'

/** The first administrator as printed once; the password only where the server made it up. */
export type FirstAdmin = { id: string; password: string | undefined }

async function insertRoot(tx: Tx): Promise<void> {
  await tx
    .insertInto('groups')
    .values({
      idx: ROOT_GROUP,
      parentIdx: null,
      name: '본사',
      key: newKey(),
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

/** Fills an empty database; answers the administrator that was made, or undefined where there was one already. */
export async function fillEmptyDatabase(db: Database, env: Env, now: Date): Promise<FirstAdmin | undefined> {
  const known = await db.read.selectFrom('groups').select('idx').where('idx', '=', ROOT_GROUP).executeTakeFirst()
  if (known !== undefined) return undefined
  const password = env.admin.password ?? randomPassword(DEFAULT_RULES)
  const pwHash = await hashPassword(password)
  return db.write.transaction().execute(async (tx) => {
    // Nodes that start at once on an empty database: the first fills it, the others find it filled.
    await sql`lock table groups in exclusive mode`.execute(tx)
    const filled = await tx.selectFrom('groups').select('idx').where('idx', '=', ROOT_GROUP).executeTakeFirst()
    if (filled !== undefined) return undefined
    await insertRoot(tx)
    await tx
      .insertInto('users')
      .values({
        id: env.admin.id,
        name: 'Administrator',
        email: env.admin.email,
        groupIdx: ROOT_GROUP,
        key: newKey(),
        isAdmin: 1,
        pwHash,
        pwSetDT: now,
      })
      .execute()
    return { id: env.admin.id, password: env.admin.password === undefined ? password : undefined }
  })
}

const FINGERPRINT = 'secretKeyFingerprint'

/**
 * Keeps the secret key's fingerprint with the data it seals, and ends the start where another key is given: with it nothing
 * sealed could be opened, and what it seals from then on would be lost with the right one.
 */
export async function requireSameKey(db: Database, fingerprint: string): Promise<void> {
  await db.write
    .insertInto('settings')
    .values({ name: FINGERPRINT, value: JSON.stringify(fingerprint) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { value } = await db.read
    .selectFrom('settings')
    .select('value')
    .where('name', '=', FINGERPRINT)
    .executeTakeFirstOrThrow()
  if (value === fingerprint) return
  throw new SecretKeyError(
    `The secret key is not the one that this database was sealed with (${String(value)}): put DATA_DIR/secret.key or ACC_SECRET_KEY back.`,
  )
}
