// Judges regular expressions before they are stored: one that could run long on some password is refused.
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { busy } from '../../core/errors.ts'
import { openSlots } from '../../core/slots.ts'

/** Milliseconds for all expressions of a call; those that are not judged by then count as unsafe. */
const DEADLINE = 60_000
const MAX_WAITING = 4

const turns = openSlots(1, MAX_WAITING, () => busy('too many expressions to judge'))

/** Returns the expressions that could run long, or that cannot be judged. In a thread of its own, one call at a time. */
export const findUnsafe = (regs: readonly string[]): Promise<string[]> =>
  turns.run(async () => {
    if (regs.length === 0) return []
    const worker = new Worker(new URL('./regexSafety.worker.ts', import.meta.url), {
      workerData: regs,
      // In this thread, not in further threads or processes.
      env: { RECHECK_SYNC_BACKEND: 'pure' },
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    worker.unref()
    const verdicts: boolean[] = []
    try {
      for await (const [isSafe] of on(worker, 'message', { signal: AbortSignal.timeout(DEADLINE), close: ['exit'] }))
        verdicts.push(isSafe)
    } catch {
      // The rest of them is not judged.
    } finally {
      await worker.terminate()
    }
    return regs.filter((_, i) => verdicts[i] !== true)
  })
