// The shortcuts that a policy puts on the virtual desktop (spec S1 §3, §7).
import { z } from 'zod'
import { idx } from './core/fields.ts'
import { ShortcutProgram, ShortcutWeb } from './shortcuts.ts'

/** Maximum number of shortcuts of one kind in a policy. */
export const MAX_POLICY_SHORTCUTS = 100

const shortcutIdxes = z
  .array(idx)
  .max(MAX_POLICY_SHORTCUTS)
  .refine((list) => new Set(list).size === list.length, 'duplicate')

/** The shortcuts of a policy as an edit sends them: all of a kind. */
export const ShortcutIdxes = z.object({ shortcutWebIdxes: shortcutIdxes, shortcutProgramIdxes: shortcutIdxes })
export type ShortcutIdxes = z.output<typeof ShortcutIdxes>

/** The shortcuts of a policy, by name. */
export const PolicyShortcuts = z.object({
  shortcutWebs: z.array(ShortcutWeb.omit({ policyCount: true, revision: true })),
  shortcutPrograms: z.array(ShortcutProgram.omit({ policyCount: true, revision: true })),
})
export type PolicyShortcuts = z.output<typeof PolicyShortcuts>

/** The same without icons, to compare two policies. */
export const NamedShortcuts = z.object({
  shortcutWebs: z.array(ShortcutWeb.pick({ idx: true, name: true, url: true })),
  shortcutPrograms: z.array(ShortcutProgram.pick({ idx: true, name: true, path: true })),
})
export type NamedShortcuts = z.output<typeof NamedShortcuts>
export const NO_SHORTCUTS: NamedShortcuts & PolicyShortcuts = { shortcutWebs: [], shortcutPrograms: [] }
