// Files that the operator names, with what goes wrong in the operator's words.
import { readFile, writeFile } from 'node:fs/promises'
import { codeOf } from '../disk.ts'
import { failure } from './commandLine.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EEXIST: 'this file exists already, and is not replaced',
  EACCES: 'no permission',
  EISDIR: 'this is a folder',
  ENOSPC: 'the disk is full',
}
const fileFailure = (file: string, error: unknown) =>
  failure(`${file}: ${REASONS[codeOf(error)] ?? (error instanceof Error ? error.message : String(error))}`)

export const readBytes = (file: string) =>
  readFile(file).catch((error: unknown) => {
    throw fileFailure(file, error)
  })

/** Writes a new file. Rejects if it exists. */
export const writeNew = (file: string, text: string, mode: number) =>
  writeFile(file, text, { flag: 'wx', mode, flush: true }).catch((error: unknown) => {
    throw fileFailure(file, error)
  })
