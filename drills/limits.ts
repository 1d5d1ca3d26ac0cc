// The server may open few files more, or server and database have little memory.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { check, checkWrites, lossOf, note, since } from './checks.ts'
import { buildPeople, openConsoles } from './consoles.ts'
import { type Drill, isAlive } from './drill.ts'
import type { ServerPart, Subject } from './part.ts'
import { signIn } from './servers.ts'

export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
/** Returns the resident memory of a process. */
export const residentMiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Files that may still be opened, and the connections that then come. */
const [FREE, CONNECTIONS] = [20, 200]
const LASTS = 10_000

const softLimit = (pid: number) =>
  Number(/Max open files\s+(\d+)/.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1])
const limitFiles = (pid: number, most: number) =>
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`], { stdio: 'pipe' })

export async function drillFiles({ node, load }: Subject, times: number): Promise<void> {
  const { pid } = node.running
  const { port } = new URL(node.url)
  for (let at = 0; at < times; at++) {
    await wait(2_000)
    const before = softLimit(pid)
    const limit = openFiles(pid) + FREE
    limitFiles(pid, limit)
    const limited = performance.now()
    const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), '127.0.0.1'))
    for (const socket of sockets) socket.on('error', () => socket.destroy())
    await wait(LASTS)
    const { count, details } = lossOf(since(load.calls, limited))
    note(`${CONNECTIONS} connections with at most ${limit} open files: ${count} calls lost`)
    details.forEach(note)
    for (const socket of sockets) socket.destroy()
    limitFiles(pid, before)
    await checkWrites(load, performance.now(), 'with the usual limit')
    check(isAlive(pid), 'the server did not end')
  }
}

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
      const { count, details } = lossOf(since(load.calls, from))
      check(count === 0, `${consoles.open()} consoles, ${SIGN_INS} sign-ins at once: ${count} calls lost`)
      details.forEach(note)
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
