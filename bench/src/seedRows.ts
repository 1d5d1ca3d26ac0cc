// A year of sign-ins, history and requests with their files. One statement for each table; rows are the same in every
// run.
import type { Database } from '@acc/server/src/db/open.ts'
import { type RawBuilder, sql } from 'kysely'
import { execAll, fillBare } from './bulk.ts'
import { MANAGER, MEMBER } from './people.ts'
import type { Sizes } from './sizes.ts'

/** Returns a pseudo-random number below `bound` that is the same in every run. */
export const pick = (row: string, salt: number, bound: RawBuilder<unknown> | number) =>
  sql`(abs(hashint8extended(${sql.ref(row)}, ${sql.lit(salt)}) % ${typeof bound === 'number' ? sql.lit(bound) : bound}))`

/** Selects `count` moments of the last year, evenly, each with a person and the person's group. */
const rowsOf = (count: number, users: number, salt: number) => sql`(
  select n, now() - make_interval(secs => (${count}::int - n) * 365.0 * 86400 / ${count}::int) as at,
    u.idx as "userIdx", u.id, u.name, u.email, g.idx as "groupIdx", g.name as "groupName"
  from generate_series(1, ${count}::bigint) n
  join users u on u.idx = 2 + ${pick('n', salt, sql`(${users}::int - 1)`)}
  join groups g on g.idx = u."groupIdx") rows`

export const seedSignIns = (db: Database, { users, signIns }: Sizes): Promise<void> =>
  fillBare(
    db,
    'signIns',
    sql`
    insert into "signIns" (kind, "loginDT", "logoutDT", "userIdx", "userId", "userName", "userGroupName", "groupIdx", ip, "userRole", type,
      "logoutType", "clientVersion", "deviceName")
    select 'client', at, at + interval '4 hours', "userIdx", id, name, "groupName", "groupIdx",
      '10.' || "userIdx" % 250 || '.' || n % 250 || '.' || n % 99, 2, 0, n % 2, '3.' || n % 9 || '.' || n % 20, 'PC-' || "userIdx"
    from ${rowsOf(signIns, users, 4)}
    order by n`,
  )

/** The kinds of ten rows, with the number of their events. */
const KINDS = [
  ...Array.from({ length: 4 }, () => ['networkAccess', 2] as const),
  ['userManage', 7],
  ['userManage', 7],
  ['policyManage', 4],
  ['fileExport', 3],
  ['fileDownload', 1],
  ['licenseUse', 2],
] as const
const kindOf = sql`(array[${sql.join(KINDS.map(([kind]) => sql.lit(kind)))}])[1 + n % 10]`
const eventsOf = sql`(array[${sql.join(KINDS.map(([, events]) => sql.lit(events)))}])[1 + n % 10]`

/** Builds the fields of users and policies that have old values. Some changed: names the least. */
const changesOf = (kind: RawBuilder<unknown>) => sql`case ${kind}
  when 'userManage' then jsonb_build_object('targetEmail', email, 'targetOldEmail', email, 'targetState', n % 2,
    'targetOldState', n / 10 % 2, 'targetOldId', id, 'targetOldName', case when n % 70 = 5 then '옛 이름' else name end,
    'targetOldGroupName', case when n % 9 = 0 then '옛 부서' else "groupName" end)
  else jsonb_build_object('policyPrint', 1, 'policyOldPrint', n / 10 % 2, 'policyClipboard', 1, 'policyOldClipboard', 1)
  end`

/** Builds the detail of a row with the fields of its kind. */
const detailOf = (kind: RawBuilder<unknown>) => sql`
  case
    when ${kind} = 'networkAccess' then jsonb_build_object('userId', id, 'userName', name, 'userGroupName', "groupName",
      'targetIp', '203.0.' || n % 200 || '.' || n % 99, 'processName', 'app' || n % 40 || '.exe', 'blockDT', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    when ${kind} in ('userManage', 'policyManage') then jsonb_build_object('targetId', id, 'targetName', name, 'targetGroupName', "groupName",
      'targetType', 1) || ${changesOf(kind)}
    when ${kind} = 'licenseUse' then jsonb_build_object('userId', id, 'userName', name, 'userGroupName', "groupName", 'deviceName', 'PC-' || "userIdx")
    else jsonb_build_object('requesterId', id, 'requesterName', name, 'requesterGroupName', "groupName", 'purpose', '업무 자료 전달')
  end`

