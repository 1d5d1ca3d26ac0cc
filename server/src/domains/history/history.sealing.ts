// Sealing: a job seals the rows since the last seals, and each node keeps the head. If the seals do not continue from a
// node's head, nothing is sealed: the server does not sign a history that somebody else has changed.
import { hostname } from 'node:os'
import { SettingManage } from '@acc/contract/labels/history'
import { sql } from 'kysely'
import { days, later, minutes } from '../../clock.ts'
import { insertHistory, SYSTEM } from '../../core/change.ts'
import { asSystem } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import { settingLog } from '../../core/settingLog.ts'
import type { Tx } from '../../db/open.ts'
import { updateSetting } from '../../settings/settings.ts'
import { type Finding, sentenceOf } from './history.findings.ts'
import { BATCH, examineHead, findEarly, type Head, headBehind, keepHeadFile, writeHead } from './history.head.ts'
import { requireOrigin } from './history.origin.ts'
import { findSealKey } from './history.sealKey.ts'
import {
  findComplete,
  findHashes,
  findLastSeal,
  hashOf,
  rowsIn,
  SEALED,
  type Seal,
  type Sealed,
} from './history.seals.ts'

type SealServices = Pick<Services, 'db' | 'clock' | 'key' | 'env'> & { log: Pick<Services['log'], 'info' | 'error'> }

/** Milliseconds after which a run leaves the rest to the next one: the queue gives up a run of five minutes. */
const LONGEST_RUN = minutes(2)

/**
 * Advances the head that this node keeps to the last seal, and returns it. A node without a head takes it from the
 * database, which leaves a row. Returns the fault if the seals do not continue from the head.
 */
export async function keepHead(services: SealServices): Promise<Head | Finding> {
  const { db, env, key, clock } = services
  await requireOrigin(services)
  const examined = await examineHead(db.read, services)
  if ('finding' in examined) return examined.finding
  const { head, isChanged, isAdopted } = examined
  if (isAdopted) await asSystem({ db, clock }, (tx) => recordHead(services, tx, head))
  if (isChanged) await keepHeadFile(env, head, await findSealKey(db.read, key))
  return head
}

/** Records that a node took its head from the database: until then nothing proves that no end was removed. */
async function recordHead({ clock, key }: SealServices, tx: Tx, head: Head): Promise<void> {
  await updateSetting(tx, 'historyHead', writeHead(head, await findSealKey(tx, key)))
  const detail = { targetName: hostname(), targetValue: `${head.no}:${head.hash}` }
  await insertHistory(tx, SYSTEM, clock.now(), [settingLog(SettingManage.TAKE_SEAL_HEAD, hostname(), detail)])
}

type Step = { head: Head; isMore: boolean } | { finding: Finding } | undefined

/** Seals the next rows up to `complete`; undefined if another node has sealed since, or there are none. */
async function sealNext(services: SealServices, tx: Tx, head: Head, rows: { source: Sealed; complete: number }) {
  const { key, clock, env } = services
  const { source, complete } = rows
  // Only one node at a time, independently of the queue.
  await sql`select pg_advisory_xact_lock(hashtext('historySeals'))`.execute(tx)
  if (((await findLastSeal(tx))?.no ?? 0) !== head.no) return undefined
  const { firstDT, lastDT, ...found } = await findHashes(tx, source, {
    after: head.to[source],
    to: complete,
    limit: BATCH,
  })
  if (firstDT === null || lastDT === null) return undefined
  const finding = (await findEarly(tx, head)) ?? strayOf(source, found.hashes)
  if (finding !== undefined) return { finding }
  const isMore = found.rows === BATCH
  const content = {
    no: head.no + 1,
    source,
    toIdx: isMore ? found.last : complete,
    rows: found.rows,
    firstDT,
    lastDT,
    hashes: found.hashes,
    sealDT: clock.now(),
  }
  const before = Buffer.from(head.hash, 'hex')
  const hash = hashOf(before, content)
  const sealKey = await findSealKey(tx, key)
  const seal = { ...content, hash, signature: sealKey.sign('seal', hash) }
  await insertSeal(tx, seal, before)
  const since = later(clock.now(), -days(env.logRetentionDays)).toISOString()
  const keptSince = head.keptSince !== null && head.keptSince > since ? head.keptSince : since
  const next = { ...headBehind(head, seal), keptSince }
  await updateSetting(tx, 'historyHead', writeHead(next, sealKey))
  return { head: next, seal, isMore }
}

/** The first row of a seal, if its number was never given out. */
function strayOf(source: Sealed, hashes: Buffer): Finding | undefined {
  const { no = 1 } = rowsIn(hashes).next().value ?? {}
  return no < 1 ? { fault: 'number', source, idx: no } : undefined
}

const insertSeal = (tx: Tx, seal: Seal, before: Buffer) =>
  sql`select "addHistorySeal"(row(${seal.no}, ${seal.toIdx}, ${seal.rows}, ${seal.firstDT}, ${seal.hashes}, ${seal.sealDT},
    ${seal.hash}, ${seal.signature}, ${seal.source}, ${seal.lastDT})::"historySeals", ${before})`.execute(tx)

async function sealAndKeep(
  services: SealServices,
  head: Head,
  rows: { source: Sealed; complete: number },
): Promise<Step> {
  const { db, env, key, log } = services
  const sealed = await asSystem(services, async (tx) => ({ result: await sealNext(services, tx, head, rows) }))
  if (sealed === undefined || 'finding' in sealed) return sealed
  await keepHeadFile(env, sealed.head, await findSealKey(db.read, key))
  const { no, source, toIdx, rows: count, hash } = sealed.seal
  log.info({ no, source, toIdx, rows: count, hash: hash.toString('hex') }, 'the history was sealed')
  return sealed
}

/** Seals all rows that have come since the last seals, or what of them there is time for. */
export async function sealHistory(services: SealServices): Promise<void> {
  const end = performance.now() + LONGEST_RUN
  let head = await keepHead(services)
  for (const source of SEALED) {
    if ('fault' in head) break
    const complete = await asSystem(services, async (tx) => ({ result: await findComplete(tx, source) }))
    for (let isMore = true; isMore && !('fault' in head) && performance.now() < end; ) {
      const step: Step = await sealAndKeep(services, head, { source, complete })
      isMore = step !== undefined && 'isMore' in step && step.isMore
      if (step !== undefined) head = 'finding' in step ? step.finding : step.head
    }
  }
  if ('fault' in head)
    services.log.error({ reason: sentenceOf(head) }, 'the history was altered or cut off: nothing is sealed')
}
