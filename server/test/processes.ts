// The real servers of a test file; stopped, and their folder removed, after its last test.
import { rm } from 'node:fs/promises'
import { afterAll } from 'vitest'
import type { ServerProcess } from './process.ts'

/** Returns the list to which each started server must be pushed. */
export function endedAfterAll(root: string): ServerProcess[] {
  const running: ServerProcess[] = []
  afterAll(async () => {
    for (const { child } of running) child.kill('SIGTERM')
    await Promise.all(running.map(({ ended }) => ended))
    await rm(root, { recursive: true, force: true })
  })
  return running
}
