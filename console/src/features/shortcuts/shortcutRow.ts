// A shortcut as the screens know it: web pages and programs differ in what `target` is called.
import { api } from '@acc/contract'
import type { ShortcutProgram, ShortcutWeb } from '@acc/contract/shortcuts'
import { call } from '../../kit/api/call.ts'

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
