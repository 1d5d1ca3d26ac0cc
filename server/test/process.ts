// The real server as a separate process: `startServer({ ACC_DATA_DIR: ... })`, for tests of failed starts, signals and
// crashes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, '../src/main.ts')

/** Start timeout in milliseconds; other tests may run at the same time. */
const START = 45_000

export type ServerProcess = {
  child: ChildProcess
  baseUrl: string
  /** Output so far, of both streams. */
  output(): string
  /** Resolves with the exit status, or the signal that ended it. */
  ended: Promise<number | string>
}

/** Returns a free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Runs a program under a file size limit in bytes, which acts like a full disk. */
const UNDER_LIMIT = 'ulimit -f "$1"; shift; exec "$@"'
const programOf = (options: string[], fileLimit: number | undefined): [string, string[]] =>
  fileLimit === undefined
    ? [process.execPath, [MAIN, ...options]]
    : ['/bin/sh', ['-c', UNDER_LIMIT, 'sh', String(fileLimit / 512), process.execPath, MAIN, ...options]]

/** Starts the server's process; resolves when it listens or has ended. `options` are command-line arguments. */
export async function startServer(
  env: Record<string, string>,
  fileLimit?: number,
  options: string[] = [],
): Promise<ServerProcess> {
  const port = env.ACC_PORT ?? String(await freePort())
  const child = spawn(...programOf(options, fileLimit), {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ACC_LOG_LEVEL: 'warn', ...env, ACC_PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  // Not the exit event, since output may arrive after it.
  const ended = once(child, 'close').then(([code, signal]): number | string => code ?? signal)
  const ready = new Promise<void>((resolve) => {
    const hear = (part: Buffer) => {
      text += part.toString()
      if (text.includes('ACC is ready')) resolve()
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
  })
  const late = AbortSignal.timeout(START)
  await Promise.race([ready, ended, once(late, 'abort')])
  return { child, baseUrl: `http://127.0.0.1:${port}`, output: () => text, ended }
}
