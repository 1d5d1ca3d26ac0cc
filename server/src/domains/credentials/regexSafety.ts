// Checks regular expressions before they are stored, and finds those that could run long on some password.
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { busy } from '../../core/errors.ts'
import { openSlots } from '../../core/slots.ts'

/** Milliseconds for all expressions of a call. Those that are not checked by then count as unsafe. */
const DEADLINE = 60_000
const MAX_WAITING = 4

const slots = openSlots(1, MAX_WAITING, () => busy('too many expressions to check'))

/** Returns the expressions that could run long or cannot be checked. Uses a thread, one call at a time. */
export const findUnsafe = (regs: readonly string[]): Promise<string[]> =>
  slots.run(async () => {
    if (regs.length === 0) return []
    const worker = new Worker(new URL('./regexSafety.worker.ts', import.meta.url), {
      workerData: regs,
      // In this thread, not in further threads or processes.
      env: { RECHECK_SYNC_BACKEND: 'pure' },
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    worker.unref()
    const results: boolean[] = []
    try {
      for await (const [isSafe] of on(worker, 'message', { signal: AbortSignal.timeout(DEADLINE), close: ['exit'] }))
        results.push(isSafe)
    } catch {
      // Expressions without a result count as unsafe.
    } finally {
      await worker.terminate()
    }
    return regs.filter((_, i) => results[i] !== true)
  })
