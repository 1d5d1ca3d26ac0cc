// Files that no row knows: what is left when a row is deleted and the server dies before its file is. Rows of requests are
// committed before their first byte is stored, those of client versions right after the last one, so an old unknown file has
// no owner.
import type { Medium } from './medium.ts'

/** Which of these names a row knows; called with the names of one of the 256 groups at a time. */
export type FindKnownNames = (names: readonly string[]) => Promise<ReadonlySet<string>>

/** Removes the files last written before `before` that no row knows, and returns how many. Foreign files are left alone. */
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
