// A thread that hashes passwords. Its priority is low, so that under load other calls are served first. Plain
// JavaScript: where compiled sources are not kept, each thread would load the TypeScript compiler.
import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

// The library's default algorithm is argon2id (OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane).
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const LOWEST = 19

// Linux schedules threads one by one; proc(5) names the calling one.
setPriority(Number(basename(readlinkSync('/proc/thread-self'))), Math.min(getPriority() + workerData, LOWEST))

parentPort?.on('message', ({ text, hashed }) => {
  const isRight = hashed !== undefined && verifySync(hashed, text)
  parentPort?.postMessage(hashed === undefined ? { hash: hashSync(text, OPTIONS) } : { isRight })
})
