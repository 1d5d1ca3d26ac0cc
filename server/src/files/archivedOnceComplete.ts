// A file store whose complete files are copied into the WAL archive.
import type { FileStore } from './fileStore.ts'

export const archivedOnceComplete = (files: FileStore, addFile: (name: string) => void): FileStore => ({
  ...files,
  append: async (file, offset, source) => {
    const progress = await files.append(file, offset, source)
    if (progress.complete) addFile(file.name)
    return progress
  },
  receive: async (source) => {
    const received = await files.receive(source)
    addFile(received.name)
    return received
  },
})
