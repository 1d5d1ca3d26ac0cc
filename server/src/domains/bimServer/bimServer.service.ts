// The calls of BIM servers: a server signs in with its id from its registered address, reports who is connected, and
// reads the rules (docs/manuals/bim-server.md).
import { AHEAD_SECONDS, type ReportedConnection } from '@acc/contract/bimServer'
import { later, today } from '../../clock.ts'
import { notify } from '../../core/change.ts'
import type { BimServerCaller, FreeContext, ReadContext } from '../../core/context.ts'
import { Failure, fail } from '../../core/errors.ts'
import { asSystem, type Job } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import { hashToken } from '../../crypto/token.ts'
import { deleteConnections } from '../bim/bim.queries.ts'
import {
  findCaller,
  findRevision,
  findRules,
  lockCaller,
  type Rules,
  updateConnections,
  updateHeartbeat,
  updateSilent,
} from './bimServer.queries.ts'

/** Returns the server that calls with an id. 980 where it calls from another address than its own. */
export async function findBimServer({ db }: Services, id: string, ip: string): Promise<BimServerCaller | undefined> {
  const server = await findCaller(db.sessions, hashToken(id))
  if (server === undefined || server.ip === ip) return server
  throw new Failure('NOT_ALLOWED', undefined, { cause: `BIM server ${server.idx} from another address` })
}

type BimServerContext = { server: BimServerCaller }

/** Marks the server online and replaces its live connections. Announces only what changed. */
export async function heartbeat(
  ctx: FreeContext<undefined> & BimServerContext,
  { connections }: { connections: readonly ReportedConnection[] },
): Promise<{ revision: string }> {
  const { server } = ctx
  const { clock } = ctx.services
  const now = clock.now()
  const latest = later(now, AHEAD_SECONDS * 1000)
  const at = connections.findIndex(({ connectDT }) => new Date(connectDT) > latest)
  if (at >= 0) fail('INVALID_INPUT', { fields: [`connections.${at}.connectDT`] })
  await ctx.change(async (tx) => {
    const before = await lockCaller(tx, server, now)
    // Deleted or changed since the call began.
    if (before === undefined) fail('NO_SESSION')
    await updateHeartbeat(tx, server.idx, now)
    const isChanged = await updateConnections(tx, server.idx, connections, now)
    if (!before.isOnline) await notify(tx, { topic: 'bim', idx: server.idx })
    if (isChanged || !before.isOnline) await notify(tx, { topic: 'bimConnections' })
  })
  return { revision: await findRevision(ctx.read, today(clock)) }
}

export const readRules = ({ read, services: { clock } }: ReadContext<undefined>): Promise<Rules> =>
  findRules(read, today(clock))

/** Runs every minute: removes the connections of servers that fell silent, and lets open screens know. */
export async function endSilentServers(services: Services): Promise<void> {
  const now = services.clock.now()
  await asSystem(services, async (tx) => {
    const silent = await updateSilent(tx, now)
    if (silent.length === 0) return
    await deleteConnections(tx, silent)
    await notify(tx, { topic: 'bim' })
    await notify(tx, { topic: 'bimConnections' })
  })
}

export const bimServerJobs: readonly Job[] = [{ name: 'endSilentServers', cron: '* * * * *', run: endSilentServers }]