/** Inserts history. The author of every second row is the person, of the others the manager of everything. */
export const seedHistory = (db: Database, { users, history }: Sizes): Promise<void> =>
  fillBare(
    db,
    'history',
    sql`
    insert into history (kind, "logDT", "actorIdx", "actorId", "actorName", "actorGroupName", subject, "subjectIdx", "groupIdx", ip, type, result, detail)
    select kind, at, actor.idx, actor.id, actor.name, '부서 2', 'user', "userIdx", rows."groupIdx", '10.0.' || n % 250 || '.7',
      (n / 10 % ${eventsOf})::int, 0, detail
    from (select *, ${detailOf(sql`kind`)} as detail, case when n % 2 = 0 then ${MANAGER}::bigint else "userIdx" end as "actorIdx"
      from (select *, ${kindOf} as kind from ${rowsOf(history, users, 6)}) rows) rows
    join users actor on actor.idx = rows."actorIdx"
    order by n`,
  )

const waitingOf = (requests: number) => Math.max(1, Math.round(requests / 100))

/** Inserts requests with one file each, decided but for the newest hundredth. */
export async function seedRequests(db: Database, { users, requests }: Sizes): Promise<void> {
  await fillBare(
    db,
    'fileEximports',
    sql`
    insert into "fileEximports" (type, "requesterIdx", "requesterId", "requesterName", "requesterEmail", "requesterGroupIdx", "requesterGroupName",
      "approverIdx", "approverId", "approverName", "approverGroupName", state, "requestDT", "approveDT", "requestPurpose", "isFileUploaded", "fileCount", "fileSize", "waitDT", step, steps)
    select 1, "userIdx", rows.id, rows.name, email, "groupIdx", rows."groupName",
      approver.idx, approver.id, approver.name, approver."groupName", case when isWaiting then 0 else 1 + n % 2 end, at,
      case when not isWaiting then at + interval '1 hour' end, '업무 자료 전달', 1, 1, n % 100000, case when isWaiting then at end,
      case when n % 10 = 0 then 2 else 1 end, case when n % 10 = 0 then 2 else 1 end
    from (select rows.*, n > ${requests - waitingOf(requests)}::int as isWaiting from ${rowsOf(requests, users, 5)}) rows
    left join (select u.idx, u.id, u.name, g.name as "groupName" from users u join groups g on g.idx = u."groupIdx" where u.idx = ${MANAGER}) approver
      on not isWaiting
    order by n`,
  )
  await fillBare(
    db,
    'requestFiles',
    sql`
    insert into "requestFiles" ("fileEximportIdx", position, "fileName", "fileSize", sha256, "storeName", "wrappedKey", "isUploaded")
    select idx, 0, (array['견적서','설계도','회의록','보고서','계약서'])[1 + idx % 5] || ' ' || idx || '.pdf', "fileSize", repeat('0', 64),
      'bench-' || idx, '', 1
    from "fileEximports" order by idx`,
  )
  await execAll(db, [sql`analyze "fileEximports", "requestFiles"`])
}

/** The authorities of step 2: of MEMBER, and without a member. */
export const [OF_STEP, OF_NOBODY] = [501, 502]

/** Inserts the steps of each tenth request. MEMBER decided a fifth of them. Nobody can decide one of a hundred. */
export const seedSteps = (db: Database): Promise<void> =>
  execAll(db, [
    sql`insert into "requestSteps" ("fileEximportIdx", step, "authorityIdx", "authorityName")
      select r.idx, 2, a.idx, a.name
      from "fileEximports" r join authorities a
        on a.idx = case when r.state = 0 and r.idx % 1000 = 0 then ${OF_NOBODY}::bigint else ${OF_STEP}::bigint end
      where r.steps = 2`,
    sql`insert into "requestDecisions" ("fileEximportIdx", step, decision, "deciderIdx", "deciderId", "deciderName", reason, "decideDT")
      select r.idx, decided.step, 1, u.idx, u.id, u.name, '', r."requestDT" + interval '1 hour'
      from "fileEximports" r cross join generate_series(1, 2) decided(step)
        join users u on u.idx = case when decided.step = 2 and r.idx % 50 = 0 then ${MEMBER}::bigint else ${MANAGER}::bigint end
      where r.steps = 2 and (decided.step = 1 or r.state <> 0)`,
    sql`analyze "requestSteps", "requestDecisions"`,
  ])
