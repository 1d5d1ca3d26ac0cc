// The best statement known for each question of the bench, prepared, in one round trip. Each is written for this purpose and not
// taken from the product, and says why it is the best.

const USER = `u.idx, u.id, u.name, u.email, u."groupIdx", u."expireDT", u."isMortal", u.key, u."loginType", u.state, u."useOtp",
  u."isSinglePC", u."isMyPolicy", u."lastClientLoginDT", u."isAdmin", u."loginFails", u."otpFails", u.revision,
  (select g.name from groups g where g.idx = u."groupIdx") as "groupName",
  exists (select from "authorityUsers" au where au."userIdx" = u.idx) as "isManager",
  (select json_agg(json_build_object('deviceName', d."deviceName", 'ip', d.ip) order by d.idx) from devices d where d."userIdx" = u.idx) as "usingDevices"`
const DEVICE = `d.idx, d."deviceName", d.ip as "deviceIp", d."clientVersion", d."useDT", u.id as "userId", u.name as "userName", u.email as "userEmail",
  (select g.name from groups g where g.idx = u."groupIdx") as "groupName"`
const SIGN_IN = `s.idx, s."userIdx", s."loginDT", s."logoutDT", s."userId", s."userName", s."userGroupName", s.ip, s."userRole", s.type,
  s."logoutType", s."clientVersion", s."deviceName"`
const REQUEST = `r.idx, r.type, r."requesterId", r."requesterName", r."requesterGroupName", r."approverId", r."approverName", r.state,
  r."requestDT", r."approveDT", r."requestPurpose", r."isFileUploaded", r."fileCount", r."fileSize"`

/** The files of a listed request. */
const FILES = `(select json_agg(json_build_object('idx', f.idx, 'fileName', f."fileName", 'fileSize', f."fileSize", 'sha256', f.sha256) order by f.position)
    from "requestFiles" f where f."fileEximportIdx" = r.idx) as files`
const ENTRY = `h.idx, h."logDT", h.type, h.result, h."actorIdx", h."actorId", h."actorName", h."actorGroupName", h."subjectIdx", h.ip, h.detail`
/** The groups that the manager of one group covers: $1 is the group, and one index finds what is below it. */
const COVERED = `any(array(select g.idx from groups g where g.path @> array[$1::bigint]))`

/** The links of a page's rows: their users as far as they exist and, for the manager of one group, are covered. */
const linkOf = (column: string, covered = '') =>
  `(select u.idx from users u where u.idx = page."${column}"${covered === '' ? '' : ` and u."groupIdx" = ${covered}`}) as "${column}Link"`
const linksOf = (columns: readonly string[], covered = '') =>
  columns.map((column) => `, ${linkOf(column, covered)}`).join('')

/** Rows of a day found once, counted and sorted; links for those of the page alone. */
const foundOf = (columns: string, table: string, time: string, conditions: string, links = '') => `
    with found as materialized (select ${columns} from ${table} where ${conditions} limit 10001),
      page as (select * from found order by "${time}" desc, idx desc limit 25)
    select (select count(*) from found) as "totalCount", page.*${links} from page order by "${time}" desc, idx desc`

