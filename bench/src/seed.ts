// Fills an empty database with an organisation of the given size, by SQL of its own: the product's reading is measured, not
// this. IDs and addresses are made from the names, as in every real organisation, so that a search by name and a sort by
// e-mail are not independent of each other.
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '@acc/server/src/db/open.ts'
import { hashPassword } from '@acc/server/src/domains/credentials/hashing.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Sizes } from './sizes.ts'

export const PASSWORD = 'Bench!mark-73'
/** Accounts with PASSWORD and a predictable ID, beginning with MANAGER's. */
export const SIGN_IN_ACCOUNTS = 500
/** The manager of an authority over the whole tree. */
export const MANAGER = 2
/** The first of the other accounts with PASSWORD. */
export const ACCOUNT = 3
export const idOf = (idx: number) => `bench${idx}`

/** Large statements take longer than the product's own limit. */
const exec = (db: Database, statement: RawBuilder<unknown>) =>
  db.write.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await statement.execute(connection)
  })

/** A pseudo-random number below `bound` that is the same in every run. */
const pick = (row: string, salt: number, bound: RawBuilder<unknown> | number) =>
  sql`(abs(hashint8extended(${sql.ref(row)}, ${sql.lit(salt)}) % ${typeof bound === 'number' ? sql.lit(bound) : bound}))`

// The parent of a group is the one of a tenth of its number: about five levels for ten thousand.
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

/** A name's part in Korean and in Latin letters; frequent ones are repeated, as in Korea. */
const SURNAMES = [
  ['김', 'kim', 21],
  ['이', 'lee', 15],
  ['박', 'park', 8],
  ['최', 'choi', 5],
  ['정', 'jung', 5],
  ['강', 'kang', 3],
  ['조', 'cho', 3],
  ['윤', 'yoon', 2],
  ['장', 'jang', 2],
  ['임', 'lim', 2],
  ['한', 'han', 2],
  ['오', 'oh', 1],
] as const
const FIRST_SYLLABLES = [
  ['지', 'ji', 4],
  ['민', 'min', 3],
  ['서', 'seo', 3],
  ['현', 'hyun', 2],
  ['도', 'do', 1],
  ['예', 'ye', 1],
  ['준', 'jun', 1],
  ['은', 'eun', 1],
] as const
const SECOND_SYLLABLES = [
  ['민', 'min', 3],
  ['우', 'woo', 3],
  ['연', 'yeon', 2],
  ['준', 'jun', 2],
  ['윤', 'yoon', 2],
  ['호', 'ho', 2],
  ['아', 'a', 2],
  ['은', 'eun', 1],
] as const
type Syllables = readonly (readonly [korean: string, latin: string, weight: number])[]

const repeated = (syllables: Syllables, part: 0 | 1) =>
  syllables.flatMap((syllable) => Array.from({ length: syllable[2] }, () => syllable[part]))
/** One of the syllables for the row `n`: the same one in both scripts. */
const syllable = (syllables: Syllables, part: 0 | 1, salt: number) => {
  const all = repeated(syllables, part)
  return sql`(${all}::text[])[1 + ${pick('n', salt, all.length)}]`
}

const seedUsers = (db: Database, { users, groups }: Sizes, pwHash: string) =>
  exec(
    db,
    sql`
    with people as (
      select n,
        ${syllable(SURNAMES, 0, 1)} || ${syllable(FIRST_SYLLABLES, 0, 2)} || ${syllable(SECOND_SYLLABLES, 0, 3)} as name,
        ${syllable(FIRST_SYLLABLES, 1, 2)} || ${syllable(SECOND_SYLLABLES, 1, 3)} || '.' || ${syllable(SURNAMES, 1, 1)} as latin
      from generate_series(2, ${users}::bigint) n
    ), numbered as (
      select n, name, latin || coalesce(nullif(row_number() over (partition by latin order by n), 1)::text, '') as latin from people
    )
    insert into users (idx, id, name, email, "groupIdx", key, "pwHash", "pwSetDT", "lastClientLoginDT")
    select n, case when n <= ${SIGN_IN_ACCOUNTS + MANAGER} then 'bench' || n else latin end, name, latin || '@example.com',
      1 + n % ${groups}::int, 'user-' || n, case when n <= ${SIGN_IN_ACCOUNTS + MANAGER} then ${pwHash} end, now(),
      now() - make_interval(mins => (n % 100000)::int)
    from numbered order by n`,
  )

