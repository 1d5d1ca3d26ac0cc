// The licenses of the archive's content: each package's own text, or the standard text of its license with its author,
// and those of Node, of PostgreSQL and of its libraries.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Package, ROOT } from './packages.ts'

const TEXTS = join(import.meta.dirname, 'licenses')

/** The libraries in the package of PostgreSQL. */
export const IN_POSTGRESQL = [
  { name: 'postgresql', version: '18.4', license: 'PostgreSQL' },
  { name: 'openssl', version: '1.1.1', license: 'OpenSSL' },
  { name: 'icu', version: '60.2', license: 'ICU' },
  { name: 'libxml2', version: '2.9.4', license: 'MIT' },
  { name: 'xz', version: '5.2.2', license: 'LicenseRef-public-domain' },
  { name: 'zlib', version: '1.2.11', license: 'Zlib' },
] as const

const LICENSE_FILE = /licen[cs]e|^notice|^copying/i
/** Folders of a package that may have its text. */
const PLACES = ['.', 'dist']

/** Returns name and text of each file of the folder. Throws if a package has no text. */
export function licenseFiles(packages: readonly Package[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const one of packages) files.set(`${one.name.replace('/', '+')}@${one.version}.txt`, textOf(one))
  for (const { name, version } of IN_POSTGRESQL)
    files.set(`${name}@${version}.txt`, readFileSync(join(TEXTS, `${name}.txt`), 'utf8'))
  return files
}

function textOf(one: Package): string {
  const head = `${one.name} ${one.version}: ${one.license}\n`
  const own = PLACES.flatMap((place) => licensesIn(join(ROOT, one.path, place)))
  return [head, ...(own.length > 0 ? own : [standardText(one)])].join('\n')
}

function licensesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && LICENSE_FILE.test(entry.name))
      .map(({ name }) => name)
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8'))
  } catch {
    return []
  }
}

function standardText({ path, name, license }: Package): string {
  if (!['Apache-2.0', 'ISC', 'MIT'].includes(license)) throw new Error(`${name}: no file with its license, ${license}`)
  const manifest: { author?: string | { name: string } } = JSON.parse(
    readFileSync(join(ROOT, path, 'package.json'), 'utf8'),
  )
  const { author = `the authors of ${name}` } = manifest
  const holder = typeof author === 'string' ? author : author.name
  return `Copyright (c) ${holder}\n\n${readFileSync(join(TEXTS, `${license}.txt`), 'utf8')}`
}
