// Files that are written completely or not at all, and the codes of their faults.
import { randomBytes } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'

/** Returns the system's code of an error, as ENOENT. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'no code'

/** Makes the folder's entries durable. Throws the system's errors. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return // NTFS keeps its own journal and opens no directories
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

type Content = string | Uint8Array | Readable

async function writeDraft(file: string, content: Content): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return draft
}

/** Writes or replaces a file of mode 0600. */
export async function replaceFile(file: string, content: Content): Promise<void> {
  await place(file, content, rename)
}

/** Writes a file of mode 0600 unless it exists; an existing one remains. */
export async function createFile(file: string, content: string): Promise<void> {
  await place(file, content, (draft) =>
    // A link, unlike a rename, never replaces a file.
    link(draft, file).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    }),
  )
}

async function place(file: string, content: Content, move: (draft: string, file: string) => Promise<void>) {
  let draft: string | undefined
  try {
    draft = await writeDraft(file, content)
    await move(draft, file)
    await syncFolder(dirname(file))
  } finally {
    if (draft !== undefined) await rm(draft, { force: true })
  }
}
