// A thread that hashes passwords. Its priority is low, so that under load other calls are served first.
import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'
import { isMainThread, parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

// The library's default algorithm is argon2id (OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane).
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Niceness: a third of the processor time that a usual thread gets next to it. More would starve on a busy machine. */
export const LOW_PRIORITY = 5
const LOWEST = 19

/** Hashes `text`, or compares it with a hash. */
export type HashingTask = { text: string; hashed?: string }
export type HashingResult = { hash: string } | { isRight: boolean }

// Linux schedules threads one by one; proc(5) names the calling one.
if (!isMainThread)
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), Math.min(getPriority() + LOW_PRIORITY, LOWEST))

parentPort?.on('message', ({ text, hashed }: HashingTask) => {
  const result: HashingResult =
    hashed === undefined ? { hash: hashSync(text, OPTIONS) } : { isRight: verifySync(hashed, text) }
  parentPort?.postMessage(result)
})
