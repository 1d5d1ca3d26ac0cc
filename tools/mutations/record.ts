// What a pass has found so far, so that it can be continued, and a later one tries only what is new.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { read } from '../sources.ts'
import type { FileCoverage } from './coverage.ts'

/** A test that found a mutant out, and its file's text. */
type Kill = { file: string; test: string; hash: string }
type Content = {
  coverage: Record<string, FileCoverage>
  kills: Record<string, Kill>
  /** The files that did not find a mutant out, with their texts. */
  passed: Record<string, Record<string, string>>
}

export type MutationRecord = ReturnType<typeof openRecord>

const empty = (): Content => ({ coverage: {}, kills: {}, passed: {} })

function readRecord(path: string): Content {
  try {
    return { ...empty(), ...JSON.parse(readFileSync(path, 'utf8')) }
  } catch {
    return empty()
  }
}

/** Opens the record in a directory; without one, nothing is kept. */
export function openRecord(directory: string | undefined) {
  const path = directory && join(directory, 'mutations.json')
  const { coverage, kills, passed } = path ? readRecord(path) : empty()
  const hashes = new Map<string, string>()

  function hashOf(file: string): string {
    const hash = hashes.get(file) ?? createHash('sha256').update(read(file)).digest('base64url').slice(0, 12)
    hashes.set(file, hash)
    return hash
  }

  function save(): void {
    if (directory === undefined || path === undefined) return
    mkdirSync(directory, { recursive: true })
    // A process that ends while it writes leaves the former record.
    writeFileSync(`${path}.new`, JSON.stringify({ coverage, kills, passed }, null, 1))
    renameSync(`${path}.new`, path)
  }

  const hasPassed = (key: string, file: string) => passed[key]?.[file] === hashOf(file)

  /** Keeps that a file did not find a mutant out. */
  function pass(key: string, file: string): void {
    passed[key] = { ...passed[key], [file]: hashOf(file) }
  }

  return { coverage, kills, hashOf, hasPassed, pass, save }
}
