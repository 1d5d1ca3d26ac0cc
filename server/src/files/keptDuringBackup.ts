// A file store that deletes nothing during a backup, whose snapshot may name files that were removed since. The hourly
// sweep deletes them afterwards.
import type { FileStore } from './fileStore.ts'

/** `isRunning` is called after the change that makes a file needless was committed. */
export const keptDuringBackup = (files: FileStore, isRunning: () => Promise<boolean>): FileStore => ({
  ...files,
  remove: async (name) => {
    if (!(await isRunning())) await files.remove(name)
  },
  sweep: (known, before) => {
    const knownOrKept = async (names: readonly string[]) => {
      const found = await known(names)
      return (await isRunning()) ? new Set(names) : found
    }
    return files.sweep(knownOrKept, before)
  },
})
