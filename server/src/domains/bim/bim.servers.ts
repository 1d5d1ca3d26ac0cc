// BIM servers and their live connections (spec S2 §2.2, §5, §7). The id of a server is its bearer secret: sealed at
// rest, found by its hash, shown to system administrators.

import { type BimServerChange, MAX_BIM, type NewBimServer } from '@acc/contract/bim'
import type { Empty } from '@acc/contract/core/fields'
import { BimManage } from '@acc/contract/labels/history'
import type { z } from 'zod'
import { logOf, notify } from '../../core/change.ts'
import type { Change, Read } from '../../core/context.ts'
import { fail, requireAll, requireRevision } from '../../core/errors.ts'
import { sealedRows } from '../../core/sealedRows.ts'
import { seal, unseal } from '../../crypto/seal.ts'
import type { SecretKey } from '../../crypto/secretKey.ts'
import { hashToken, newToken } from '../../crypto/token.ts'
import { lockSetting, updateSetting } from '../../settings/settings.ts'
import { isUnchangedServer, serverLog, syncLog } from './bim.history.ts'
import {
  countRows,
  deleteConnections,
  deleteServers,
  findCheckAfter,
  findConnections,
  findNextServerIdx,
  findServers,
  insertServer,
  lockLists,
  lockServers,
  updateServerRow,
} from './bim.queries.ts'

type Ctx = Change<'bimManage'>

const PURPOSE = 'bim'
const rowOf = (idx: number) => `bimServers:${idx}:id`
const secretColumns = (key: SecretKey, idx: number, id: string) => ({
  idHash: hashToken(id),
  idSealed: seal(key, PURPOSE, rowOf(idx), id),
})

export const sealedIds = sealedRows({
  table: 'bimServers',
  key: 'idx',
  column: 'idSealed',
  purpose: PURPOSE,
  contextOf: ({ idx }) => rowOf(idx),
})

export async function readServers({ read, services: { clock, key } }: Read) {
  const now = clock.now()
  const [rows, checkAfter] = await Promise.all([findServers(read, now), findCheckAfter(read, now)])
  const idOf = (idx: number, sealed: Buffer) => unseal(key, PURPOSE, rowOf(idx), sealed).toString('utf8')
  return { checkAfter, servers: rows.map(({ idSealed, ...server }) => ({ ...server, id: idOf(server.idx, idSealed) })) }
}

export async function readConnections({ read, services: { clock } }: Read) {
  const now = clock.now()
  const [connections, checkAfter] = await Promise.all([findConnections(read, now), findCheckAfter(read, now)])
  return { checkAfter, ...connections }
}

type NewServer = z.output<typeof NewBimServer>

export function createServer(ctx: Ctx, { id = newToken(), ...columns }: NewServer) {
  return ctx.change(async (tx) => {
    await lockLists(tx)
    if ((await countRows(tx, 'bimServers')) >= MAX_BIM.servers) fail('TOO_MANY_ENTRIES', { max: MAX_BIM.servers })
    const idx = await findNextServerIdx(tx)
    const server = await insertServer(tx, { idx, ...secretColumns(ctx.services.key, idx, id), ...columns })
    await notify(tx, { topic: 'bim', idx })
    return { result: { idx, id }, log: [serverLog(BimManage.CREATE_SERVER, server, null)] }
  })
}

type ServerChange = z.output<typeof BimServerChange>

export function updateServer(ctx: Ctx, { idx, id, revision, ...columns }: ServerChange): Promise<Empty> {
  return ctx.change(async (tx) => {
    const [before] = await lockServers(tx, [idx])
    if (before === undefined) fail('NOT_ALLOWED')
    requireRevision(before, revision)
    const secret =
      id === undefined || hashToken(id).equals(before.idHash) ? {} : secretColumns(ctx.services.key, idx, id)
    const isOtherId = 'idHash' in secret
    const after = { ...before, ...columns }
    const isUnchanged = isUnchangedServer(before, after)
    if (isUnchanged && !isOtherId) return { result: {}, log: 'unchanged' }
    const isOtherCaller = isOtherId || after.ip !== before.ip
    await updateServerRow(tx, idx, { ...columns, ...secret, ...(isOtherCaller && { isOnline: 0 }) })
    await notify(tx, { topic: 'bim', idx })
    if (isOtherCaller) {
      await deleteConnections(tx, [idx])
      await notify(tx, { topic: 'bimConnections' })
    }
    const log = [
      ...(isUnchanged ? [] : [serverLog(BimManage.UPDATE_SERVER, after, before)]),
      ...(isOtherId ? [serverLog(BimManage.CHANGE_SERVER_ID, after, before)] : []),
    ]
    return { result: {}, log: logOf(log) }
  })
}

/** Deletes servers, all or none of them. Their ids open nothing from then on. */
export function removeServers(ctx: Ctx, { idxes }: { idxes: number[] }): Promise<Empty> {
  return ctx.change(async (tx) => {
    const servers = await lockServers(tx, idxes)
    requireAll(idxes, servers)
    await deleteServers(tx, idxes)
    await notify(tx, { topic: 'bim' })
    await notify(tx, { topic: 'bimConnections' })
    return { result: {}, log: logOf(servers.map((server) => serverLog(BimManage.DELETE_SERVER, server, null))) }
  })
}

/** Raises the revision of the rules, so that every server reads them again. */
export function syncServers(ctx: Ctx): Promise<Empty> {
  return ctx.change(async (tx) => {
    await updateSetting(tx, 'bimSyncs', ((await lockSetting(tx, 'bimSyncs')) ?? 0) + 1)
    await notify(tx, { topic: 'bim' })
    return { result: {}, log: [syncLog()] }
  })
}
