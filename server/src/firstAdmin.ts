// The first system administrator: created by the first start with a temporary password for 24 hours, or with that
// of ACC_ADMIN_PASSWORD. Each start renews the temporary password until the administrator has replaced it.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findContextWord, personWords } from '@acc/contract/contextWords'
import { ROOT_GROUP } from '@acc/contract/groups'
import { DEFAULT_RULES } from '@acc/contract/labels/passwordRules'
import { UserState } from '@acc/contract/labels/users'
import type { FastifyInstance } from 'fastify'
import { type Clock, systemClock } from './clock.ts'
import type { Services } from './core/services.ts'
import type { Database, Reader, Tx } from './db/open.ts'
import { replaceFile } from './disk.ts'
import { productWords } from './domains/configs/configs.contextWords.ts'
import { hashPassword } from './domains/credentials/hashing.ts'
import { meetsPresets, temporaryPasswordFor } from './domains/credentials/passwordRules.ts'
import { BadSetting, type Env } from './env.ts'

const FIRST = { id: 'admin', name: 'Administrator', email: 'admin@localhost' }

/** The first administrator for the operator; `password` is the temporary one, undefined if the operator gave one. */
export type FirstAdmin = { id: string; password: string | undefined }

type Columns =
  | { state: number; pwHash: string; pwSetDT: Date; tmpPwHash: null; tmpPwExpireDT: null }
  | { state: number; pwHash: null; pwSetDT: null; tmpPwHash: string; tmpPwExpireDT: Date }
type FirstPassword = { admin: FirstAdmin; columns: Columns }

/** Creates the first administrator's password. Slow: call it before a transaction. Throws BadSetting. */
export async function firstPassword(
  { adminPassword: password, runtime }: Pick<Env, 'adminPassword' | 'runtime'>,
  clock: Clock,
  id = FIRST.id,
): Promise<FirstPassword> {
  const words = [...productWords({ runtime }), ...personWords({ ...FIRST, id })]
  if (password === undefined) {
    const { text, hash, expireDT } = await temporaryPasswordFor(DEFAULT_RULES, words, { clock })
    const columns = { state: UserState.NEW, pwHash: null, pwSetDT: null, tmpPwHash: hash, tmpPwExpireDT: expireDT }
    return { admin: { id, password: text }, columns }
  }
  if (!meetsPresets(password, DEFAULT_RULES))
    throw new BadSetting(
      'ACC_ADMIN_PASSWORD: 8 characters or more with upper and lower case, a digit and a special character, without rows of keys or digits',
    )
  const word = findContextWord(password, words)
  if (word !== undefined) throw new BadSetting(`ACC_ADMIN_PASSWORD: must not contain "${word}"`)
  const columns = { pwHash: await hashPassword(password), pwSetDT: clock.now(), tmpPwHash: null, tmpPwExpireDT: null }
  return { admin: { id, password: undefined }, columns: { state: 0, ...columns } }
}

export const insertFirstAdmin = (tx: Tx, columns: Columns) =>
  tx
    .insertInto('users')
    .values({ ...FIRST, groupIdx: ROOT_GROUP, key: randomUUID(), isAdmin: 1, ...columns })
    .execute()

/** Finds the first administrator until the account has a password of its own. */
async function findUnclaimed(db: Reader): Promise<{ idx: number; id: string } | undefined> {
  const first = await db
    .selectFrom('users')
    .select(['idx', 'id', 'pwHash'])
    .where('isAdmin', '=', 1)
    .orderBy('idx')
    .limit(1)
    .executeTakeFirst()
  return first?.pwHash === null ? first : undefined
}

/** Renews the temporary password of an administrator who has not replaced it; calls `show` before the commit. */
export async function renewFirstPassword(
  db: Database,
  env: Env,
  show: (admin: FirstAdmin) => Promise<void>,
): Promise<FirstAdmin | undefined> {
  const unclaimed = await findUnclaimed(db.read)
  if (unclaimed === undefined) {
    await rm(fileIn(env.dataDir), { force: true })
    return undefined
  }
  const { admin, columns } = await firstPassword(env, systemClock, unclaimed.id)
  return db.write.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('users')
      .set(columns)
      .where('idx', '=', unclaimed.idx)
      .where('pwHash', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return undefined
    await show(admin)
    return admin
  })
}

const fileIn = (dataDir: string) => join(dataDir, 'first-password')

/** Writes the password for the operator (mode 0600); returns the file's path. */
export async function writeFirstPassword(dataDir: string, { id, password }: FirstAdmin): Promise<string> {
  await replaceFile(fileIn(dataDir), `${id}\n${password}\n`)
  return fileIn(dataDir)
}

/** Removes the file with the first password once it was replaced by the administrator's own. */
export function removeFirstPassword(http: FastifyInstance, { env, db }: Pick<Services, 'env' | 'db'>): void {
  const file = fileIn(env.dataDir)
  let isThere = existsSync(file)
  if (!isThere) return
  http.addHook('onResponse', async (request) => {
    if (!isThere || request.method !== 'POST' || (await findUnclaimed(db.read)) !== undefined) return
    await rm(file, { force: true })
    isThere = false
  })
}
