// Which test files have to find a mutant out, the likeliest first.
import type { Coverage } from './coverage.ts'
import type { Mutant } from './mutants.ts'

/** Domains whose calls go through everything that domains share. */
const BROAD = ['users', 'groups', 'session']
/** Tests that show what the contract says as a table. */
const TABLES: Partial<Record<string, string>> = {
  access: 'server/test/access/matrix.table.api.test.ts',
  limit: 'contract/src/core/bounds.test.ts',
}

const isIn = (folder: string) => (file: string) => file.startsWith(`${folder}/`)

/** The folders of the tests beside a file: of the calls, for a file of the contract. */
function foldersBeside(path: string): string[] {
  const [, , name = '', inner] = path.split('/')
  const calls = `server/src/domains/${name.replace(/\.ts$/, '')}`
  return path.startsWith('contract/')
    ? [calls, ...(inner ? [`contract/src/${name}`] : [])]
    : [path.replace(/\/[^/]*$/, '')]
}

/** The files with a test that asks for the mutant: those beside it first, then those that ask soonest. */
function asking({ key, path }: Mutant, coverage: Coverage): string[] {
  const folders = foldersBeside(path)
  return [...coverage]
    .map(([file, { tests }]) => ({ file, first: tests.find(({ asked }) => asked.includes(key)) }))
    .map(({ file, first }) => ({ file, until: first?.until, isBeside: folders.some((folder) => isIn(folder)(file)) }))
    .filter(({ until }) => until !== undefined)
    .sort((a, b) => Number(b.isBeside) - Number(a.isBeside) || (a.until ?? 0) - (b.until ?? 0))
    .map(({ file }) => file)
}

/** No test asks for what a module evaluates when it is loaded: the table that shows it, the tests beside it, those of the call. */
function loading({ kind, path, route }: Mutant, texts: ReadonlyMap<string, string>): string[] {
  const files = [...texts.keys()]
  const table = path.startsWith('contract/') ? TABLES[kind] : undefined
  const beside = foldersBeside(path).flatMap((folder) => files.filter(isIn(folder)))
  const call = route?.includes('.') ? new RegExp(`\\b${route.replace('.', '\\.')}\\b`) : undefined
  const isShared = path.startsWith('server/src/') && !path.startsWith('server/src/domains/')
  const others = isShared
    ? BROAD.flatMap((domain) => files.filter(isIn(`server/src/domains/${domain}`)))
    : files.filter((file) => call?.test(texts.get(file) ?? ''))
  return [...new Set([...(table ? [table] : []), ...beside, ...others])]
}

/** The test files that are tried, in this order, and whether the code has to be loaded anew for it. */
export function relatedTests(mutant: Mutant, coverage: Coverage, texts: ReadonlyMap<string, string>) {
  const files = mutant.isStatic ? [] : asking(mutant, coverage)
  return files.length > 0 ? { files, isStatic: false } : { files: loading(mutant, texts), isStatic: true }
}
