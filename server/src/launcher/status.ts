// The commands that report or end a running server.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findHolder, findObstacle, NAME } from './running.ts'
import { Report, Status } from './statuses.ts'

/** Milliseconds that a server may take to end by itself, and after it was killed. */
const ORDERLY = 20_000
const KILLED = 5_000
const POLL = 100

export async function status(dataDir: string): Promise<number> {
  const holder = findHolder(dataDir)
  if (holder === undefined) {
    console.log('ACC does not run.')
    return Report.STOPPED
  }
  if (!holder.isAlive) {
    console.log(`ACC does not run: process ${holder.pid} ended without stopping in order.`)
    return Report.DIED
  }
  const obstacle = await findObstacle()
  console.log(`ACC runs (process ${holder.pid}) and is ${obstacle === undefined ? 'ready' : `not ready: ${obstacle}`}.`)
  return obstacle === undefined ? Report.RUNS : Report.UNKNOWN
}

export async function stop(dataDir: string): Promise<number> {
  const holder = findHolder(dataDir)
  if (!holder?.isAlive) {
    console.log('ACC does not run.')
    if (holder) rmSync(join(dataDir, `${NAME}.pid`), { force: true })
    return Status.OK
  }
  for (const [signal, patience] of [
    ['SIGTERM', ORDERLY],
    ['SIGKILL', KILLED],
  ] as const) {
    process.kill(holder.pid, signal)
    if (await isGone(dataDir, holder.pid, patience)) {
      console.log(`ACC has stopped${signal === 'SIGKILL' ? ', killed after it had not ended by itself' : ''}.`)
      return Status.OK
    }
  }
  console.error(`acc: process ${holder.pid} does not end.`)
  return Status.FAILED
}

async function isGone(dataDir: string, pid: number, patience: number): Promise<boolean> {
  for (const end = Date.now() + patience; Date.now() < end; await wait(POLL)) {
    const holder = findHolder(dataDir)
    if (holder?.pid !== pid || !holder.isAlive) return true
  }
  return false
}
