// The real `acc-client` as a process, and a proxy that breaks connections: `const hong = accClient(baseUrl, folder)`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll } from 'vitest'
import { COMPILE_CACHE, PROGRAMS } from './process.ts'

export type Outcome = { status: number | null; output: string; errors: string }
type Run = { input?: string; signal?: AbortSignal; env?: Record<string, string> }

export type AccClient = {
  /** Folder of this PC's state. */
  state: string
  run(args: readonly string[], run?: Run): Promise<Outcome>
  /** The same with --json: returns the exit status and the document. */
  json<T>(args: readonly string[], run?: Run): Promise<{ status: number | null; document: T }>
  login(id: string, password: string): Promise<Outcome>
}

/** A PC with its state in the folder. `signal` kills the process. */
export function accClient(server: string, folder: string, language = 'C'): AccClient {
  const state = join(folder, 'state.json')
  const run = async (args: readonly string[], { input = '', signal, env }: Run = {}): Promise<Outcome> => {
    const child = spawn(process.execPath, [PROGRAMS.accClient, '--server', server, '--state', state, ...args], {
      env: { ...process.env, LC_ALL: language, ...COMPILE_CACHE, ...env },
      signal,
      killSignal: 'SIGKILL',
    })
    child.on('error', () => undefined) // killed by the signal; the exit status shows it
    child.stdin.end(input)
    const ended = new Promise((resolve) => child.on('close', resolve))
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    return { status: child.exitCode, output, errors }
  }
  return {
    state,
    run,
    async json<T>(args: readonly string[], options?: Run) {
      const { status, output } = await run(['--json', ...args], options)
      return { status, document: JSON.parse(output) as T }
    },
    login: (id, password) => run(['login', id, '--password-stdin'], { input: `${password}\n` }),
  }
}

type Fault = { on: 'upload' | 'download'; is: 'cut' | 'swallow' | 'damage' } & ({ after: number } | { at: string })
export type Proxy = {
  url: string
  /**
   * Resolves when a connection has transferred `after` bytes in that direction, or the text `at`; then it is closed,
   * drops the rest, or alters a byte.
   */
  fail(fault: Fault): Promise<void>
}

/** A TCP proxy in front of the server. */
export async function openProxy(server: string): Promise<Proxy> {
  const { hostname, port } = new URL(server)
  const faults = new Set<Fault & { happened: () => void }>()
  const sockets = new Set<Socket>()
  const carry = (from: Socket, to: Socket, way: Fault['on']) => {
    let carried = 0
    let isSwallowing = false
    from.on('data', (chunk: Buffer) => {
      carried += chunk.length
      const isDue = (one: Fault) => ('at' in one ? chunk.includes(one.at) : one.after <= carried)
      const fault = [...faults].find((one) => one.on === way && isDue(one))
      if (fault?.is === 'damage') chunk.writeUInt8(chunk.readUInt8(0) ^ 1, 0)
      if (!isSwallowing) to.write(chunk)
      if (fault === undefined) return
      if (fault.is === 'cut') from.destroy()
      isSwallowing ||= fault.is === 'swallow'
      faults.delete(fault)
      fault.happened()
    })
    from.on('error', () => from.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    sockets.add(from)
  }
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    carry(client, upstream, 'upload')
    carry(upstream, client, 'download')
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    fail: (fault) => new Promise((happened) => faults.add({ ...fault, happened })),
  }
}