/** A PC for each person, also that of the client that is measured: no license is left for another one. */
const seedDevices = (db: Database) =>
  exec(
    db,
    sql`
    insert into devices ("userIdx", "deviceId", "deviceName", ip, "clientVersion", "useDT")
    select idx, 'bench-device-0000', 'PC-' || idx, '10.' || idx % 200 || '.0.1', '4.2.0', coalesce("lastClientLoginDT", now()) from users`,
  )

const seedSignIns = (db: Database, { users, history }: Sizes) =>
  exec(
    db,
    sql`
    insert into "signIns" (kind, "loginDT", "logoutDT", "userIdx", "userId", "userName", "userGroupName", "groupIdx", ip, "userRole", type,
      "logoutType", "clientVersion", "deviceName")
    select 'client', at, at + interval '4 hours', u.idx, u.id, u.name, g.name, g.idx,
      '10.' || u.idx % 250 || '.' || n % 250 || '.' || n % 99, 2, 0, n % 2, '3.' || n % 9 || '.' || n % 20, 'PC-' || u.idx
    from (
      select n, 2 + ${pick('n', 4, sql`(${users}::int - 1)`)} as "userIdx",
        now() - make_interval(secs => n * 365.0 * 86400 / ${history}::int) as at
      from generate_series(1, ${history}::bigint) n
    ) rows join users u on u.idx = rows."userIdx" join groups g on g.idx = u."groupIdx"
    order by at`,
  )

/** Requests, decided all but the newest hundredth, with one file each. */
const seedRequests = async (db: Database, { users, requests }: Sizes) => {
  await exec(
    db,
    sql`
    insert into "fileEximports" (type, "requesterIdx", "requesterId", "requesterName", "requesterEmail", "requesterGroupIdx", "requesterGroupName",
      "approverIdx", "approverId", "approverName", "approverGroupName", state, "requestDT", "approveDT", "requestPurpose", "isFileUploaded", "fileCount", "fileSize")
    select 1, u.idx, u.id, u.name, u.email, g.idx, g.name, a.idx, a.id, a.name, '부서 1',
      case when n * 100 > ${requests}::int * 99 then 0 else 1 + n % 2 end, at, at + interval '1 hour', '업무 자료 전달', 1, 1, n % 100000
    from (
      select n, 2 + ${pick('n', 5, sql`(${users}::int - 1)`)} as "userIdx",
        now() - make_interval(secs => (${requests}::int - n) * 365.0 * 86400 / ${requests}::int) as at
      from generate_series(1, ${requests}::bigint) n
    ) rows join users u on u.idx = rows."userIdx" join groups g on g.idx = u."groupIdx" join users a on a.idx = ${MANAGER}
    order by n`,
  )
  await exec(
    db,
    sql`
    insert into "requestFiles" ("fileEximportIdx", position, "fileName", "fileSize", sha256, "storeName", "wrappedKey", "isUploaded")
    select idx, 0, (array['견적서','설계도','회의록','보고서','계약서'])[1 + idx % 5] || ' ' || idx || '.pdf', "fileSize", repeat('0', 64),
      'bench-' || idx, '', 1
    from "fileEximports"`,
  )
}

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
  await exec(db, sql`insert into "authorityUsers" ("authorityIdx", "userIdx") values (1, ${MANAGER})`)
  await exec(db, sql`insert into "authorityGroups" ("authorityIdx", "groupIdx") values (1, 1)`)
}

/** Fills the database unless it is filled already. Throws if an earlier run stopped while it filled it. */
export async function seed(db: Database, sizes: Sizes, dataDir: string): Promise<void> {
  const doneMark = join(dataDir, 'seeded')
  if (existsSync(doneMark)) return
  const { rows } = await sql<{ count: number }>`select count(*) as count from users`.execute(db.read)
  if ((rows[0]?.count ?? 0) > 1) throw new Error(`${dataDir} was filled only in part: delete it`)
  await makePartitions(db)
  await seedGroups(db, sizes.groups)
  await seedUsers(db, sizes, await hashPassword(PASSWORD))
  await seedDevices(db)
  await seedManager(db)
  await seedRequests(db, sizes)
  await seedSignIns(db, sizes)
  await exec(
    db,
    sql`select setval(pg_get_serial_sequence('groups', 'idx'), ${sizes.groups}), setval(pg_get_serial_sequence('users', 'idx'), ${sizes.users})`,
  )
  await exec(db, sql`vacuum analyze`)
  await writeFile(doneMark, '')
}
