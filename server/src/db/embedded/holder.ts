// The pid file of a data directory: the process number, and when that process began, since numbers are reused. It is
// for messages only; the kernel holds the lock (lock.ts).
import { readFileSync } from 'node:fs'

/** Returns the content of this process's pid file. */
export const holderText = (): string => `${process.pid} ${beginningOf(process.pid) ?? ''}\n`

export type Holder = { pid: number; isAlive: boolean }

/** Reads a pid file; undefined if it is missing or empty. */
export function readHolder(pidFile: string): Holder | undefined {
  let text: string
  try {
    text = readFileSync(pidFile, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const [, pid, beginning] = /^(\d+) (.*)/.exec(text) ?? []
  if (pid === undefined) return undefined
  return { pid: Number(pid), isAlive: beginning !== '' && beginningOf(Number(pid)) === beginning }
}

/** Returns the boot and its clock tick at which a process began; undefined without the process or without /proc. */
function beginningOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command's name in parentheses may contain any character. A zombie has ended.
    const [state, ...numbers] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : `${boot} ${numbers[18]}`
  } catch {
    return undefined
  }
}
