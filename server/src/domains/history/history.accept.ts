// Acceptance of the present history by the operator: after an attack, or after the database was restored by other means
// than acc-admin. Requires the secret key, and leaves a row that names both seals.
import { SettingManage } from '@acc/contract/labels/history'
import type { HistoryEntry } from '../../core/change.ts'
import { settingLog } from '../../core/settingLog.ts'
import type { SecretKey } from '../../crypto/secretKey.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { updateSetting } from '../../settings/settings.ts'
import { NO_CHECKS, updateChecks } from './history.checks.ts'
import { findHeadFile, type Head, NO_HEAD, writeHead } from './history.head.ts'
import { findOrigin } from './history.origin.ts'
import { findSealKey } from './history.sealKey.ts'
import { findLastSeal } from './history.seals.ts'

/** The last number that is sealed of each kind of rows. */
async function findSealed(db: Reader): Promise<Head['to']> {
  const rows = await db
    .selectFrom('historySeals')
    .select(({ fn }) => ['source' as const, fn.max('toIdx').as('toIdx')])
    .groupBy('source')
    .execute()
  return { ...NO_HEAD.to, ...Object.fromEntries(rows.map(({ source, toIdx }) => [source, toIdx])) }
}

const spellOf = ({ no, hash }: Pick<Head, 'no' | 'hash'>) => `${no}:${hash}`

type Accepted = { head: Head; former: string | null; log: HistoryEntry<'settingManage'> }

/** Accepts the present end of the seals, to be continued from. The caller stores the head in the data directory. */
export async function acceptHistory(tx: Tx, place: Pick<Env, 'dataDir'>, key: SecretKey, now: Date): Promise<Accepted> {
  const sealKey = await findSealKey(tx, key)
  const kept = await findHeadFile(place, sealKey.publicKey)
  const last = await findLastSeal(tx)
  const end = {
    no: last?.no ?? 0,
    hash: last?.hash.toString('hex') ?? NO_HEAD.hash,
    to: await findSealed(tx),
  }
  const known = typeof kept === 'object' ? kept : undefined
  const head = {
    ...NO_HEAD,
    ...end,
    origin: (await findOrigin(tx)) ?? '',
    keptSince: known?.keptSince ?? null,
    base: end,
    newDT: now.toISOString(),
  }
  await updateSetting(tx, 'historyHead', writeHead(head, sealKey))
  await updateChecks(tx, { ...NO_CHECKS, through: end }, key)
  // What an outlet has sent of the seals that are gone goes out anew.
  await tx
    .updateTable('historyOutlets')
    .set({ toIdx: end.no })
    .where('source', '=', 'historySeals')
    .where('toIdx', '>', end.no)
    .execute()
  const former = known === undefined ? null : spellOf(known)
  const log = settingLog(SettingManage.ACCEPT_HISTORY, String(end.no), {
    targetValue: spellOf(head),
    targetOldValue: former,
  })
  return { head, former, log }
}