export const STATEMENTS = {
  // By the unique index on the token; levels are summed up in the same round trip. PostgreSQL keeps the plan.
  session: `
    select u.idx, u.id, u.name, u.email, u."groupIdx", u."isAdmin", u.state, u."loginType", u."pwSetDT", u."expireDT", g.name as "groupName", s."expireDT" as "sessionExpireDT",
      s."endDT", (select last_value from "rightsRevision") as "rightsRevision",
      (select json_build_object('policy', max(a.policy), 'user', max(a."user"), 'fileExportApprove', max(a."fileExportApprove"),
         'fileImportApprove', max(a."fileImportApprove"), 'log', max(a.log))
       from "authorityUsers" au join authorities a on a.idx = au."authorityIdx" where au."userIdx" = u.idx) as "pageAuth"
    from sessions s join users u on u.idx = s."userIdx" join groups g on g.idx = u."groupIdx" where s."tokenHash" = $1`,
  // Every group is read once and its people are counted in one pass; the levels come from the grants on its path. As one JSON text, since
  // ten thousand rows are cheaper to write in PostgreSQL than to read in Node.
  groupTree: `
    with granted as (
      select ag."groupIdx", max(a.policy) as policy, max(a."user") as "user", max(a."fileExportApprove") as "fileExportApprove", max(a.log) as log
      from "authorityUsers" au join authorities a on a.idx = au."authorityIdx" join "authorityGroups" ag on ag."authorityIdx" = a.idx
      where au."userIdx" = $1 group by ag."groupIdx"
    ), people as (select "groupIdx", count(*) from users group by 1)
    select json_agg(json_build_object('idx', g.idx, 'parentIdx', g."parentIdx", 'name', g.name, 'description', g.description, 'isMyPolicy', g."isMyPolicy",
      'isDmsParent', g."isDmsParent", 'isSync', g."isSync", 'userCount', coalesce(p.count, 0), 'maxPolicy', t.policy, 'maxUser', t."user",
      'maxFileExportApprove', t."fileExportApprove", 'maxLog', t.log, 'revision', g.revision)
      order by cardinality(g.path), g.position, g.idx)::text as json
    from groups g join granted t on t."groupIdx" = any(g.path) left join people p on p."groupIdx" = g.idx`,
  // The few policies on the user's path by their unique index, the nearest first.
  agentPolicy: `
    select u."isSinglePC", p.* from users u join groups g on g.idx = u."groupIdx" cross join lateral (
      select * from policies p where p."userIdx" = u.idx and u."isMyPolicy" = 1 or p."groupIdx" = any(g.path)
      order by p."userIdx" nulls last, array_position(g.path, p."groupIdx") desc limit 1) p
    where u.idx = $1`,
  // Matches are found once, exactly, by their pair of characters, and only the key of the sort is kept of them: names and the
  // addresses made from them go together, so that following the sort's index discards most rows.
  userSearch: `
    with found as materialized (select u.idx, lower(u.email) as by from users u where pairs(u.name) @> pairs($1) limit 10001),
      page as (select idx, by from found order by by desc, idx desc limit 25)
    select (select count(*) from found) as "totalCount", ${USER} from page join users u on u.idx = page.idx order by page.by desc, page.idx desc`,
  // The same by the trigrams of the ID, for a manager of everything: who holds the root reaches every group, so that no path is compared.
  userSearchManager: `
    with found as materialized (select u.idx, lower(u.id) as by from users u where lower(u.id) like '%' || $1::text || '%'
        and (select bool_or(ag."groupIdx" = 1) from "authorityUsers" au join "authorityGroups" ag using ("authorityIdx") where au."userIdx" = $2) limit 10001),
      page as (select idx, by from found order by by desc, idx desc limit 25)
    select (select count(*) from found) as "totalCount", ${USER} from page join users u on u.idx = page.idx order by page.by desc, page.idx desc`,
  // A fifth match: the count stops at its cap on the index of names alone, and the sort's index meets 25 of them within a few hundred rows. Compared with a
  // number, the condition keeps the plan from collecting every match first.
  userSearchMany: `
    select (select count(*) from (select from users where (lower(name) like '%' || $1::text || '%')::int <> 0 limit 10001) c) as "totalCount", ${USER}
    from users u where (lower(u.name) like '%' || $1::text || '%')::int <> 0 order by lower(u.email) desc, u.idx desc limit 25`,
  // The page is the end of the sort's index; the count stops at its cap, on the index alone.
  userList: `
    select (select count(*) from (select from users limit 10001) c) as "totalCount", ${USER}
    from users u order by lower(u.email) desc, u.idx desc limit 25`,
  // The page first, by the index on the last use; what only the answer needs is read for its 25 rows.
  deviceList: `
    select (select count(*) from (select from devices limit 10001) c) as "totalCount", ${DEVICE}
    from (select * from devices order by "useDT" desc, idx desc limit 25) d join users u on u.idx = d."userIdx" order by d."useDT" desc, d.idx desc`,
  // As the user search, joined with the PCs by the index on their user.
  deviceSearch: `
    with found as materialized (select d.idx, d."useDT" as by from users u join devices d on d."userIdx" = u.idx where pairs(u.name) @> pairs($1) limit 10001),
      page as (select idx, by from found order by by desc, idx desc limit 25)
    select (select count(*) from found) as "totalCount", ${DEVICE}
    from page join devices d on d.idx = page.idx join users u on u.idx = d."userIdx" order by page.by desc, page.idx desc`,
  // As the user search.
  approvalsName: `
    with found as materialized (select r.idx, r."requestDT" as by from "fileEximports" r where r.type = 1 and pairs(r."requesterName") @> pairs($1) limit 10001),
      page as (select idx, by from found order by by desc, idx desc limit 25)
    select (select count(*) from found) as "totalCount", ${REQUEST}, ${FILES} from page join "fileEximports" r on r.idx = page.idx order by page.by desc, page.idx desc`,
  // One partition, one range of the index on time: the day's rows are read once, counted and sorted.
  historyDay: foundOf(
    SIGN_IN,
    '"signIns" s',
    'loginDT',
    `kind = 'client' and s."loginDT" >= $1 and s."loginDT" < $2 and lower(s."userId") like '%' || $3::text || '%'`,
    linksOf(['userIdx']),
  ),
  // Two weeks, the same way.
  historyWeeks: foundOf(
    SIGN_IN,
    '"signIns" s',
    'loginDT',
    `kind = 'client' and s."loginDT" >= $1 and s."loginDT" < $2 and lower(s."userId") like '%' || $3::text || '%'`,
    linksOf(['userIdx']),
  ),
  // Many match: the count takes the first partitions' index on pairs as far as its cap, the page follows the index on time.
  historyAll: `
    select (select count(*) from (select from "signIns" where kind = 'client' and pairs("userName") @> pairs($1) limit 10001) c) as "totalCount", page.*${linksOf(['userIdx'])}
    from (select ${SIGN_IN} from "signIns" s where kind = 'client' and (lower(s."userName") like '%' || $1::text || '%')::int <> 0
      order by "loginDT" desc, idx desc limit 25) page order by "loginDT" desc, idx desc`,
  // The groups below one, then the rows of a day of each of them by the index on group and time.
  historyDayGroup: foundOf(
    SIGN_IN,
    '"signIns" s',
    'loginDT',
    `kind = 'client' and s."groupIdx" = ${COVERED} and s."loginDT" >= $2 and s."loginDT" < $3 and lower(s."userId") like '%' || $4::text || '%'`,
    linksOf(['userIdx'], COVERED),
  ),
  // The group's rows and the name's rows are intersected as bitmaps of two indexes: fewer rows are read than by either.
  historyAllGroup: foundOf(
    SIGN_IN,
    '"signIns" s',
    'loginDT',
    `kind = 'client' and s."groupIdx" = ${COVERED} and pairs(s."userName") @> pairs($2)`,
    linksOf(['userIdx'], COVERED),
  ),
  // As the sign-ins of one day, on the index of kind and time.
  entryDay: foundOf(
    ENTRY,
    'history h',
    'logDT',
    `kind = 'userManage' and h."logDT" >= $1 and h."logDT" < $2 and lower(h."targetId") like '%' || $3::text || '%'`,
    linksOf(['subjectIdx', 'actorIdx']),
  ),
  // As the sign-ins of all time.
  entryAll: `
    select (select count(*) from (select from history where kind = 'userManage' and pairs("targetName") @> pairs($1) limit 10001) c) as "totalCount", page.*${linksOf(['subjectIdx', 'actorIdx'])}
    from (select ${ENTRY} from history h where kind = 'userManage' and (lower(h."targetName") like '%' || $1::text || '%')::int <> 0
      order by "logDT" desc, idx desc limit 25) page order by "logDT" desc, idx desc`,
  // As the sign-ins of one group.
  entryDayGroup: foundOf(
    ENTRY,
    'history h',
    'logDT',
    `kind = 'userManage' and h."groupIdx" = ${COVERED} and h."logDT" >= $2 and h."logDT" < $3 and lower(h."targetId") like '%' || $4::text || '%'`,
    linksOf(['subjectIdx', 'actorIdx'], COVERED),
  ),
  entryAllGroup: foundOf(
    ENTRY,
    'history h',
    'logDT',
    `kind = 'userManage' and h."groupIdx" = ${COVERED} and pairs(h."targetName") @> pairs($2)`,
    linksOf(['subjectIdx', 'actorIdx'], COVERED),
  ),
  // The page and the count follow the index on direction and state, which has the order of the page.
  approvalsWaiting: `
    select (select count(*) from (select from "fileEximports" where type = 1 and state = 0 limit 10001) c) as "totalCount", ${REQUEST}, ${FILES}
    from "fileEximports" r where type = 1 and state = 0 order by idx desc limit 25`,
  // The few waiting requests of one group, by the index on the group.
  approvalsGroup: foundOf(
    `${REQUEST}, ${FILES}`,
    '"fileEximports" r',
    'idx',
    `type = 1 and state = 0 and r."requesterGroupIdx" = ${COVERED}`,
  ),
  // The first digits by the index on the number as text, and the digits anywhere in the ID or name by their trigrams, as the console's one field asks.
  approvalsNumber: `
    with found as materialized (select r.idx from "fileEximports" r where r.type = 1 and (r.idx::text like $1::text || '%'
      or lower(r."requesterId") like '%' || $1::text || '%' or lower(r."requesterName") like '%' || $1::text || '%') limit 10001),
      page as (select idx from found order by idx desc limit 25)
    select (select count(*) from found) as "totalCount", ${REQUEST}, ${FILES} from page join "fileEximports" r on r.idx = page.idx order by page.idx desc`,
} as const
export type StatementName = keyof typeof STATEMENTS
/** A value of a statement; bytes travel as base64. */
export type Value = string | number | { base64: string }

// PostgreSQL's own CSV, which never becomes rows in Node.
export const COPIES = {
  copySignIns: (since: string) => `copy (
  select "loginDT", "logoutDT", "userId", "userName", "userGroupName", ip, "userRole", type, "logoutType", "clientVersion", "deviceName"
  from "signIns" where kind = 'client' and "loginDT" >= '${since}' order by "loginDT" desc, idx desc
) to stdout with (format csv, header)`,
  copyEntries: (since: string) => `copy (
  select "logDT", type, detail ->> 'userId', detail ->> 'userName', detail ->> 'userGroupName', detail ->> 'targetIp', detail ->> 'processName', detail ->> 'blockDT', ip
  from history where kind = 'networkAccess' and "logDT" >= '${since}' order by "logDT" desc, idx desc
) to stdout with (format csv, header)`,
} as const
export type CopyName = keyof typeof COPIES
