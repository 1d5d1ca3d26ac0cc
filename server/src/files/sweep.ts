// Files that no row knows: what is left when a row is deleted and the server dies before its file is. Rows of requests are
// committed before their first byte is stored, those of client versions right after the last one, so an old unknown file has
// no owner.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../disk.ts'
import { onDisk } from './errors.ts'

/** Which of these names a row knows; called with the names of one of the 256 folders at a time. */
export type FindKnownNames = (names: readonly string[]) => Promise<ReadonlySet<string>>

const NAME = /^[0-9a-f]{32}$/

/** Names are ours alone: anything else never becomes part of a path. */
export function isName(name: string): boolean {
  return NAME.test(name)
}

/** 65,536 folders, so that none grows long: `4f/a0/4fa0...`. */
export function pathOf(folder: string, name: string): string {
  return join(folder, name.slice(0, 2), name.slice(2, 4), name)
}

/**
 * Removes the files last written before `before` that no row knows; answers how many. Foreign files in the folder are
 * left alone.
 */
export async function sweepFolder(folder: string, known: FindKnownNames, before: Date): Promise<number> {
  let removed = 0
  for (const first of await list(folder)) {
    const names: string[] = []
    for (const second of await list(join(folder, first))) {
      for (const name of await list(join(folder, first, second))) {
        if (isName(name) && name.startsWith(first + second)) names.push(name)
      }
    }
    if (names.length > 0) removed += await removeUnknown(folder, names, await known(names), before)
  }
  return removed
}

async function removeUnknown(
  folder: string,
  names: string[],
  known: ReadonlySet<string>,
  before: Date,
): Promise<number> {
  let removed = 0
  for (const name of names) {
    if (known.has(name)) continue
    const path = pathOf(folder, name)
    const status = await onDisk(stat(path).catch(orNothing))
    if (!status || status.mtime >= before) continue
    await onDisk(rm(path, { force: true }))
    removed++
  }
  return removed
}

async function list(folder: string): Promise<string[]> {
  const names = await onDisk(readdir(folder).catch(orNothing))
  return names ?? []
}

/** Another node may sweep at the same time, and the folder may hold files of others. */
function orNothing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
  throw error
}
