// How a start changes tables that others hold: it waits for a moment, lets the calls behind it go, and tries again.
import { setTimeout as wait } from 'node:timers/promises'
import { isTableBusy } from './constraints.ts'
import { StartError } from './embedded/errors.ts'

/**
 * How long a statement may wait for a table. Calls of running nodes queue behind it, and a call waits at most 5 seconds
 * for a connection. Set it within a transaction.
 */
export const PATIENCE = `set local lock_timeout = '1s'`
/** Attempts, and milliseconds between them, in which the calls that waited are served. */
const TRIES = 60
const PAUSE = 2_000

/** Repeats an attempt until no table is held by others. Throws StartError(sentence) if they are held for minutes. */
export async function inTurns<T>(sentence: string, attempt: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      if (!isTableBusy(error)) throw error
      if (tried === TRIES) throw new StartError(sentence)
    }
    await wait(PAUSE)
  }
}
