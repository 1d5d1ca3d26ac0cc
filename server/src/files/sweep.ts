// Files that no row knows, because the server died between deleting a row and its file. Rows of requests are committed
// before their first byte is stored, those of client versions right after the last: an old unknown file has no owner.
import type { Medium } from './medium.ts'

/** Returns the names that a row knows. It is called with the names of one of the 256 groups at a time. */
export type FindKnownNames = (names: readonly string[]) => Promise<ReadonlySet<string>>

/** Deletes files last written before `before` that no row knows; returns their number. Foreign files remain. */
export async function sweepMedium(medium: Medium, findKnown: FindKnownNames, before: Date): Promise<number> {
  let removed = 0
  for await (const names of medium.names()) {
    const known = await findKnown(names)
    for (const name of names) {
      if (known.has(name)) continue
      const writtenDT = await medium.writtenDT(name)
      if (writtenDT === undefined || writtenDT >= before) continue
      await medium.remove(name)
      removed++
    }
  }
  return removed
}
