// The limit that the product is measured against: node:http and pg, no framework, no access checks, no schemas, and for each
// question the best statement known: prepared, one round trip, written for this purpose and not taken from the product. Each
// carries the reason why it is the best. `/NAME` runs the statement of that name with the values of the order.
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { verify } from '@node-rs/argon2'
import Fastify from 'fastify'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

const USER = `u.idx, u.id, u.name, u.email, u."groupIdx", u."expireDT", u."isMortal", u.key, u."loginType", u.state, u."useOtp",
  u."isSinglePC", u."isMyPolicy", u."lastClientLoginDT", u."isAdmin", u.revision,
  (select g.name from groups g where g.idx = u."groupIdx") as "groupName",
  exists (select from "authorityUsers" au where au."userIdx" = u.idx) as "isManager",
  (select count(*) from devices d where d."userIdx" = u.idx) as "deviceCount"`
const DEVICE = `d.idx, d."deviceName", d.ip as "deviceIp", d."clientVersion", d."useDT", u.id as "userId", u.name as "userName", u.email as "userEmail",
  (select g.name from groups g where g.idx = u."groupIdx") as "groupName"`
const SIGN_IN = `s.idx, s."loginDT", s."logoutDT", s."userId", s."userName", s."userGroupName", s.ip, s."userRole", s.type,
  s."logoutType", s."clientVersion", s."deviceName"`
const REQUEST = `r.idx, r.type, r."requesterId", r."requesterName", r."requesterGroupName", r."approverId", r."approverName", r.state,
  r."requestDT", r."approveDT", r."requestPurpose", r."isFileUploaded", r."fileCount", r."fileSize"`

const STATEMENTS = {
  // By the unique index on the token; levels are summed up in the same round trip. PostgreSQL keeps the plan.
  session: `
    select u.idx, u.id, u.name, u.email, u."groupIdx", u."isAdmin", u.state, u."pwSetDT", u."expireDT", g.name as "groupName", s."expireDT" as "sessionExpireDT",
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
  requestSearch: `
    with found as materialized (select r.idx, r."requestDT" as by from "fileEximports" r where r.type = 1 and pairs(r."requesterName") @> pairs($1) limit 10001),
      page as (select idx, by from found order by by desc, idx desc limit 25)
    select (select count(*) from found) as "totalCount", ${REQUEST} from page join "fileEximports" r on r.idx = page.idx order by page.by desc, page.idx desc`,
  // One partition, one range of the index on time: the day's rows are read once, counted and sorted.
  historyDay: `
    with found as materialized (select ${SIGN_IN} from "signIns" s where kind = 'client' and s."loginDT" >= $1 and s."loginDT" < $2 and lower(s."userId") like '%' || $3::text || '%' limit 10001)
    select (select count(*) from found) as "totalCount", found.* from found order by "loginDT" desc, idx desc limit 25`,
  // Two weeks, the same way.
  historyWeeks: `
    with found as materialized (select ${SIGN_IN} from "signIns" s where kind = 'client' and s."loginDT" >= $1 and s."loginDT" < $2 and lower(s."userId") like '%' || $3::text || '%' limit 10001)
    select (select count(*) from found) as "totalCount", found.* from found order by "loginDT" desc, idx desc limit 25`,
  // Many match: the count takes the first partitions' index on pairs as far as its cap, the page follows the index on time.
  historyAll: `
    select (select count(*) from (select from "signIns" where kind = 'client' and pairs("userName") @> pairs($1) limit 10001) c) as "totalCount", ${SIGN_IN}
    from "signIns" s where kind = 'client' and (lower(s."userName") like '%' || $1::text || '%')::int <> 0 order by "loginDT" desc, idx desc limit 25`,
} as const
export type StatementName = keyof typeof STATEMENTS

// PostgreSQL's own CSV, which never becomes rows in Node.
const copyStatement = (since: string) => `copy (
  select "loginDT", "logoutDT", "userId", "userName", "userGroupName", ip, "userRole", type, "logoutType", "clientVersion", "deviceName"
  from "signIns" where kind = 'client' and "loginDT" >= '${since}' order by "loginDT" desc, idx desc
) to stdout with (format csv, header)`

/** A value of a statement; bytes travel as base64. */
export type Value = string | number | { base64: string }
export type Order = {
  connection: { host: string; port: number; user: string; database: string }
  values: Partial<Record<StatementName, Value[]>>
  /** The first moment of the rows that are copied as CSV. */
  csvSince: string
  pwHash: string
  password: string
  /** Destination of uploads and source of downloads. */
  file: string
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ ...order.connection, max: 10, options: '-c timezone=UTC' })

function send(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}
const envelope = (data: string) => `{"errorCode":0,"message":"","data":${data}}`

const isStatement = (name: string): name is StatementName => Object.hasOwn(STATEMENTS, name)

async function runStatement(name: StatementName, response: ServerResponse): Promise<void> {
  const values = (order.values[name] ?? []).map((value) =>
    typeof value === 'object' ? Buffer.from(value.base64, 'base64') : value,
  )
  const { rows } = await pool.query<{ json?: string }>({ name, text: STATEMENTS[name], values })
  send(response, envelope(rows[0]?.json ?? JSON.stringify(rows)))
}

/** Stores a file as it arrives and responds when the disk has it. */
async function upload(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await pipeline(request, createWriteStream(order.file))
  const handle = await open(order.file, 'r')
  await handle.sync()
  await handle.close()
  send(response, envelope('{}'))
}

async function copy(response: ServerResponse): Promise<void> {
  const client = await pool.connect()
  await pipeline(client.query(copyTo(copyStatement(order.csvSince))), response).finally(() => client.release())
}

const OTHERS: Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>> = {
  empty: async (_request, response) => send(response, envelope('{}')),
  signIn: async (_request, response) => {
    await verify(order.pwHash, order.password)
    send(response, envelope('{}'))
  },
  upload,
  download: (_request, response) => pipeline(createReadStream(order.file), response),
  copy: (_request, response) => copy(response),
}

const server = createServer((request, response) => {
  const name = (request.url ?? '/').slice(1)
  const work = isStatement(name) ? runStatement(name, response) : OTHERS[name]?.(request, response)
  work?.catch((error: Error) => response.writeHead(500).end(error.message))
})
const bareFastify = Fastify()
bareFastify.get('/empty', async () => ({ errorCode: 0, message: '', data: {} }))
const fastifyUrl = await bareFastify.listen({ host: '127.0.0.1', port: 0 })
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}`, fastifyUrl })}\n`)
})
