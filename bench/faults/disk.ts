// The disk of database and files is full for a while.
import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Drill, isAlive, until } from '../ha/drill.ts'
import { demand, lossOf, since } from '../ha/judge.ts'
import { isReady } from '../ha/site.ts'
import { demandWrites } from './again.ts'
import type { Part, Subject } from './main.ts'

/** Bytes of the disk, of which a new database takes 60 MB and its log grows. */
const DISK = 512 * 1024 * 1024
const FULL_FOR = 20_000

/** Mounts a small disk in memory, which is unmounted when the server on it has ended. */
export function openDisk(drill: Drill): Part {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=0755`, 'tmpfs', drill.root])
  drill.atEnd(async () => void execFileSync('umount', [drill.root]))
  return { run: drillDisk }
}

async function drillDisk({ node, load }: Subject, times: number): Promise<void> {
  const ballast = join(node.dataDir, 'ballast')
  for (let at = 0; at < times; at++) {
    await wait(3_000)
    const filled = performance.now()
    while (performance.now() < filled + FULL_FOR) {
      const { bavail, bsize } = statfsSync(node.dataDir)
      if (bavail > 0) {
        try {
          writeFileSync(ballast, Buffer.alloc(bavail * bsize), { flag: 'a' })
        } catch {
          // It is full.
        }
      }
      await wait(100)
    }
    const calls = since(load.calls, filled)
    const writes = calls.filter(({ kind }) => kind !== 'read')
    const refused = writes.filter(({ outcome }) => outcome === 'refused').length
    console.log(`     the disk was full for ${FULL_FOR / 1000} s: ${refused} of ${writes.length} writes refused`)
    for (const detail of lossOf(calls).details) console.log(`     ${detail}`)
    rmSync(ballast)
    const freed = performance.now()
    await until('the server is ready', () => isReady(node.url))
    await demandWrites(load, freed, 'with room again')
    demand(isAlive(node.running.pid), 'the server did not end')
  }
}
