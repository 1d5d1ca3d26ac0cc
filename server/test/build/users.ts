// Inserts users: `buildUser(app.db, { group: sales, name: '김하늘' })`.
import { randomUUID } from 'node:crypto'
import { ROOT_GROUP } from '@acc/contract/groups'
import type { Insertable } from 'kysely'
import { type Database, openDatabase } from '../../src/db/open.ts'
import type { Users } from '../../src/db/schema.gen.ts'
import { hashPassword } from '../../src/domains/credentials/hashing.ts'
import { OWNER } from '../postgres.ts'

export type BuiltUser = { idx: number; id: string; name: string; email: string; groupIdx: number; key: string }

/** Any column of the table; `group` defaults to the root; `password` is hashed; without one the user cannot sign in. */
export type UserToBuild = Partial<Insertable<Users>> & { group?: { idx: number }; password?: string }

let built = 0
/** Each password is hashed once: that takes longer than everything else about a user. */
const hashes = new Map<string, Promise<string>>()
function hashOnce(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  return hash
}

export async function buildUser(db: Database, { group, password, ...columns }: UserToBuild = {}): Promise<BuiltUser> {
  const number = ++built
  const secret = password === undefined ? {} : { pwHash: await hashOnce(password), pwSetDT: new Date() }
  const insert = (into: Database) =>
    into.write
      .insertInto('users')
      .values({
        id: `user${1000 + number}`,
        name: `User ${number}`,
        email: `user${1000 + number}@example.com`,
        groupIdx: group?.idx ?? ROOT_GROUP,
        key: randomUUID(),
        ...secret,
        ...columns,
      })
      .returning(['idx', 'id', 'name', 'email', 'groupIdx', 'key'])
      .executeTakeFirstOrThrow()
  if (columns.isAdmin !== 1) return insert(db)
  // The server's role adds no system administrators.
  const owner = openDatabase({ ...db.connection, user: OWNER }, { warn: () => undefined }, 1)
  return insert(owner).finally(owner.close)
}
