// What an import reads: a file, or the entries of a directory, as rows of texts.
import type { ImportFault, ImportField } from '@acc/contract/labels/userImports'
import type { Refusal } from '@acc/contract/userImports'

export type RowFault = { field: ImportField | null; fault: ImportFault; hint: string }

/**
 * A person as the source has them. A field that is missing or empty keeps its value, `-` clears it. The group is a path
 * such as `Head office > Sales`, or the key of a group or unit.
 */
export type SourceRow = {
  /** Of a file, its first line being 1. */
  line: number | null
  values: Partial<Record<ImportField, string>>
  faults?: readonly RowFault[]
}

/** An organizational unit of a directory: a group with the unit's key. Parents come before their children. */
export type SourceUnit = { key: string; parentKey: string | null; name: string }

export type Source = {
  /** SHA-256 of the file, or of the entries. */
  hash: string
  /** The columns that it has. */
  fields: readonly ImportField[]
  rows: readonly SourceRow[]
  units?: readonly SourceUnit[]
}

/** Characters of a text of the source that a fault or a refusal shows. */
const MAX_SHOWN = 200

/** Returns the part of a text of the source that is shown, as PostgreSQL can store it. */
export const shownText = (text: string): string =>
  text
    .slice(0, MAX_SHOWN)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\ufffd')

/** The source is refused as a whole. */
export class RefusedSource extends Error {
  override readonly name = 'RefusedSource'
  readonly refusal: Refusal
  constructor({ reason, line = null, text = '', hint = '' }: Pick<Refusal, 'reason'> & Partial<Refusal>) {
    super(`the source is refused for reason ${reason}`)
    this.refusal = { reason, line, text: shownText(text), hint: shownText(hint) }
  }
}
