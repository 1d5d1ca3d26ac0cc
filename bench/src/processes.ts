// The processes of a measurement: the product's server, the bare server, the load.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import NODE_FLAGS from '@acc/server/nodeFlags.json' with { type: 'json' }
import type { Figures, Load } from './load.ts'

const HERE = import.meta.dirname
const SERVER = join(HERE, '../../server/src/main.ts')

export type Running = { pid: number; url: string; startSeconds: number; stop(): Promise<void> }

async function firstLine(child: ChildProcess, matches: RegExp): Promise<string> {
  if (child.stdout === null) throw new Error('no output')
  for await (const line of createInterface({ input: child.stdout })) if (matches.test(line)) return line
  throw new Error('the process ended before it was ready')
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

/** Starts the product as scripts/setup.mjs does, on a data directory; `startSeconds` is the time to its first answer. */
export async function startServer(dataDir: string, port: number): Promise<Running> {
  const from = performance.now()
  const child = spawn(process.execPath, [...NODE_FLAGS, SERVER], {
    env: {
      ...process.env,
      ACC_DATA_DIR: dataDir,
      ACC_PORT: String(port),
      ACC_LOG_LEVEL: 'error',
      ACC_CALLS_PER_SECOND: '1000000',
      ACC_ADMIN_PASSWORD: 'Bench!mark-73',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await firstLine(child, /ACC is ready/)
  const url = `http://127.0.0.1:${port}`
  await fetch(`${url}/Configs`)
  // The rest of the output is of no interest, but a full pipe would stop the server.
  child.stdout?.resume()
  return { pid: child.pid ?? 0, url, startSeconds: (performance.now() - from) / 1000, stop: () => stop(child) }
}

export async function startBare(order: object): Promise<Running> {
  const child = spawn(process.execPath, [join(HERE, 'bare.ts'), JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await firstLine(child, /^\d+$/)
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}`, startSeconds: 0, stop: () => stop(child) }
}

export async function load(what: Load): Promise<Figures> {
  const child = spawn(process.execPath, [join(HERE, 'load.ts'), JSON.stringify(what)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(await firstLine(child, /^\{/)) as Figures
}

/** Resident memory of a process in MiB. */
export function residentMiB(pid: number): number {
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib ?? 0) / 1024
}
