// The thread that finds expressions that could run long, with recheck (https://makenowjust-labs.github.io/recheck/).
import { parentPort, workerData } from 'node:worker_threads'
import { checkSync, type Diagnostics } from 'recheck'

/** Milliseconds for one expression. One that takes longer counts as unsafe. */
const TIMEOUT = 10_000
/** With 64 characters, cubic complexity still takes less than a millisecond. */
const MAX_DEGREE = 3

function isSafe(diagnostics: Diagnostics): boolean {
  if (diagnostics.status !== 'vulnerable') return diagnostics.status === 'safe'
  const { complexity } = diagnostics
  return complexity.type === 'polynomial' && complexity.degree <= MAX_DEGREE
}

const regs: readonly string[] = workerData
for (const reg of regs) parentPort?.postMessage(isSafe(checkSync(reg, '', { timeout: TIMEOUT })))
