// BIM: servers that report who is connected, and their rules for letting people in: always-allowed IP addresses,
// allowed groups and allowed users (spec S2 §2.2, §3, §5, §7). For system administrators only.
import { z } from 'zod'
import { shapeOf } from './core/columns.ts'
import { ByIdx, Empty, flag, idx, idxes, line, moment, secret } from './core/fields.ts'
import { ipNumber } from './core/ip.ts'
import { defineRoutes, del, get, post, put } from './core/route.ts'
import { enumOf } from './labels/enumOf.ts'
import { PERSON_COLUMNS } from './personColumns.ts'

/** Whether a BIM server has reported within the last 90 seconds. */
export const BimServerState = enumOf({
  OFFLINE: { value: 0, ko: '오프라인', en: 'Offline', tone: 'quiet' },
  ONLINE: { value: 1, ko: '온라인', en: 'Online', tone: 'ok' },
})

/** Rows of each kind, which are also the largest lists of the calls below. */
export const MAX_BIM = { servers: 100, exceptions: 1000, groups: 1000, users: 5000 } as const
/** Live connections of one response, the newest first. */
export const MAX_LISTED_CONNECTIONS = 10_000
/** Characters of an IPv4 address. */
export const MAX_IP = 15

/** The bearer secret of a server, at least 16 characters. A generated one has 256 random bits. */
export const bimServerId = secret(
  z
    .string()
    .min(16)
    .max(100, { abort: true })
    .regex(/^[A-Za-z0-9_-]+$/),
)
export const pcName = line(30).min(1)
export const bimDescription = line(100)
/** An IPv4 address of four numbers from 0 to 255. */
export const ipv4 = z
  .string()
  .trim()
  .max(MAX_IP, { abort: true })
  .refine((text) => ipNumber(text) !== undefined, 'ip')

export const BimServer = z.object({
  idx,
  /** A secret: servers sign in with it. */
  id: z.string(),
  pcName: z.string(),
  ip: z.string(),
  description: z.string(),
  /** 1: reported within the last 90 seconds. */
  isOnline: flag,
  /** The last report; null before the first one. */
  heartbeatDT: moment.nullable(),
  revision: z.int(),
})
export type BimServer = z.output<typeof BimServer>

export const BimException = z.object({ idx, ip: z.string(), description: z.string(), revision: z.int() })
export type BimException = z.output<typeof BimException>

/** `path`: the names from the root down to the group, joined by ` > `. */
export const BimGroup = z.object({ groupIdx: idx, name: z.string(), path: z.string() })
export type BimGroup = z.output<typeof BimGroup>

export const BimUser = z.object({ idx, ...shapeOf(PERSON_COLUMNS) })
export type BimUser = z.output<typeof BimUser>

/** A connection that a server reports. Name, email and group are empty where no user has the id. */
export const BimConnection = z.object({
  idx,
  userId: z.string(),
  userName: z.string(),
  userEmail: z.string(),
  groupName: z.string(),
  ip: z.string(),
  connectDT: moment,
  /** The PC name of the server that reports it. */
  serverName: z.string(),
})
export type BimConnection = z.output<typeof BimConnection>

const Server = { pcName, ip: ipv4, description: bimDescription.default('') }
/** Without an id one is generated. */
export const NewBimServer = z.object({ id: bimServerId.optional(), ...Server })
/** Without an id the server keeps its own. */
export const BimServerChange = z.object({ idx, id: bimServerId.optional(), ...Server, revision: z.int().optional() })
const Exception = { ip: ipv4, description: bimDescription.default('') }
export const NewBimException = z.object(Exception)
export const BimExceptionChange = z.object({ idx, ...Exception, revision: z.int().optional() })

/**
 * Seconds until the first server that is online now counts as silent, unless it reports before. Then the response is
 * out of date without an event. Null while none is online.
 */
const CHECK = { checkAfter: z.int().nullable() }

const read = { input: Empty, access: 'admin', errors: [] } as const
const write = { access: 'admin', changes: ['bim'], audit: 'bimManage' } as const
const remove = { ...write, input: z.object({ idxes }), data: Empty, errors: [] } as const
const withGroups = { ...write, input: z.object({ groupIdxes: idxes }), data: Empty } as const
const withUsers = { ...write, input: z.object({ userIdxes: idxes }), data: Empty } as const

