// The server may open no more files, or its container has little memory.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Drill, isAlive } from '../ha/drill.ts'
import { demand, lossOf, since } from '../ha/judge.ts'
import { signIn } from '../src/sessions.ts'
import { demandWrites } from './again.ts'
import { buildPeople, openConsoles } from './consoles.ts'
import type { Part, Subject } from './main.ts'

/** Files beyond those that are open, and connections that then come. */
const MORE = 20
const CONNECTIONS = 200
const LASTS = 10_000

export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
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
    const limit = openFiles(pid) + MORE
    limitFiles(pid, limit)
    const limited = performance.now()
    const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), '127.0.0.1'))
    for (const socket of sockets) socket.on('error', () => socket.destroy())
    await wait(LASTS)
    const { count, details } = lossOf(since(load.calls, limited))
    console.log(`     ${CONNECTIONS} connections where ${limit} files may be open: ${count} calls lost`)
    for (const detail of details) console.log(`     ${detail}`)
    for (const socket of sockets) socket.destroy()
    limitFiles(pid, before)
    const freed = performance.now()
    await demandWrites(load, freed, 'with files again')
    demand(isAlive(pid), 'the server did not end')
  }
}

/** Of server and embedded database together, in bytes. */
const MEMORY = 1024 ** 3
const MEMORY_GROUPS = '/sys/fs/cgroup/memory'
/** People who sign in at once, again and again, each of which hashes in memory; and for how long. */
const SIGN_INS = 50
const STRAIN = 60_000
/** Milliseconds between two sign-ins of a person, who may have one a second. */
const EVERY = 1_500

/** Runs server and database in a control group of limited memory. */
export function openMemory(drill: Drill): Part {
  const group = join(MEMORY_GROUPS, `acc-drill-${process.pid}`)
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
      for (let at = 0; at < times; at++) {
        const from = performance.now()
        while (performance.now() < from + STRAIN)
          await Promise.all([wait(EVERY), ...people.map((id) => signIn(node.url, id))])
        const { count, details } = lossOf(since(load.calls, from))
        demand(
          count === 0,
          `${consoles.open()} consoles, ${SIGN_INS} sign-ins at once for ${STRAIN / 1000} s: ${count} calls lost`,
        )
        for (const detail of details) console.log(`     ${detail}`)
      }
      const most = Number(read('memory.max_usage_in_bytes')) / 1024 ** 2
      const kills = /oom_kill (\d+)/.exec(read('memory.oom_control'))?.[1]
      demand(
        kills === '0' && isAlive(node.running.pid),
        `${most.toFixed(0)} of ${MEMORY / 1024 ** 2} MiB at the most, files in memory included; processes killed: ${kills}`,
      )
    },
  }
}
