// The real server as a separate process: `startServer({ ACC_DATA_DIR: ... })`, for tests of failed starts, signals and
// crashes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** The sources of the programs that tests start. */
export const SOURCES = {
  server: join(ROOT, 'server/src/main.ts'),
  accAdmin: join(ROOT, 'server/src/admin/start.mjs'),
  accClient: join(ROOT, 'desktop-client/src/main.ts'),
}
/** Compiled sources, of `npm start` as well: compiling them took a fifth of the work of a start. */
export const COMPILED = join(ROOT, 'node_modules/.cache/acc-server')

/** The variable with the folder of the bundled programs, in runs that have some (test/programs.ts). */
export const BUNDLED = 'TEST_PROGRAMS'
const bundled = process.env[BUNDLED]
/** The file of each program, and the setting that keeps it compiled. */
export const PROGRAMS: Readonly<typeof SOURCES> =
  bundled === undefined
    ? SOURCES
    : {
        server: join(bundled, 'server.mjs'),
        accAdmin: join(bundled, 'accAdmin.mjs'),
        accClient: join(bundled, 'accClient.mjs'),
      }
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: bundled === undefined ? COMPILED : join(bundled, 'compiled') }

/** Start timeout in milliseconds; other tests may run at the same time. */
const START = 90_000

export type ServerProcess = {
  child: ChildProcess
  baseUrl: string
  /** Output so far, of both streams. */
  output(): string
  /** Resolves with the exit status, or the signal that ended it. */
  ended: Promise<number | string>
}

/** Kills a process unless it has ended. */
export function killIfThere(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
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
export const programOf = (args: string[], fileLimit: number | undefined): [string, string[]] =>
  fileLimit === undefined
    ? [process.execPath, args]
    : ['/bin/sh', ['-c', UNDER_LIMIT, 'sh', String(fileLimit / 512), process.execPath, ...args]]

type Options = {
  /** In bytes; what goes beyond fails as on a full disk. */
  fileLimit?: number | undefined
  /** Command-line arguments. */
  options?: string[]
  /** Where the sources of another version are. */
  main?: string
}

/** Starts the server's process; `ready` resolves when it listens, has ended or is late. */
export async function spawnServer(
  env: Record<string, string>,
  { fileLimit, options = [], main = PROGRAMS.server }: Options = {},
): Promise<ServerProcess & { ready: Promise<unknown> }> {
  const port = env.ACC_PORT ?? String(await freePort())
  const child = spawn(...programOf([main, ...options], fileLimit), {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...COMPILE_CACHE,
      ACC_LOG_LEVEL: 'warn',
      ...env,
      ACC_PORT: port,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  // Not the exit event, since output may arrive after it.
  const ended = once(child, 'close').then(([code, signal]): number | string => code ?? signal)
  const listens = new Promise<void>((resolve) => {
    const read = (part: Buffer) => {
      text += part.toString()
      if (text.includes('ACC is ready')) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
  })
  const ready = Promise.race([listens, ended, once(AbortSignal.timeout(START), 'abort')])
  return { child, baseUrl: `http://127.0.0.1:${port}`, output: () => text, ended, ready }
}

/** Starts the server's process; resolves when it listens or has ended. `options` are command-line arguments. */
export async function startServer(
  env: Record<string, string>,
  fileLimit?: number,
  options: string[] = [],
): Promise<ServerProcess> {
  const { ready, ...server } = await spawnServer(env, { fileLimit, options })
  await ready
  return server
}
