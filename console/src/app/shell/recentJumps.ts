// What a person last opened by Ctrl K, in this browser. Names of people stay out of the browser's storage.
import { z } from 'zod'
import { readStored, stored, writeStored } from '../../kit/browser/storage.ts'

const AT_MOST = 8
const Ids = z.array(z.string().max(200)).max(AT_MOST)
const nameOf = (personIdx: number) => `${stored.recentJumps}.${personIdx}`

/** Returns the ids of targets, the last one first. */
export function readRecent(personIdx: number): string[] {
  try {
    return Ids.parse(JSON.parse(readStored(nameOf(personIdx)) ?? '[]'))
  } catch {
    return []
  }
}

export function addRecent(personIdx: number, id: string): void {
  const others = readRecent(personIdx).filter((other) => other !== id)
  writeStored(nameOf(personIdx), JSON.stringify([id, ...others].slice(0, AT_MOST)))
}