export const bim = defineRoutes({
  /** Lists the BIM servers. */
  searchServers: get('/Bim/Servers', {
    ...read,
    data: z.object({ ...CHECK, servers: z.array(BimServer).max(MAX_BIM.servers) }),
    shows: ['bim'],
    // Repeated by an open screen, which must not keep its session alive.
    slides: false,
  }),
  /** Registers a BIM server; without an id it generates one. */
  createServer: post('/Bim/Server', {
    ...write,
    input: NewBimServer,
    data: z.object({ idx, id: z.string() }),
    errors: ['DUPLICATE_ID', 'DUPLICATE_NAME', 'DUPLICATE_IP', 'TOO_MANY_ENTRIES'],
  }),
  /** A server whose id or address changes is offline until it reports with the new one. */
  updateServer: put('/Bim/Server', {
    ...write,
    input: BimServerChange,
    data: Empty,
    errors: ['DUPLICATE_ID', 'DUPLICATE_NAME', 'DUPLICATE_IP', 'CHANGED_MEANWHILE'],
    changes: ['bim', 'bimConnections'],
  }),
  /** All or none of the servers. Their live connections go with them. */
  removeServers: del('/Bim/Servers', { ...remove, changes: ['bim', 'bimConnections'] }),
  /** Raises the revision of the rules, so that every server reads them again. */
  syncServers: post('/Bim/Servers/Sync', { ...write, input: Empty, data: Empty, errors: [] }),
  /** Lists the always-allowed addresses. */
  searchExceptions: get('/Bim/Exceptions', {
    ...read,
    data: z.object({ exceptions: z.array(BimException).max(MAX_BIM.exceptions) }),
    shows: ['bim'],
  }),
  /** Adds an always-allowed address. */
  createException: post('/Bim/Exception', {
    ...write,
    input: NewBimException,
    data: ByIdx,
    errors: ['DUPLICATE_IP', 'TOO_MANY_ENTRIES'],
  }),
  /** Changes an always-allowed address. */
  updateException: put('/Bim/Exception', {
    ...write,
    input: BimExceptionChange,
    data: Empty,
    errors: ['DUPLICATE_IP', 'CHANGED_MEANWHILE'],
  }),
  /** Removes always-allowed addresses, all or none. */
  removeExceptions: del('/Bim/Exceptions', remove),
  /** Lists the allowed users. */
  searchUsers: get('/Bim/Users', {
    ...read,
    data: z.object({ users: z.array(BimUser).max(MAX_BIM.users) }),
    shows: ['bim', 'users', 'groups'],
  }),
  /** All or none of the users; system administrators may be among them. */
  addUsers: post('/Bim/Users', { ...withUsers, errors: ['ALREADY_ADDED', 'TOO_MANY_ENTRIES'] }),
  /** All or none of the users: 980 if one of them was not added. */
  removeUsers: del('/Bim/Users', { ...withUsers, errors: [] }),
  /** Lists the allowed groups. */
  searchGroups: get('/Bim/Groups', {
    ...read,
    data: z.object({ groups: z.array(BimGroup).max(MAX_BIM.groups) }),
    shows: ['bim', 'groups'],
  }),
  /** All or none of the groups; their subgroups are allowed with them. */
  addGroups: post('/Bim/Groups', { ...withGroups, errors: ['ALREADY_ADDED', 'TOO_MANY_ENTRIES'] }),
  /** All or none of the groups: 980 if one of them was not added. */
  removeGroups: del('/Bim/Groups', { ...withGroups, errors: [] }),
  /** The live connections of the servers that are online. `totalCount` is their number, also beyond those listed. */
  searchConnections: get('/Bim/Connections', {
    ...read,
    data: z.object({
      ...CHECK,
      totalCount: z.int(),
      connections: z.array(BimConnection).max(MAX_LISTED_CONNECTIONS),
    }),
    shows: ['bimConnections', 'bim', 'users', 'groups'],
    slides: false,
  }),
})
