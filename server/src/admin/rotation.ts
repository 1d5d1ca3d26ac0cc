// Rotates the secret key while servers run: they seal with the next key once all have it, then all earlier values are
// sealed again, and then the database names the next key (docs/decisions/16-settings.md).
import { SettingManage } from '@acc/contract/labels/history'
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import { later, minutes } from '../clock.ts'
import { change } from '../core/change.ts'
import { asSystem } from '../core/job.ts'
import type { SealedRows } from '../core/sealedRows.ts'
import { settingLog } from '../core/settingLog.ts'
import { reseal } from '../crypto/seal.ts'
import { makeKeyRing, type SecretKey } from '../crypto/secretKey.ts'
import type { Database } from '../db/open.ts'
import { sealedIds } from '../domains/bim/bim.servers.ts'
import { sealedVersionKeys } from '../domains/clientVersions/clientVersions.files.ts'
import { seedOf } from '../domains/history/history.sealKey.ts'
import { sealedTests } from '../domains/mailServer/mailServer.service.ts'
import { sealedTexts } from '../domains/mails/mails.text.ts'
import { sealedSecrets } from '../domains/otp/totp.ts'
import { sealedFileKeys } from '../domains/requests/requests.files.ts'
import { sealedProviderLogouts } from '../domains/session/session.providerLogout.ts'
import { isReporting } from '../domains/systemStatus/systemStatus.service.ts'
import { SETTINGS } from '../settings/definitions.ts'
import {
  deleteSetting,
  findSetting,
  insertSetting,
  lockSetting,
  type SettingName,
  updateSetting,
} from '../settings/settings.ts'
import { failure } from './commandLine.ts'
import { operator } from './operator.ts'

/** The sealed columns. */
export const SEALED: readonly SealedRows[] = [
  ...sealedSecrets,
  sealedTexts,
  sealedTests,
  sealedIds,
  sealedProviderLogouts,
  sealedFileKeys,
  sealedVersionKeys,
]

export type Keys = { from: SecretKey; to: SecretKey }
type Rotation = {
  db: Database
  clock: Clock
  keys: Keys
  /** Waits between two checks of the nodes. */
  pause(): Promise<void>
}
/** Values that were sealed again, and those that neither key opens. */
export type Counts = { sealed: number; lost: number }

/** Rows of one statement. */
const BATCH = 200
/** The time until nodes seal with the next key: two reports. */
const PATIENCE = minutes(3)

const findNodes = async ({ db, clock }: Rotation) =>
  (await db.read.selectFrom('nodes').selectAll().orderBy('name').execute()).filter((node) =>
    isReporting(node, clock.now()),
  )

const namesOf = (nodes: readonly { name: string }[]) => nodes.map(({ name }) => name).join(', ')

/** Rejects unless each node has the next key. */
async function requireNodes(rotation: Rotation): Promise<void> {
  const { fingerprint } = rotation.keys.to
  const without = (await findNodes(rotation)).filter(({ keys }) => !keys.includes(fingerprint))
  if (without.length > 0)
    throw failure(
      `Nodes that do not hold the next key ${fingerprint} yet: ${namesOf(without)}. Put it next to theirs; each checks every 30 seconds.`,
    )
}

/** Makes nodes seal with the next key, and refuse to start without it. The key of history seals does not change. */
const begin = ({ db, clock, keys: { from, to } }: Rotation): Promise<void> =>
  asSystem({ db, clock }, async (tx) => {
    await insertSetting(tx, 'historySealKey', { seed: seedOf(from).export().toString('base64') }, to)
    await insertSetting(tx, 'nextKeyFingerprint', to.fingerprint)
  })

/** Waits until `isOver`. Rejects with the reason after the time limit. */
async function waitUntil({ clock, pause }: Rotation, isOver: () => Promise<string | true>): Promise<void> {
  for (const end = later(clock.now(), PATIENCE); ; await pause()) {
    const state = await isOver()
    if (state === true) return
    if (clock.now() > end) throw failure(`${state}. Run it again.`)
  }
}

