// The shortcuts of a policy (spec S1 §3, §7): chosen among those that administrators create, change and delete.
import type { PolicyShortcuts, ShortcutIdxes } from '@acc/contract/policyShortcuts'
import { type RawBuilder, sql } from 'kysely'
import { fail } from '../../core/errors.ts'
import type { Tx } from '../../db/open.ts'
import { ShortcutKind } from '../shortcuts/shortcuts.queries.ts'

/** Bytes of the icons of one kind in one response; further shortcuts come without their icon. */
const MAX_ICONS = 4 * 1024 * 1024

const { WEB, PROGRAM } = ShortcutKind

const shortcutsOf = <T>(kind: ShortcutKind, target: 'url' | 'path'): RawBuilder<T[]> => sql`(
  select coalesce(json_agg(json_build_object('idx', s.idx, 'name', s.name, ${sql.lit(target)}, s.target, 'iconName', s."iconName",
    'iconData', case when s."upTo" <= ${sql.lit(MAX_ICONS)} then translate(encode(s."iconData", 'base64'), e'\\n', '') end)
    order by s.name collate people, s.idx), '[]')
  from (
    select s.*, sum(length(s."iconData")) over (order by s.name collate people, s.idx) as "upTo"
    from "policyShortcuts" p join shortcuts s on s.idx = p."shortcutIdx"
    where p."policyIdx" = policies.idx and s.kind = ${sql.lit(kind)}
  ) s)`

/** The shortcuts of the policy of a statement's row. */
export const SHORTCUT_COLUMNS = [
  shortcutsOf<PolicyShortcuts['shortcutWebs'][number]>(WEB, 'url').as('shortcutWebs'),
  shortcutsOf<PolicyShortcuts['shortcutPrograms'][number]>(PROGRAM, 'path').as('shortcutPrograms'),
] as const

/** A digest of the shortcuts of the policy of a statement's row. */
export const shortcutsDigest = sql<string>`md5((
  select string_agg(json_build_array(s.kind, s.name, s.target, s."iconName", s."iconDigest")::text, '' order by s.idx)
  from "policyShortcuts" p join shortcuts s on s.idx = p."shortcutIdx" where p."policyIdx" = policies.idx))`

/** Links shortcuts of a kind; returns how many exist. */
async function insertLinks(tx: Tx, policyIdx: number, kind: ShortcutKind, idxes: readonly number[]): Promise<number> {
  const chosen = tx
    .selectFrom('shortcuts')
    .select([sql<number>`${policyIdx}::bigint`.as('policyIdx'), 'shortcuts.idx as shortcutIdx'])
    .where('kind', '=', kind)
    .where('idx', '=', sql<number>`any(${idxes}::bigint[])`)
  const rows = await tx
    .insertInto('policyShortcuts')
    .columns(['policyIdx', 'shortcutIdx'])
    .expression(chosen)
    .returning('shortcutIdx')
    .execute()
  return rows.length
}

const deleteLinks = (tx: Tx, policyIdx: number, idxes: readonly number[]) =>
  tx
    .deleteFrom('policyShortcuts')
    .where('policyIdx', '=', policyIdx)
    .where('shortcutIdx', '=', sql<number>`any(${idxes}::bigint[])`)
    .execute()

/** Writes the differences of one kind. An idx that is no shortcut of the kind returns 980. */
async function saveKind(tx: Tx, policyIdx: number, kind: ShortcutKind, stored: { idx: number }[], wanted: number[]) {
  const former = new Set(stored.map(({ idx }) => idx))
  const added = wanted.filter((idx) => !former.has(idx))
  const removed = [...former].filter((idx) => !wanted.includes(idx))
  if (removed.length > 0) await deleteLinks(tx, policyIdx, removed)
  if (added.length > 0 && (await insertLinks(tx, policyIdx, kind, added)) < added.length) fail('NOT_ALLOWED')
}

/** Writes the differences of the given kinds. */
export async function saveShortcuts(
  tx: Tx,
  policyIdx: number,
  stored: PolicyShortcuts,
  { shortcutWebIdxes, shortcutProgramIdxes }: Partial<ShortcutIdxes>,
): Promise<void> {
  if (shortcutWebIdxes) await saveKind(tx, policyIdx, WEB, stored.shortcutWebs, shortcutWebIdxes)
  if (shortcutProgramIdxes) await saveKind(tx, policyIdx, PROGRAM, stored.shortcutPrograms, shortcutProgramIdxes)
}

/** Links a new policy to the shortcuts of another one, except for deleted ones. */
export async function insertShortcuts(tx: Tx, policyIdx: number, { shortcutWebs, shortcutPrograms }: PolicyShortcuts) {
  for (const [kind, shortcuts] of [
    [WEB, shortcutWebs],
    [PROGRAM, shortcutPrograms],
  ] as const)
    await insertLinks(
      tx,
      policyIdx,
      kind,
      shortcuts.map(({ idx }) => idx),
    )
}
