// The configurations for desktop clients and their changes (spec S1 §2 to §5). A change replaces the whole text.
import { MAX_CONFIG, MAX_OLD_CONFIGS, type OldConfig } from '@acc/contract/configTexts'
import { formatBytes } from '@acc/contract/labels/formats'
import { SettingManage } from '@acc/contract/labels/history'
import { notify } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { fail, requireRevision } from '../../core/errors.ts'
import { settingLog } from '../../core/settingLog.ts'
import type { Reader } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { ConfigKind, configForClients, isConfigText } from './configTexts.format.ts'
import { findConfig, findOldConfigs, insertConfig, lockConfigs } from './configTexts.queries.ts'

const KINDS = {
  [ConfigKind.SITE_CONFIG]: { field: 'siteConfig', type: SettingManage.SET_SITE_CONFIG },
  [ConfigKind.CLIENT_POLICY]: { field: 'clientPolicy', type: SettingManage.SET_CLIENT_POLICY },
} as const

/** Bytes of former values in one list. */
const MAX_LISTED = 2 * MAX_CONFIG

export async function readConfig(db: Reader, kind: ConfigKind): Promise<{ text: string; revision: number }> {
  const found = await findConfig(db, kind)
  return { text: found?.text ?? '', revision: found?.idx ?? 0 }
}

/** Returns the last changes with the values that they replaced, the oldest first. */
export const readOldConfigs = async (
  db: Reader,
  kind: ConfigKind,
  idx: number | undefined,
): Promise<{ logs: OldConfig[] }> => {
  const rows = await findOldConfigs(db, { kind, limit: MAX_OLD_CONFIGS, maxLength: MAX_LISTED, idx })
  return { logs: rows.map((row) => ({ ...row, logDT: row.logDT.toISOString() })) }
}

/** What the version columns of a statement give. */
type Versions = { siteVersion: number; clientVersion: number; host: string | null }
type Texts = Versions & { siteConfig: string; clientPolicy: string }
type HostEnv = Pick<Env, 'publicUrl'>

const hostOf = ({ host }: Versions, { publicUrl }: HostEnv) => host ?? new URL(publicUrl).host

/** Both configurations as a client receives them, with the host server address filled in. */
export function clientConfigsOf(texts: Texts, env: HostEnv): { siteConfig: string; clientPolicy: string } {
  const host = hostOf(texts, env)
  return {
    siteConfig: configForClients(ConfigKind.SITE_CONFIG, texts.siteConfig, host),
    clientPolicy: configForClients(ConfigKind.CLIENT_POLICY, texts.clientPolicy, host),
  }
}

/** Names what `clientConfigsOf` returns, without the texts. */
export const clientConfigsRevisionOf = (versions: Versions, env: HostEnv): string =>
  `${versions.siteVersion}.${versions.clientVersion}.${hostOf(versions, env)}`

/** What the history says of a version: its number and size; the text itself is in the list of changes. */
const wordsOf = (revision: number, text: string) =>
  revision === 0 ? null : `#${revision} (${formatBytes(Buffer.byteLength(text))})`

/** Replaces a configuration. Fails with CHANGED_MEANWHILE if another one is in effect than the caller saw. */
export async function setConfig(
  ctx: Change<'settingManage'>,
  kind: ConfigKind,
  { text, revision }: { text: string; revision: number | undefined },
): Promise<{ revision: number }> {
  const { field, type } = KINDS[kind]
  if (!(await isConfigText(kind, text))) fail('INVALID_INPUT', { fields: [field] })
  const { actor } = ctx
  return ctx.change(async (tx) => {
    await lockConfigs(tx, kind)
    const old = await readConfig(tx, kind)
    requireRevision(old, revision)
    if (old.text === text) return { result: { revision: old.revision }, log: 'unchanged' }
    const by = { actorIdx: actor.idx, actorId: actor.id, actorName: actor.name }
    const idx = await insertConfig(tx, { kind, text, logDT: ctx.services.clock.now(), ...by })
    await notify(tx, { topic: 'settings' })
    const detail = { targetValue: wordsOf(idx, text), targetOldValue: wordsOf(old.revision, old.text) }
    return { result: { revision: idx }, log: [{ ...settingLog(type, field, detail), subjectIdx: idx }] }
  })
}
