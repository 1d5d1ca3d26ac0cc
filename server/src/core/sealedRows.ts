// Sealed columns, for the rotation of the secret key: each domain names its own.
import type { Reader } from '../db/open.ts'

export type SealedRow = {
  idx: number
  sealed: Buffer
  /** What the value may be bound to, the present way first. */
  contexts: readonly string[]
}

export type SealedRows = {
  table: string
  /** The column that names a row. */
  key: string
  column: string
  purpose: string
  /** Finds rows that have a value, from behind one on, in the order of the key. */
  find(db: Reader, range: { after: number; limit: number }): Promise<SealedRow[]>
}