/** Waits until every node seals with the next key, and all earlier transactions have ended. */
async function waitForNodes(rotation: Rotation): Promise<void> {
  const { keys, db } = rotation
  await waitUntil(rotation, async () => {
    const others = (await findNodes(rotation)).filter(({ sealsWith }) => sealsWith !== keys.to.fingerprint)
    return others.length === 0 || `Nodes do not seal with the next key yet: ${namesOf(others)}`
  })
  const { rows } = await sql<{ last: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as last`.execute(
    db.write,
  )
  await waitUntil(rotation, async () => {
    const { rows: found } = await sql<{ isOver: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${rows[0]?.last}::xid8 as "isOver"`.execute(db.write)
    return found[0]?.isOver === true || 'A transaction of before is still running in the database'
  })
}

/** Seals the values of a column again. Skips values that changed, which were sealed with the next key. */
async function resealColumn({ db, clock, keys }: Rotation, rows: SealedRows): Promise<Counts> {
  const counts = { sealed: 0, lost: 0 }
  for (let after = 0; ; ) {
    const found = await rows.find(db.read, { after, limit: BATCH })
    const last = found.at(-1)
    if (last === undefined) return counts
    after = last.idx
    const results = found.map((row) => ({ ...row, next: reseal(keys, rows.purpose, row.context, row.sealed) }))
    counts.lost += results.filter(({ next }) => next === 'lost').length
    const changed = results.flatMap(({ idx, sealed, next }) => (Buffer.isBuffer(next) ? [{ idx, sealed, next }] : []))
    if (changed.length === 0) continue
    counts.sealed += await asSystem({ db, clock }, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        update ${sql.table(rows.table)} as t set ${sql.ref(rows.column)} = v.next
        from unnest(${changed.map(({ idx }) => idx)}::bigint[], ${changed.map(({ sealed }) => sealed)}::bytea[],
          ${changed.map(({ next }) => next)}::bytea[]) as v(key, former, next)
        where t.${sql.ref(rows.key)} = v.key and t.${sql.ref(rows.column)} = v.former`.execute(tx)
      return { result: Number(numAffectedRows) }
    })
  }
}

const sealedSettings = (Object.keys(SETTINGS) as SettingName[]).filter((name) => SETTINGS[name].sealed.length > 0)

/** Seals the secrets of a setting again, if the next key does not open them. */
const resealSetting = ({ db, clock, keys }: Rotation, name: SettingName): Promise<Counts> =>
  asSystem({ db, clock }, async (tx) => {
    const isCurrent = await findSetting(tx, name, keys.to).then(
      () => true,
      () => false,
    )
    if (isCurrent) return { result: { sealed: 0, lost: 0 } }
    const value = await lockSetting(tx, name, makeKeyRing(keys.to, keys.from)).catch(() => undefined)
    if (value === undefined) return { result: { sealed: 0, lost: 1 } }
    await updateSetting(tx, name, value, keys.to)
    return { result: { sealed: 1, lost: 0 } }
  })

/** Seals all values of the previous key once more, until a pass finds none. */
export async function resealAll(rotation: Rotation): Promise<Counts> {
  let sealed = 0
  for (;;) {
    const pass = { sealed: 0, lost: 0 }
    for (const work of [
      ...sealedSettings.map((name) => () => resealSetting(rotation, name)),
      ...SEALED.map((rows) => () => resealColumn(rotation, rows)),
    ]) {
      const counts = await work()
      pass.sealed += counts.sealed
      pass.lost += counts.lost
    }
    sealed += pass.sealed
    if (pass.sealed === 0) return { sealed, lost: pass.lost }
  }
}

/** Stores the next key's name as that of the current key, with a row of the history. */
const finish = ({ db, clock, keys: { from, to } }: Rotation): Promise<void> =>
  change(db, { author: operator(), now: clock.now }, async (tx) => {
    await updateSetting(tx, 'secretKeyFingerprint', to.fingerprint)
    await deleteSetting(tx, 'nextKeyFingerprint')
    const detail = { targetValue: to.fingerprint, targetOldValue: from.fingerprint }
    return { result: undefined, log: [settingLog(SettingManage.ROTATE_KEY, to.fingerprint, detail)] }
  })

/** Rotates to the next key, or continues an interrupted rotation. */
export async function rotate(rotation: Rotation): Promise<Counts> {
  await requireNodes(rotation)
  await begin(rotation)
  await waitForNodes(rotation)
  const counts = await resealAll(rotation)
  await finish(rotation)
  return counts
}
