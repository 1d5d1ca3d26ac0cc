// User synchronization: the setting of its source, a test of it, and runs by button (spec S1 §2).
import type { Empty } from '@acc/contract/core/fields'
import { flagOf } from '@acc/contract/labels/flags'
import { SettingManage } from '@acc/contract/labels/history'
import { SyncKind } from '@acc/contract/labels/userImports'
import { MAX_TEST_ENTRIES, type SyncInput, type SyncState } from '@acc/contract/userSync'
import { notify } from '../../core/change.ts'
import type { Actor, Change, FreeContext, Read } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { settingLog } from '../../core/settingLog.ts'
import { findSetting, lockSetting, updateSetting } from '../../settings/settings.ts'
import { RefusedSource, type Source } from '../userImports/source.ts'
import { findGroup } from './userSync.queries.ts'
import { openRun } from './userSync.runs.ts'
import { completeSync, nextAfter, wordsOf } from './userSync.settings.ts'
import { readSource, sourceOf } from './userSync.source.ts'

/** Returns the source without its password. */
export async function readSync({ services, read }: Read): Promise<SyncState> {
  const { env, key, clock } = services
  const [found, look] = await Promise.all([findSetting(read, 'userSync', key), findSetting(read, 'userSyncLook')])
  const folder = env.peopleDir ?? null
  if (found === undefined) return { sync: null, folder, nextDT: null, unchangedDT: null }
  const { bindPw, directory, ...sync } = found
  const group = await findGroup(read, sync.groupIdx)
  const next =
    sync.kind === SyncKind.NONE ? undefined : nextAfter(sync, look === undefined ? clock.now() : new Date(look.doneDT))
  return {
    sync: {
      ...sync,
      directory: directory && { ...directory, hasBindPw: flagOf(bindPw !== '') },
      groupName: group?.name ?? '',
    },
    folder,
    nextDT: next?.toISOString() ?? null,
    unchangedDT: look?.unchangedDT ?? null,
  }
}

/** Saves the source. Looks that were due before are not made up for. */
export async function setSync(ctx: Change<'settingManage'>, input: SyncInput): Promise<Empty> {
  const { services } = ctx
  return ctx.change(async (tx) => {
    const old = await lockSetting(tx, 'userSync', services.key)
    const sync = await completeSync(input, old, services.env)
    const group = await findGroup(tx, sync.groupIdx)
    // A source whose group is deleted can be switched off.
    if (group === undefined && sync.kind !== SyncKind.NONE) fail('NO_GROUP')
    if (old !== undefined && JSON.stringify(old) === JSON.stringify(sync)) return { result: {}, log: 'unchanged' }
    await updateSetting(tx, 'userSync', sync, services.key)
    await updateSetting(tx, 'userSyncLook', { doneDT: services.clock.now().toISOString(), unchangedDT: null })
    await notify(tx, { topic: 'settings' })
    const oldGroup = old && (await findGroup(tx, old.groupIdx))
    const detail = { targetValue: wordsOf(sync, group?.name ?? ''), targetOldValue: wordsOf(old, oldGroup?.name ?? '') }
    return { result: {}, log: [settingLog(SettingManage.SET_USER_SYNC, 'userSync', detail)] }
  })
}

/** Whether a test is under way on this node: it holds all people in memory. */
let isTesting = false

/** Makes the search of a run. Why it failed is in the answer and in the operation log. */
export async function testSync(ctx: FreeContext<Actor>, input: SyncInput) {
  const { services, actor } = ctx
  const sync = await completeSync(input, await findSetting(ctx.read, 'userSync', services.key), services.env)
  if (sync.kind === SyncKind.NONE) fail('INVALID_INPUT', { fields: ['kind'] })
  if (isTesting) fail('TOO_MANY_REQUESTS', { retryAfter: 10 })
  isTesting = true
  const who = { user: actor.id, source: sourceOf(sync, services.env).fileName }
  try {
    const group = await findGroup(ctx.read, sync.groupIdx)
    const source = await readSource(sync, group?.key ?? '', services)
    services.log.info({ ...who, count: source.rows.length }, 'a source of users was tested')
    return { count: source.rows.length, entries: entriesOf(source) }
  } catch (error) {
    if (!(error instanceof RefusedSource)) throw error
    services.log.warn({ ...who, ...error.refusal }, 'a source of users could not be read')
    return fail('SYNC_FAILED', error.refusal)
  } finally {
    isTesting = false
  }
}

/** Returns the first rows as a person reads them: a unit by its path. */
function entriesOf({ rows, units = [] }: Source) {
  const byKey = new Map(units.map((unit) => [unit.key, unit]))
  const pathOf = (key: string): string => {
    const unit = byKey.get(key)
    if (unit === undefined) return units.length > 0 ? '' : key
    return unit.parentKey === null ? unit.name : `${pathOf(unit.parentKey)} > ${unit.name}`
  }
  return rows.slice(0, MAX_TEST_ENTRIES).map(({ values }) => {
    const { key = '', id = '', name = '', email = '', group = '', expireDT = '' } = values
    return { key, id, name, email, group: pathOf(group), expireDT }
  })
}

/** Starts a run for an administrator; a job reads the source. REQUEST_STATE: none is set, or a run is open. */
export async function runSync(ctx: FreeContext<Actor>): Promise<{ idx: number }> {
  const { services, actor, ip } = ctx
  return ctx.change(async (tx) => {
    const { idx, id, name, groupName } = actor
    return { result: { idx: await openRun(tx, services, { idx, id, name, groupName, ip }) } }
  })
}
