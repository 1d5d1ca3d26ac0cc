// The calls of BIM servers: each signs in with its id as the bearer token, from its registered address only. Heartbeats
// report the live connections; the rules say who may pass (docs/manuals/bim-server.md).
import { z } from 'zod'
import { anyMoment, Empty } from './core/fields.ts'
import { defineRoutes, get, post } from './core/route.ts'

/** Live connections in one heartbeat. */
export const MAX_CONNECTIONS = 5000
/** Seconds after its last heartbeat that a server counts as offline. */
export const OFFLINE_SECONDS = 90
/** Seconds that a server's clock may be ahead: later moments count as the moment of the report. */
export const AHEAD_SECONDS = 300

const ReportedConnection = z.object({
  /** The sign-in name of a user; ids that no user has are kept and shown as they are. */
  userId: z
    .string()
    .max(30, { abort: true })
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  ip: z.union([z.ipv4(), z.ipv6()]),
  /** At most AHEAD_SECONDS from now, else 983. */
  connectDT: anyMoment,
})
export type ReportedConnection = z.output<typeof ReportedConnection>

/** Bounded before its items are looked at: each wrong one of a long list would be an issue of its own. */
const connections = z.array(z.unknown()).max(MAX_CONNECTIONS, { abort: true }).pipe(z.array(ReportedConnection))

/** Changes with everything that the rules return, and with Sync. */
const revision = z.string()

export const bimServer = defineRoutes({
  /** Marks the server online for 90 seconds and replaces its live connections. */
  heartbeat: post('/BimServer/Heartbeat', {
    input: z.object({ connections }),
    data: z.object({ revision }),
    access: 'bimServer',
    errors: [],
    changes: ['bim', 'bimConnections'],
    audit: { none: 'a heartbeat every 30 seconds; what it reports is shown live' },
    assumed: true,
  }),
  /**
   * Always-allowed addresses, and the ids of allowed users: those added and those of allowed groups with their
   * subgroups, unless suspended or expired.
   */
  searchRules: get('/BimServer/Rules', {
    input: Empty,
    data: z.object({ revision, exceptions: z.array(z.string()), users: z.array(z.string()) }),
    access: 'bimServer',
    errors: [],
    shows: ['bim', 'users', 'groups'],
    assumed: true,
  }),
})
