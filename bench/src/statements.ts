// The limit's statements: the best ones known, prepared, in one round trip, each with a lookup of the session.
import { daysBefore } from './sizes.ts'

const USER = `u.idx, u.id, u.name, u.email, u."groupIdx", u."expireDT", u."isMortal", u.key, u."loginType", u.state, u."useOtp",
  u."isSinglePC", u."isMyPolicy", u."lastClientLoginDT", u."isAdmin", u."loginFails", u."otpFails", u.revision,
  (select g.name from groups g where g.idx = u."groupIdx") as "groupName",
  exists (select from "authorityUsers" au where au."userIdx" = u.idx) as "isManager",
  (select json_agg(json_build_object('deviceName', d."deviceName", 'ip', d.ip) order by d.idx) from devices d where d."userIdx" = u.idx) as "usingDevices"`
const SIGN_IN = `s.idx, s."userIdx", s."loginDT", s."logoutDT", s."userId", s."userName", s."userGroupName", s.ip, s."userRole", s.type,
  s."logoutType", s."clientVersion", s."deviceName"`
const REQUEST = `r.idx, r.type, r."requesterId", r."requesterName", r."requesterGroupName", r."approverId", r."approverName", r.state,
  r."requestDT", r."approveDT", r."requestPurpose", r."isFileUploaded", r."fileCount", r."fileSize",
  (select json_agg(json_build_object('idx', f.idx, 'fileName', f."fileName", 'fileSize', f."fileSize", 'sha256', f.sha256) order by f.position)
    from "requestFiles" f where f."fileEximportIdx" = r.idx) as files`

/** Selects the session by the unique index on its token, with the levels of its person. */
const sessionOf = (parameter: string) => `
  select u.idx, u.id, u.name, u.email, u."groupIdx", u."isAdmin", u.state, u."loginType", u."pwSetDT", u."expireDT",
    g.name as "groupName", s."expireDT" as "sessionExpireDT", s."endDT", (select last_value from "rightsRevision") as "rightsRevision",
    (select json_build_object('policy', max(a.policy), 'user', max(a."user"), 'fileExportApprove', max(a."fileExportApprove"),
       'fileImportApprove', max(a."fileImportApprove"), 'log', max(a.log))
     from "authorityUsers" au join authorities a on a.idx = au."authorityIdx" where au."userIdx" = u.idx) as "pageAuth"
  from sessions s join users u on u.idx = s."userIdx" join groups g on g.idx = u."groupIdx" where s."tokenHash" = ${parameter}`

const LISTS = {
  // The page is the end of the sort's index; the count stops at its cap.
  userList: `select (select count(*) from (select from users limit 10001) c) as "totalCount", ${USER}
    from users u order by lower(u.email) desc, u.idx desc limit 25`,
  // Matches are found once by their pairs of characters, with the key of the sort only.
  userSearch: `with found as materialized (
      select u.idx, lower(u.email) as by from users u where pairs(u.name) @> pairs($1) limit 10001),
      page as (select idx, by from found order by by desc, idx desc limit 25)
    select (select count(*) from found) as "totalCount", ${USER}
    from page join users u on u.idx = page.idx order by page.by desc, page.idx desc`,
  // Reads the day's rows once by the index on time, counts and sorts them.
  historyDay: `with found as materialized (select ${SIGN_IN} from "signIns" s
      where kind = 'client' and s."loginDT" >= $1 and s."loginDT" < $2 and lower(s."userId") like '%' || $3::text || '%' limit 10001),
      page as (select * from found order by "loginDT" desc, idx desc limit 25)
    select (select count(*) from found) as "totalCount", page.*, (select u.idx from users u where u.idx = page."userIdx") as "userIdxLink"
    from page order by "loginDT" desc, idx desc`,
  // Page and count follow the index on direction and state, which has the order of the page.
  waiting: `select (select count(*) from (select from "fileEximports" where type = 1 and state = 0 limit 10001) c) as "totalCount", ${REQUEST}
    from "fileEximports" r where type = 1 and state = 0 order by idx desc limit 25`,
}
export type ListName = keyof typeof LISTS
export type StatementName = ListName | 'session'

type Statement = { text: string; values: unknown[] }
/** Returns the statements with their values; the hash of the session is always the last one. */
export function statementsFor(tokenHash: Buffer, now: Date): Record<StatementName, Statement> {
  const values: Record<ListName, unknown[]> = {
    userList: [],
    userSearch: ['지민'],
    historyDay: [daysBefore(now, 100), daysBefore(now, 99), 'jimin'],
    waiting: [],
  }
  const listOf = (name: ListName): Statement => ({
    text: `with me as materialized (${sessionOf(`$${values[name].length + 1}`)})
      select (select to_json(me) from me) as me, list.* from (${LISTS[name]}) list`,
    values: [...values[name], tokenHash],
  })
  return {
    session: { text: sessionOf('$1'), values: [tokenHash] },
    userList: listOf('userList'),
    userSearch: listOf('userSearch'),
    historyDay: listOf('historyDay'),
    waiting: listOf('waiting'),
  }
}

/** The account of a sign-in by the unique index on its ID. */
export const ACCOUNT_OF = `select u.idx, u.id, u.name, u."pwHash", u.state, u."loginFails", u."expireDT", u."isMortal", u."isAdmin",
  u."groupIdx", g.name as "groupName" from users u join groups g on g.idx = u."groupIdx" where lower(u.id) = lower($1)`

/** Writes the row of a sign-in and its session in one commit. */
export const OPEN_SESSION = `with "signIn" as (
    insert into "signIns" (kind, "loginDT", "userIdx", "userId", "userName", "userGroupName", "groupIdx", ip, "userRole", type)
    values ('web', $2, $1, $3, $4, $5, $6, '127.0.0.1', $7, 0) returning idx, "loginDT")
  insert into sessions ("tokenHash", kind, "userIdx", "signInIdx", "signInDT", ip, "userAgent", "createDT", "lastSeenDT", "expireDT", "limitDT")
  select $8, 'web', $1, idx, "loginDT", '127.0.0.1', '', $2, $2, $2::timestamptz + interval '1 hour', $2::timestamptz + interval '1 day'
  from "signIn"`

/** PostgreSQL's own CSV. */
export const copyOf = (since: string): string => `copy (
  select "loginDT", "logoutDT", "userId", "userName", "userGroupName", ip, "userRole", type, "logoutType", "clientVersion", "deviceName"
  from "signIns" where kind = 'client' and "loginDT" >= '${since}' order by "loginDT" desc, idx desc
) to stdout with (format csv, header)`
