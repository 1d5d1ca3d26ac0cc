// Writes files atomically: a draft next to the target is synchronized and renamed.
import { type FileHandle, open, rm } from 'node:fs/promises'

type Draft = {
  path: string
  mode?: number
  write: (handle: FileHandle) => Promise<void>
  /** Gives the draft its name, once its bytes are on the disk. */
  place: (path: string) => Promise<void>
}

/** Writes a file by way of a draft, which is removed if anything fails. */
export async function writeDurably({ path, mode, write, place }: Draft): Promise<void> {
  const handle = await open(path, 'wx', mode)
  try {
    await write(handle)
    await handle.sync()
    await handle.close()
    await place(path)
  } finally {
    await handle.close().catch(() => undefined)
    await rm(path, { force: true })
  }
}
