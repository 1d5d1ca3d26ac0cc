// Which process holds a data directory, as its pid file says: the number, and when that process began, since numbers are used
// again. Nothing is decided by it: the lock is the kernel's (lock.ts).
import { readFileSync } from 'node:fs'

/** What the pid file of this process says. */
export const holderText = (): string => `${process.pid} ${beginningOf(process.pid) ?? ''}\n`

export type Holder = { pid: number; isAlive: boolean }

/** The process that wrote a pid file; undefined where there is no such file or nothing in it. */
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

/** The boot, and the clock tick of it, at which a process began; undefined where there is no such process (or no /proc). */
function beginningOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it is in parentheses and may hold anything. A zombie has ended.
    const [state, ...numbers] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : `${boot} ${numbers[18]}`
  } catch {
    return undefined
  }
}
