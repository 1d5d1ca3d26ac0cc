// The thread that looks for expressions that could run long, with recheck (https://makenowjust-labs.github.io/recheck/).
import { parentPort, workerData } from 'node:worker_threads'
import { checkSync, type Diagnostics } from 'recheck'

/** Milliseconds for one expression; one that is not judged by then counts as unsafe. */
const TIMEOUT = 10_000
/** Over a password of 64 characters, steps of the cube of its length still take less than a millisecond. */
const MAX_DEGREE = 3

function isSafe(diagnostics: Diagnostics): boolean {
  if (diagnostics.status !== 'vulnerable') return diagnostics.status === 'safe'
  const { complexity } = diagnostics
  return complexity.type === 'polynomial' && complexity.degree <= MAX_DEGREE
}

const regs: readonly string[] = workerData
for (const reg of regs) parentPort?.postMessage(isSafe(checkSync(reg, '', { timeout: TIMEOUT })))
