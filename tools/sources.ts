// The project's TypeScript sources that are written by hand, for tests of their form.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const FOLDERS = [
  'bundle',
  'contract',
  'server',
  'console',
  'desktop-client',
  'e2e',
  'bench',
  'drills',
  'tools',
  'scripts',
]
const NOT_OURS = new Set(['node_modules', 'dist', 'data', 'test-results', 'playwright-report'])

/** A file with its path from the root, with slashes. */
export type Source = { path: string; text: string }

export const isTest = (path: string): boolean => /\.(test|spec)\.tsx?$/.test(path)

/** Lists every source file, sorted by path. */
export function sources(): Source[] {
  return FOLDERS.flatMap(below)
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !path.endsWith('.gen.ts'))
    .map((path) => ({ path, text: read(path) }))
}

/** Reads a file by its path from the root. */
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

function below(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => !NOT_OURS.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? below(path) : [path]
    })
}
