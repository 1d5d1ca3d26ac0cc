// Which tests have to find a mutant out: those of its domain first, then those that make the call.
import type { Mutant } from './mutants.ts'

type TestFile = { path: string; text: string }

/** Domains whose calls go through everything that domains share. */
const BROAD = ['users', 'groups', 'session']
const MATRIX = 'server/test/access/matrix.api.test.ts'
const BOUNDS = 'contract/src/core/bounds.test.ts'

/** Domains whose calls belong to a file of the contract by another name. */
const domainOf = (path: string): string => {
  const [, , ...rest] = path.split('/')
  if (path.startsWith('contract/')) return (rest[0] ?? '').replace(/\.ts$/, '')
  return rest[0] === 'domains' ? (rest[1] ?? '') : (rest[0] ?? '')
}

/** Returns the files in the steps in which they are tried: the likeliest alone, since most mutants die there. */
export function relatedTests({ kind, path, route }: Mutant, tests: readonly TestFile[]): string[][] {
  const domain = domainOf(path)
  const ofFolder = tests.filter((test) => test.path.startsWith(`server/src/domains/${domain}/`))
  const beside = tests.filter((test) => test.path.startsWith(path.slice(0, path.lastIndexOf('/') + 1)))
  const near = path.startsWith('contract/') ? [...ofFolder, ...beside] : beside
  const call = route?.includes('.') ? new RegExp(`\\b${route.replace('.', '\\.')}\\b`) : undefined
  const isShared = /^server\/src\/(?!domains\/)/.test(path)
  const broad = tests.filter((test) => BROAD.some((one) => test.path.startsWith(`server/src/domains/${one}/`)))
  const callers = isShared ? broad : tests.filter(({ text }) => call?.test(text))
  const isAboutRights = kind === 'access' || kind === 'guard'
  const rights = isAboutRights ? tests.filter((test) => test.path.startsWith('server/test/access/')) : []
  const tables = path.startsWith('contract/') ? { access: [MATRIX], limit: [BOUNDS] } : {}
  const steps = [(tables as Partial<Record<string, string[]>>)[kind] ?? [], near, [...callers, ...rights]]
  const tried = new Set<string>()
  return steps
    .map((step) =>
      step
        .map((test) => (typeof test === 'string' ? test : test.path))
        .filter((file) => !tried.has(file) && tried.add(file)),
    )
    .filter((step) => step.length > 0)
}
