import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** Copies a folder into a new or an empty one, with owners and rights, as Node's `cpSync` does not. */
export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  execFileSync('cp', ['-a', `${from}/.`, to])
}
