// Fills the disk of database and files for a while.
import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { check, checkWrites, lossOf, note, since } from './checks.ts'
import { type Drill, isAlive, until } from './drill.ts'
import type { ServerPart, Subject } from './part.ts'
import { isReady } from './servers.ts'

/** Bytes of the disk; a new database takes 60 MB. */
const SIZE = 512 * 1024 * 1024
const FULL_FOR = 20_000

/** Takes every free byte of a disk, also bytes that others free. */
async function fillDisk(folder: string): Promise<void> {
  const ballast = join(folder, 'ballast')
  for (const end = performance.now() + FULL_FOR; performance.now() < end; await wait(100)) {
    const { bavail, bsize } = statfsSync(folder)
    try {
      if (bavail > 0) writeFileSync(ballast, Buffer.alloc(bavail * bsize), { flag: 'a' })
    } catch {
      // It is full.
    }
  }
  rmSync(ballast)
}

/** Mounts a small disk in memory for the drill. */
export function drillDisk(drill: Drill): ServerPart {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0755`, 'tmpfs', drill.root])
  drill.atEnd(async () => void execFileSync('umount', [drill.root]))
  return { run: fillAndFree }
}

async function fillAndFree({ node, load }: Subject, times: number): Promise<void> {
  for (let at = 0; at < times; at++) {
    await wait(3_000)
    const filled = performance.now()
    await fillDisk(node.dataDir)
    const freed = performance.now()
    const calls = since(load.calls, filled)
    const writes = calls.filter(({ kind }) => kind !== 'read')
    const refused = writes.filter(({ outcome }) => outcome === 'refused').length
    note(`the disk was full for ${FULL_FOR / 1000} s: ${refused} of ${writes.length} writes refused`)
    lossOf(calls).details.forEach(note)
    await until('the server is ready', () => isReady(node.url))
    await checkWrites(load, freed, 'with free space')
    check(isAlive(node.running.pid), 'the server did not end')
  }
}
