// Fills an empty database with an organization of the given size. IDs and addresses come from the names, so that
// matches of a name are neighbors in the index.
import type { Database } from '@acc/server/src/db/open.ts'
import { hashPassword } from '@acc/server/src/domains/credentials/hashing.ts'
import { type RawBuilder, sql } from 'kysely'
import { execAll } from './bulk.ts'
import { ACCOUNT, GROUP, GROUP_MANAGER, MANAGER, MEMBER, PASSWORD, SUBSTITUTE } from './people.ts'
import { OF_NOBODY, OF_STEP, pick, seedHistory, seedRequests, seedSignIns, seedSteps } from './seedRows.ts'
import type { Sizes } from './sizes.ts'

const exec = (db: Database, statement: RawBuilder<unknown>) => execAll(db, [statement])

// The parent of a group has a tenth of its number: about five levels for ten thousand.
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

/** Parts of names in Korean and in Latin letters, with their frequency. */
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
/** Picks a syllable for the row `n`, the same one in both scripts. */
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
    select n, case when n <= ${SUBSTITUTE} then 'bench' || n else latin end, name, latin || '@example.com',
      1 + n % ${groups}::int, 'user-' || n, case when n <= ${SUBSTITUTE} then ${pwHash} end, now(),
      now() - make_interval(mins => (n % 100000)::int)
    from numbered order by n`,
  )

/** Gives each person a PC, also the measured client, since no license remains. */
const seedDevices = (db: Database) =>
  exec(
    db,
    sql`
    insert into devices ("userIdx", "deviceId", "deviceName", ip, "clientVersion", "useDT")
    select idx, 'bench-device-0000', 'PC-' || idx, '10.' || idx % 200 || '.0.1', '4.2.0', coalesce("lastClientLoginDT", now()) from users`,
  )

/** Creates monthly partitions for the year of history. */
const makePartitions = (db: Database) =>
  exec(
    db,
    sql`select "makePartitions"('signIns', (now() - interval '13 months')::date, 16), "makePartitions"('history', (now() - interval '13 months')::date, 16)`,
  )

/** Creates the authorities of the manager of everything, of the manager of GROUP, and of the others with a password. */
const seedAuthorities = (db: Database) =>
  execAll(db, [
    sql`insert into authorities (idx, name, policy, "user", "fileImportApprove", "fileExportApprove", log)
      values (1, 'all', 2, 2, 0, 2, 1), (2, 'one group', 2, 2, 2, 2, 1), (3, 'approvers', 0, 0, 2, 2, 0)`,
    sql`insert into "authorityUsers" ("authorityIdx", "userIdx") values (1, ${MANAGER}), (2, ${GROUP_MANAGER})`,
    sql`insert into "authorityUsers" ("authorityIdx", "userIdx")
      select 3, n from generate_series(${ACCOUNT + 1}::int, ${GROUP_MANAGER - 1}::int) n`,
    sql`insert into "authorityGroups" ("authorityIdx", "groupIdx") values (1, 1), (2, ${GROUP}), (3, 1)`,
  ])

/** Creates 500 authorities altogether: the others are of two people for one group each. */
const seedOtherAuthorities = (db: Database) =>
  execAll(db, [
    sql`insert into authorities (idx, name, policy, "user", "fileImportApprove", "fileExportApprove", log)
      select n, 'team ' || n, 2, 2, 2, 2, 1 from generate_series(4, 500) n`,
    sql`insert into "authorityGroups" ("authorityIdx", "groupIdx") select n, n + 20 from generate_series(4, 500) n`,
    sql`insert into "authorityUsers" ("authorityIdx", "userIdx")
      select n, ${GROUP_MANAGER}::int + 2 * n + one from generate_series(4, 500) n, generate_series(0, 1) one`,
  ])

/** Creates the authorities of step 2, one of which has no member, and an absence of a member. */
const seedSteppers = (db: Database) =>
  execAll(db, [
    sql`insert into authorities (idx, name, policy, "user", "fileImportApprove", "fileExportApprove", log)
      values (${OF_STEP}, 'step 2', 0, 0, 0, 2, 0), (${OF_NOBODY}, 'nobody', 0, 0, 0, 2, 0), (503, 'substitute', 0, 0, 0, 2, 0)`,
    sql`insert into "authorityGroups" ("authorityIdx", "groupIdx") select n, ${GROUP} from generate_series(501, 503) n`,
    sql`insert into "authorityUsers" ("authorityIdx", "userIdx") values (${OF_STEP}, ${MEMBER}), (503, ${SUBSTITUTE})`,
    sql`insert into absences ("userIdx", "substituteIdx", "startDT", "endDT", reason, "isAnnounced")
      values (${MEMBER}, ${SUBSTITUTE}, now(), now() + interval '10 years', 'bench', true)`,
  ])

/** Gives each tenth group an own policy, of which some are stricter than that of the root. */
const seedPolicies = (db: Database) =>
  execAll(db, [
    sql`insert into policies select (jsonb_populate_record(root, jsonb_build_object(
        'idx', (select max(idx) from policies) + g.idx, 'groupIdx', g.idx, 'print', g.idx / 10 % 2))).*
      from policies root, groups g where root."groupIdx" = 1 and g.idx % 10 = 2`,
    sql`update groups set "isMyPolicy" = 1 where idx % 10 = 2`,
  ])

/** Sets the sequences to the highest numbers. */
const raiseSequences = (db: Database) =>
  exec(
    db,
    sql`select setval(pg_get_serial_sequence('groups', 'idx'), (select max(idx) from groups))
      union all select setval(pg_get_serial_sequence('users', 'idx'), (select max(idx) from users))
      union all select setval(pg_get_serial_sequence('authorities', 'idx'), (select max(idx) from authorities))
      union all select setval(pg_get_serial_sequence('policies', 'idx'), (select max(idx) from policies))`,
  )

/** Fills a migrated database. */
export async function seed(db: Database, sizes: Sizes): Promise<void> {
  await makePartitions(db)
  await seedGroups(db, sizes.groups)
  await seedUsers(db, sizes, await hashPassword(PASSWORD))
  await seedDevices(db)
  await seedAuthorities(db)
  await seedOtherAuthorities(db)
  await seedSteppers(db)
  await seedPolicies(db)
  // Two at a time, for two processors.
  await Promise.all([
    seedSignIns(db, sizes),
    seedHistory(db, sizes)
      .then(() => seedRequests(db, sizes))
      .then(() => seedSteps(db)),
  ])
  await raiseSequences(db)
  // Sets the visibility map as autovacuum does, for index-only scans.
  await exec(db, sql`vacuum (analyze, freeze)`)
}
