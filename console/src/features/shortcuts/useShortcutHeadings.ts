// The headings of a kind of shortcuts; its form names the fields by them.
import { api } from '@acc/contract'

import { useHeadings } from '../../kit/texts/labels.ts'
import type { ShortcutKind } from './shortcutRow.ts'

export function useShortcutHeadings(kind: ShortcutKind): { name: string; target: string } {
  const web = useHeadings(api.shortcuts.searchWebs)
  const program = useHeadings(api.shortcuts.searchPrograms)
  return kind === 'web' ? { name: web('name'), target: web('url') } : { name: program('name'), target: program('path') }
}
