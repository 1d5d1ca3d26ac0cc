// The processes of a measurement, their processor time and their memory.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import NODE_FLAGS from '@acc/server/nodeFlags.json' with { type: 'json' }
import { COMPILED } from '@acc/server/test/process.ts'
import type { Order } from './limit.ts'
import { PASSWORD } from './people.ts'

const HERE = import.meta.dirname
const SERVER = join(HERE, '../../server/src/main.ts')

export type ServerProcess = { pid: number; url: string; stop(): Promise<void> }
export type Product = ServerProcess & { startSeconds: number }

/** Returns the first line of a child's output that matches. Reads the rest, since a full pipe would stop the child. */
export async function firstLine(child: ChildProcess, matches: RegExp): Promise<string> {
  if (child.stdout === null) throw new Error('no output')
  const lines = createInterface({ input: child.stdout })
  const found = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      if (matches.test(line)) resolve(line)
    })
    lines.on('close', () => reject(new Error('the process ended before it was ready')))
  })
  return found
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

/** Starts the product as `npm start` does; `startSeconds` is the time to its first response. */
export async function startServer(dataDir: string, port: number): Promise<Product> {
  const from = performance.now()
  const child = spawn(process.execPath, [...NODE_FLAGS, SERVER], {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: COMPILED,
      ACC_DATA_DIR: dataDir,
      ACC_PORT: String(port),
      ACC_LOG_LEVEL: 'error',
      ACC_ADMIN_PASSWORD: PASSWORD,
      // All calls come from the sessions of a few people.
      ACC_CALLS_PER_SECOND: '1000000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await firstLine(child, /ACC is ready/)
  const url = `http://127.0.0.1:${port}`
  await fetch(`${url}/Configs`)
  return { pid: child.pid ?? 0, url, startSeconds: (performance.now() - from) / 1000, stop: () => stop(child) }
}

export async function startLimit(order: Order): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...NODE_FLAGS, join(HERE, 'limit.ts'), JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { url } = JSON.parse(await firstLine(child, /^\{/)) as { url: string }
  return { pid: child.pid ?? 0, url, stop: () => stop(child) }
}

/** Returns the resident memory of a process. */
export function residentMiB(pid: number): number {
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib ?? 0) / 1024
}

/** Milliseconds of a tick in /proc: USER_HZ is 100 on every Linux that Node runs on. */
const TICK = 10
/** Fields of /proc/PID/stat behind the command's name, which may hold spaces (proc(5)). */
const FIELDS = { ppid: 1, utime: 11, stime: 12, cutime: 13, cstime: 14 } as const

function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
const sumOf = (stat: string[], fields: readonly (keyof typeof FIELDS)[]) =>
  fields.reduce((sum, field) => sum + Number(stat[FIELDS[field]] ?? 0), 0)

/** Returns the processor time of a process in milliseconds. */
export const processorTime = (pid: number): number => sumOf(statOf(pid), ['utime', 'stime']) * TICK

/** Returns the processor time of a postmaster and its backends, ended ones included. */
export function databaseTime(dataDir: string): number {
  const postmaster = Number(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0])
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => Number(stat[FIELDS.ppid]) === postmaster)
  const own = sumOf(statOf(postmaster), ['utime', 'stime', 'cutime', 'cstime'])
  return (own + children.reduce((sum, stat) => sum + sumOf(stat, ['utime', 'stime']), 0)) * TICK
}
