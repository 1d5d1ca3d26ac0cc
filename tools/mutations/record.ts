// What a pass has found so far, so that it can be continued, and a later one tries only what is new.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { read } from '../sources.ts'
import type { Covered } from './coverage.ts'

/** A test that found a mutant out, and its file's text. */
type Kill = { file: string; test: string; hash: string }

export type MutationRecord = ReturnType<typeof openRecord>

function readRecord(path: string): { coverage: Record<string, Covered>; kills: Record<string, Kill> } {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { coverage: {}, kills: {} }
  }
}

/** Opens the record in a directory; without one, nothing is kept. */
export function openRecord(directory: string | undefined) {
  const path = directory && join(directory, 'mutations.json')
  const { coverage, kills } = path ? readRecord(path) : { coverage: {}, kills: {} }
  const hashes = new Map<string, string>()

  function hashOf(file: string): string {
    const hash = hashes.get(file) ?? createHash('sha256').update(read(file)).digest('base64url').slice(0, 12)
    hashes.set(file, hash)
    return hash
  }

  function save(): void {
    if (directory === undefined || path === undefined) return
    mkdirSync(directory, { recursive: true })
    writeFileSync(path, JSON.stringify({ coverage, kills }, null, 1))
  }

  return { coverage, kills, hashOf, save }
}
