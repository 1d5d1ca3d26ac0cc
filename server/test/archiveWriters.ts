// A server of the WAL archive's drill under writers, with what it acknowledged.
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT_GROUP } from '@acc/contract/groups'
import pg from 'pg'
import { attachEmbedded } from '../src/db/embedded/embedded.ts'
import { accAdminIn } from './accAdmin.ts'
import { type ServerProcess, startServer } from './process.ts'
import type { signIn } from './signIn.ts'

export const ADMIN_PASSWORD = 'Adm1n!strator'
export const WRITERS = 8

type Calls = Awaited<ReturnType<typeof signIn>>
/** A write whose answer arrived; `begun` is when it was sent. */
export type AcknowledgedWrite = { name: string; begun: number; at: number }

const timed = async <T>(work: Promise<T>) => {
  const begun = performance.now()
  return { result: await work, seconds: ((performance.now() - begun) / 1000).toFixed(1) }
}

/** Creates groups until the load is off. */
async function write(
  calls: Calls,
  writer: number,
  ledger: AcknowledgedWrite[],
  load: { isOn: boolean },
): Promise<void> {
  for (let number = 0; load.isOn; number++) {
    const [name, begun] = [`drill ${writer} ${number}`, Date.now()]
    try {
      await calls.groups.create({ parentIdx: ROOT_GROUP, name })
      ledger.push({ name, begun, at: Date.now() })
    } catch (error) {
      if (load.isOn) throw error
    }
  }
}

/** Servers and commands of a drill. */
export function drillIn(root: string) {
  const { json } = accAdminIn(root)
  const servers: ServerProcess[] = []
  return {
    async start(dataDir: string, env: Record<string, string> = {}): Promise<ServerProcess> {
      const settings = { ACC_DATA_DIR: dataDir, ACC_ADMIN_PASSWORD: ADMIN_PASSWORD, ACC_CALLS_PER_SECOND: '1000000' }
      const server = await startServer({ ...settings, ...env })
      servers.push(server)
      const isReady = () => server.output().includes('ACC is ready')
      // On a machine that does other work as well it takes longer than a test waits.
      await until(async () => isReady() || server.child.exitCode !== null)
      if (!isReady()) throw new Error(`the server does not start: ${server.output()}`)
      return server
    },
    /** Begins the load; `stop` ends it with what `kill` does. */
    load(calls: Calls) {
      const [ledger, state]: [AcknowledgedWrite[], { isOn: boolean }] = [[], { isOn: true }]
      const writing = Promise.all(Array.from({ length: WRITERS }, (_, i) => write(calls, i, ledger, state)))
      const stop = async (kill: () => void) => {
        state.isOn = false
        kill()
        await writing
      }
      return { ledger, stop }
    },
    /** Runs a command of acc-admin that must succeed. */
    async requireDone<T extends object>(args: readonly string[], dataDir: string) {
      const { result, seconds } = await timed(json<T>(args, { ACC_DATA_DIR: dataDir }))
      if (result.status !== 0) throw new Error(`acc-admin ${args[0]}: ${JSON.stringify(result.document)}`)
      return { ...result.document, seconds }
    },
    async end(): Promise<void> {
      for (const { child } of servers) child.kill('SIGTERM')
      await Promise.all(servers.map(({ ended }) => ended))
    },
  }
}

/** The names of all groups of a data directory, whether a server runs on it or not. */
export async function findNames(dataDir: string): Promise<Set<string>> {
  const silent = { info: () => undefined, error: () => undefined }
  const { connection, stop } = await attachEmbedded({ dataDir, log: silent })
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select name from groups')
  await client.end()
  await stop()
  return new Set(rows.map(({ name }) => name))
}

/** Waits until something holds. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(100)
}
