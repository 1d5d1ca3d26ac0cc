// Texts, reads and rows of shortcuts: all of a kind at once, since they are few and are edited in place (spec S1 §7).
import { api } from '@acc/contract'
import type { ShortcutProgram, ShortcutWeb } from '@acc/contract/shortcuts'
import { call } from '../../kit/api/call.ts'
import { useApiQuery } from '../../kit/api/query.ts'
import { useHeadings } from '../../kit/texts/labels.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const shortcutsTexts = defineTexts(
  () => import('./shortcuts.ko.json'),
  () => import('./shortcuts.en.json'),
)

const allOf = (rowsCount: number, keyword: string) =>
  ({ rowsCount, sort: 'name', sortOrder: 0, ...(keyword !== '' && { keyword }) }) as const

export const useShortcutWebs = (keyword: string) =>
  useApiQuery(api.shortcuts.searchWebs, allOf(api.shortcuts.searchWebs.maxRows, keyword), { keepsFormer: true })

export const useShortcutPrograms = (keyword: string) =>
  useApiQuery(api.shortcuts.searchPrograms, allOf(api.shortcuts.searchPrograms.maxRows, keyword), { keepsFormer: true })

/** A shortcut as the screens know it: web pages and programs differ in what `target` is called. */
export type ShortcutKind = 'web' | 'program'
export type ShortcutRow = Omit<ShortcutWeb, 'url'> & { target: string }

export const rowOfWeb = ({ url, ...rest }: ShortcutWeb): ShortcutRow => ({ ...rest, target: url })
export const rowOfProgram = ({ path, ...rest }: ShortcutProgram): ShortcutRow => ({ ...rest, target: path })

/** What is edited in a table; the icon is edited in the dialog. */
export type ShortcutValues = Pick<ShortcutRow, 'name' | 'target'>
type Row = ShortcutValues & Pick<ShortcutRow, 'idx' | 'revision'>

const webInput = ({ idx, name, target, revision }: Row) => ({ idx, name, url: target, revision })
const programInput = ({ idx, name, target, revision }: Row) => ({ idx, name, path: target, revision })

/** The issues that the contract's schema finds, at the fields of the table. */
export function issuesOf(kind: ShortcutKind, row: Row) {
  const { updateWeb, updateProgram } = api.shortcuts
  const read =
    kind === 'web' ? updateWeb.input.safeParse(webInput(row)) : updateProgram.input.safeParse(programInput(row))
  const issues = read.error?.issues ?? []
  return issues.map((issue) => ({ ...issue, path: issue.path[0] === 'name' ? ['name'] : ['target'] }))
}

export const saveRow = (kind: ShortcutKind, row: Row) =>
  kind === 'web' ? call(api.shortcuts.updateWeb, webInput(row)) : call(api.shortcuts.updateProgram, programInput(row))

/** The headings of a kind of shortcuts; its form names the fields by them. */
export function useShortcutHeadings(kind: ShortcutKind): { name: string; target: string } {
  const web = useHeadings(api.shortcuts.searchWebs)
  const program = useHeadings(api.shortcuts.searchPrograms)
  return kind === 'web' ? { name: web('name'), target: web('url') } : { name: program('name'), target: program('path') }
}
