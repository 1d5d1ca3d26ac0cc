// A file store that removes nothing while a backup is made, whose snapshot may name what was removed since. The hourly sweep
// removes it once the backup has ended.
import type { FileStore } from './fileStore.ts'

/** `isRunning` is asked after the change that makes a file needless has committed. */
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
