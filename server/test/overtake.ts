// What happens to a call whose rows change after it has looked at them, and before it locks them.
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database, Tx } from '../src/db/open.ts'

type OvertakeOptions = {
  /** Locks what the call comes to wait for. */
  lock(tx: Tx): Promise<unknown>
  call(): Promise<unknown>
  /** Changes it while the call waits. */
  change?(tx: Tx): Promise<unknown>
}

/** Makes a call wait for a transaction's locks, and returns its result or its error. */
export async function overtake(db: Database, { lock, call, change }: OvertakeOptions): Promise<unknown> {
  const isWaiting = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(db.write)
    return rows.length > 0
  }
  const { overtaken } = await db.write.transaction().execute(async (tx) => {
    await lock(tx)
    const overtaken = call().catch((error: unknown) => error)
    await expect.poll(isWaiting).toBe(true)
    await change?.(tx)
    return { overtaken }
  })
  return overtaken
}
