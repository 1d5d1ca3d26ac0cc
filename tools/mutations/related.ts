// Which test files have to find a mutant out, the likeliest first.
import { sources } from '../sources.ts'
import type { Coverage } from './coverage.ts'
import type { Mutant } from './mutants.ts'

const SOURCES = sources().filter(({ path }) => /^(contract|server\/src)\//.test(path))
/** Tests that show what the contract says as a table. */
const TABLES: Partial<Record<string, string>> = {
  access: 'server/test/access/matrix.table.api.test.ts',
  limit: 'contract/src/core/bounds.test.ts',
}

/** Files at most that are tried with what a module evaluates when it is loaded. */
const MAX_LOADS = 30

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

/**
 * Tests do not ask for what a module evaluates when it is loaded: the table that shows it, the tests beside it, and those beside
 * the files that name it.
 */
function loading({ kind, path, name }: Mutant, tests: readonly string[]): string[] {
  const table = path.startsWith('contract/') ? TABLES[kind] : undefined
  const own = tests.filter((file) => file.startsWith(path.replace(/ts$/, '')))
  const naming = name === undefined ? [] : SOURCES.filter(({ text }) => new RegExp(`\\b${name}\\b`).test(text))
  // Those that name it first: they know its value.
  const named = naming.map((source) => source.path).filter((file) => tests.includes(file))
  const folders = [path, ...naming.map((source) => source.path)].flatMap(foldersBeside)
  return [
    ...new Set([
      ...(table ? [table] : []),
      ...own,
      ...named,
      ...folders.flatMap((folder) => tests.filter(isIn(folder))),
    ]),
  ]
}

/** The test files that are tried, in this order. */
export const relatedTests = (mutant: Mutant, coverage: Coverage): string[] =>
  mutant.isStatic ? loading(mutant, [...coverage.keys()]).slice(0, MAX_LOADS) : asking(mutant, coverage)
