// Server and database have little memory, while 500 consoles are open and people sign in.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { check, checkLoss, since } from './checks.ts'
import { buildPeople, openConsoles } from './consoles.ts'
import { type Drill, isAlive } from './drill.ts'
import type { ServerPart } from './part.ts'
import { signIn } from './servers.ts'

export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
/** Returns the resident memory of a process. */
export const residentMiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Bytes of server and embedded database together. */
const MEMORY = 1024 ** 3
const CONTROL_GROUPS = '/sys/fs/cgroup/memory'
/** People who sign in at the same time, and for how many milliseconds. Each sign-in hashes in memory. */
const SIGN_INS = 50
const STRAIN = 60_000
/** Milliseconds between two sign-ins of a person, who may have one a second. */
const SIGN_IN_EVERY = 1_500

/** Runs server and database in a control group of limited memory. */
export function drillMemory(drill: Drill): ServerPart {
  const group = join(CONTROL_GROUPS, `acc-drill-${process.pid}`)
  mkdirSync(group)
  drill.atEnd(async () => rmdirSync(group))
  writeFileSync(join(group, 'memory.limit_in_bytes'), String(MEMORY))
  const read = (name: string) => readFileSync(join(group, name), 'utf8')
  return {
    options: { under: ['sh', '-c', `echo $$ > ${join(group, 'cgroup.procs')} && exec "$@"`, 'sh'] },
    run: async (subject, times) => {
      const { node, load } = subject
      const consoles = await openConsoles(subject)
      const people = await buildPeople(node, SIGN_INS)
      const from = performance.now()
      while (performance.now() < from + STRAIN * times)
        await Promise.all([wait(SIGN_IN_EVERY), ...people.map((id) => signIn(node.url, id))])
      checkLoss(since(load.calls, from), `${consoles.open()} consoles, ${SIGN_INS} sign-ins at once`)
      const most = Number(read('memory.max_usage_in_bytes')) / 1024 ** 2
      const killed = /oom_kill (\d+)/.exec(read('memory.oom_control'))?.[1]
      const isSafe = killed === '0' && isAlive(node.running.pid)
      check(
        isSafe,
        `at most ${most.toFixed(0)} of ${MEMORY / 1024 ** 2} MiB, cached files included; ${killed} processes killed`,
      )
    },
  }
}
