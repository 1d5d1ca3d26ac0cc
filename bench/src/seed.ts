// Fills an empty database with an organisation of the asked size, by statements of its own: what is measured is the product's
// reading and writing, not this.

import { hashToken } from '@acc/server/src/crypto/token.ts'
import type { Database } from '@acc/server/src/db/open.ts'
import { hashPassword } from '@acc/server/src/domains/credentials/hashing.ts'
import { sql } from 'kysely'
import type { Sizes } from './sizes.ts'

export const PASSWORD = 'Bench!mark-73'
/** Accounts that share PASSWORD: sign-ins are measured on them, each its own. */
export const SIGN_IN_ACCOUNTS = 500
/** The manager of an authority over the whole tree. */
export const MANAGER = 2
export const ADMIN = 1

/** Large statements take longer than the product's own limit. */
const exec = (db: Database, statement: ReturnType<typeof sql>) =>
  db.write.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await statement.execute(connection)
  })

// Each group hangs below one of the tenth of its number: about five levels for ten thousand.
const seedGroups = (db: Database, count: number) =>
  exec(
    db,
    sql`
    with recursive numbered as (select n, greatest(1, n / 10) as parent from generate_series(2, ${count}::int) n),
    tree as (
      select 1::bigint as idx, array[1]::bigint[] as path
      union all
      select numbered.n, tree.path || numbered.n::bigint from numbered join tree on tree.idx = numbered.parent
    )
    insert into groups (idx, "parentIdx", name, key, path, position)
    select idx, path[array_upper(path, 1) - 1], '부서 ' || idx, 'group-' || idx, path, idx from tree where idx > 1`,
  )

const seedUsers = (db: Database, { users, groups }: Sizes, pwHash: string) =>
  exec(
    db,
    sql`
    insert into users (idx, id, name, email, "groupIdx", key, "pwHash", "pwSetDT", "lastClientLoginDT")
    select n, 'user' || lpad(n::text, 6, '0'),
      (array['김','이','박','최','정','강','조','윤','장','임'])[1 + n % 10] || (array['민','서','지','하','도','예','준','현'])[1 + n / 10 % 8]
        || (array['준','연','우','윤','은','호','아','민'])[1 + n / 80 % 8],
      'user' || n || '@example.com', 1 + n % ${groups}::int, 'user-' || n,
      case when n <= ${SIGN_IN_ACCOUNTS + MANAGER}::int then ${pwHash} end, now(), now() - make_interval(mins => n % 100000)
    from generate_series(2, ${users}::int) n`,
  )

const seedSignIns = (db: Database, { users, groups, history }: Sizes) =>
  exec(
    db,
    sql`
    insert into "signIns" (kind, "loginDT", "logoutDT", "userIdx", "userId", "userName", "userGroupName", "groupIdx", ip, "userRole", type,
      "logoutType", "clientVersion", "deviceName")
    select 'client', at, at + interval '4 hours', u, 'user' || lpad(u::text, 6, '0'),
      (array['김','이','박','최','정','강','조','윤','장','임'])[1 + u % 10] || (array['민','서','지','하','도','예','준','현'])[1 + u / 10 % 8]
        || (array['준','연','우','윤','은','호','아','민'])[1 + u / 80 % 8],
      '부서 ' || (1 + u % ${groups}::int), 1 + u % ${groups}::int,
      '10.' || u % 250 || '.' || n % 250 || '.' || n % 99, 2, 0, n % 2, '3.' || n % 9 || '.' || n % 20, 'PC-' || u
    from (
      select n, 2 + (n * 7919::bigint) % (${users}::int - 2) as u, now() - make_interval(secs => n * 365.0 * 86400 / ${history}::int) as at
      from generate_series(1, ${history}::int) n
    ) rows`,
  )

/** Monthly partitions for the year that the history reaches back. */
const makePartitions = (db: Database) =>
  exec(
    db,
    sql`select "makePartitions"('signIns', (now() - interval '13 months')::date, 16), "makePartitions"('history', (now() - interval '13 months')::date, 16)`,
  )

async function seedManager(db: Database): Promise<void> {
  await exec(
    db,
    sql`insert into authorities (idx, name, policy, "user", "fileImportApprove", "fileExportApprove", log) values (1, 'all', 2, 2, 0, 2, 1)`,
  )
  await exec(db, sql`insert into "authorityUsers" values (1, ${MANAGER})`)
  await exec(db, sql`insert into "authorityGroups" values (1, 1)`)
}

/** Fills the database unless it is filled already. */
export async function seed(db: Database, sizes: Sizes): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from users`.execute(db.read)
  if ((rows[0]?.count ?? 0) > 1) return
  await makePartitions(db)
  await seedGroups(db, sizes.groups)
  await seedUsers(db, sizes, await hashPassword(PASSWORD))
  await seedSignIns(db, sizes)
  await seedManager(db)
  await exec(
    db,
    sql`select setval(pg_get_serial_sequence('groups', 'idx'), ${sizes.groups}), setval(pg_get_serial_sequence('users', 'idx'), ${sizes.users})`,
  )
  await exec(db, sql`vacuum analyze`)
}

/** Opens a session straight in the database; answers its token. */
export async function openSession(db: Database, userIdx: number, kind: 'web' | 'client'): Promise<string> {
  const token = `bench-${kind}-${userIdx}-${'x'.repeat(24)}`
  const deviceIdx = kind === 'client' ? await registerDevice(db, userIdx) : null
  await exec(
    db,
    sql`insert into sessions ("tokenHash", kind, "userIdx", "deviceIdx", "signInIdx", "signInDT", ip, "userAgent", "createDT", "lastSeenDT", "expireDT")
      values (${hashToken(token)}, ${kind}, ${userIdx}, ${deviceIdx}, 1, now(), '127.0.0.1', 'bench', now(), now(), now() + interval '1 day')
      on conflict ("tokenHash") do update set "expireDT" = excluded."expireDT", "lastSeenDT" = now() + interval '1 hour', "endDT" = null`,
  )
  return token
}

async function registerDevice(db: Database, userIdx: number): Promise<number> {
  const { rows } = await sql<{ idx: number }>`
    insert into devices ("userIdx", "deviceId", "deviceName", ip, "clientVersion", "useDT") values (${userIdx}, 'bench', 'bench', '127.0.0.1', '1.0', now())
    on conflict ("userIdx", "deviceId") do update set "useDT" = now() returning idx`.execute(db.write)
  return rows[0]?.idx ?? 0
}
