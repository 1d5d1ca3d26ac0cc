// Builds the console when its sources have changed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run, SetupError } from './run.mjs'

const STAMP = join(ROOT, 'console', 'dist', '.acc-build')
const SOURCES = ['console', 'contract']
const OUTSIDE = new Set(['node_modules', 'dist'])

/** Builds the console unless its build is of these sources. */
export async function buildConsole(node) {
  const wanted = hashOfSources()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  console.log('Building the console ...')
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const { status } = await run(node, [vite, 'build', 'console', '--logLevel', 'warn'])
  if (status !== 0) throw new SetupError('The console could not be built: Vite says above why.')
  writeFileSync(STAMP, wanted)
}

function hashOfSources() {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')))
  for (const file of SOURCES.flatMap(filesBelow)) hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}

function filesBelow(directory) {
  return readdirSync(join(ROOT, directory), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .filter((entry) => !OUTSIDE.has(entry.name))
    .flatMap((entry) => {
      const path = `${directory}/${entry.name}`
      return entry.isDirectory() ? filesBelow(path) : [path]
    })
}
