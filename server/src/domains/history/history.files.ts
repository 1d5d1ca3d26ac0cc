// Rows of the history as files: JSON Lines, a file for each day on which they were written out.
import { constants, type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { dayOf } from '../../clock.ts'
import { codeOf, syncFolder } from '../../disk.ts'
import type { Outgoing } from './history.outgoing.ts'

const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants
const BLOCK = 65_536
const LINE_END = 10

/** Returns where the last whole line ends. */
async function endOfLines(handle: FileHandle, size: number): Promise<number> {
  const block = Buffer.alloc(BLOCK)
  for (let end = size; end > 0; end -= Math.min(BLOCK, end)) {
    const begin = Math.max(0, end - BLOCK)
    const { bytesRead } = await handle.read(block, 0, end - begin, begin)
    const at = block.subarray(0, bytesRead).lastIndexOf(LINE_END)
    if (at >= 0) return begin + at + 1
  }
  return 0
}

/** Makes the folder, in one that is there: a mount that is missing is an error. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  await syncFolder(dirname(folder))
}

/** Appends rows to the file of the day, durably. First removes a line cut off by a crash: it never counted as sent. */
export async function appendToFile(folder: string, now: Date, rows: readonly Outgoing[]): Promise<void> {
  await makeFolder(folder)
  const file = join(folder, `history-${dayOf(now)}.jsonl`)
  const handle = await open(file, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
  try {
    const { size } = await handle.stat()
    const end = await endOfLines(handle, size)
    if (end < size) await handle.truncate(end)
    await handle.appendFile(rows.map(({ document }) => `${JSON.stringify(document)}\n`).join(''))
    await handle.sync()
    if (size === 0) await syncFolder(folder)
  } finally {
    await handle.close()
  }
}
