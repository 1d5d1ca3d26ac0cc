// Who may import whom (ARCHITECTURE.md), read from the import lines. There is no way to opt out.
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isTest, read, type Source, sources } from './sources.ts'

/** `to` is a path from the root where it is ours, else the name of a package. */
type Import = { from: string; to: string }

const OURS = /^(contract|server|console|desktop-client|e2e|bench|tools|scripts)\//
const isPackage = (to: string) => !OURS.test(to)
const isBelow =
  (...folders: string[]) =>
  (path: string) =>
    folders.some((folder) => path.startsWith(`${folder}/`))

function importsOf({ path, text }: Source): Import[] {
  const specifiers = text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g)
  return [...specifiers].map(([, specifier = '']) => ({ from: path, to: resolve(path, specifier) }))
}

function resolve(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  return specifier.replace(/^@acc\/([\w-]+)/, '$1/src')
}

/** Tests, and what only they are made of, may reach for anything. */
const isForTests = (path: string) => isTest(path) || /(^|\/)test\//.test(path)
const imports = sources()
  .filter(({ path }) => !isForTests(path))
  .flatMap(importsOf)

/** The imports of files below a folder that are not allowed, as lines to read. */
function breaches(folder: string, isAllowed: (to: string, from: string) => boolean): string[] {
  return imports
    .filter(({ from, to }) => isBelow(folder)(from) && !isAllowed(to, from))
    .map(({ from, to }) => `${from} imports ${to}`)
}

describe('workspaces', () => {
  test('the contract imports zod and itself, nothing else', () => {
    expect(breaches('contract', (to) => to === 'zod' || isBelow('contract')(to))).toEqual([])
  })

  test.each(['server', 'console', 'desktop-client'])('%s imports itself and the contract', (folder) => {
    expect(breaches(folder, (to) => isPackage(to) || isBelow(folder, 'contract')(to))).toEqual([])
  })

  test('nothing that ships imports what only tests are made of', () => {
    const ships = ['contract', 'server', 'console', 'desktop-client']
    expect(ships.flatMap((folder) => breaches(folder, (to) => isPackage(to) || !isForTests(to)))).toEqual([])
  })
})

describe('server', () => {
  const modules = [...read('server/src/modules.ts').matchAll(/\bname: '(\w+)'/g)].map(([, name = '']) => name)
  /** What every module stands on; it knows of none of them. */
  const ground = ['access', 'audit', 'crypto', 'db', 'files', 'http', 'jobs', 'mail', 'otp']
  const groundFiles = ['adapters.ts', 'clock.ts', 'env.ts', 'quietly.ts', 'version.ts']
  /** What puts the server together; nothing else imports it. */
  const assembly = ['main.ts', 'app.ts', 'modules.ts', 'openAdapters.ts', 'firstStart.ts']

  /** The folder or file right below server/src that a path lies in. */
  const partOf = (path: string) => path.replace(/^server\/src\//, '').split('/')[0] ?? ''
  const isGround = (part: string) => ground.includes(part) || groundFiles.includes(part)

  test('every part is a module, or ground, or assembly', () => {
    const parts = new Set(imports.filter(({ from }) => isBelow('server/src')(from)).map(({ from }) => partOf(from)))
    expect([...parts].filter((part) => !isGround(part) && !modules.includes(part) && !assembly.includes(part))).toEqual(
      [],
    )
  })

  test('a module imports only modules above it in modules.ts', () => {
    const isAllowed = (to: string, from: string) => {
      const [importer, imported] = [partOf(from), partOf(to)]
      if (!isBelow('server/src')(to) || assembly.includes(importer) || isGround(imported)) return true
      return modules.includes(imported) && modules.indexOf(imported) <= modules.indexOf(importer)
    }
    expect(breaches('server/src', isAllowed)).toEqual([])
  })
})

describe('console', () => {
  const layerOf = (path: string) => path.split('/')[2] ?? ''
  const featureOf = (path: string) => path.split('/')[3] ?? ''

  test('the kit knows no feature, and features know neither the app nor each other', () => {
    const isAllowed = (to: string, from: string) => {
      if (!isBelow('console/src')(to) || layerOf(to) === 'kit') return true
      if (layerOf(from) === 'kit') return false
      if (layerOf(from) !== 'features') return true
      return layerOf(to) === 'features' && [featureOf(from), 'pickers'].includes(featureOf(to))
    }
    expect(breaches('console/src', isAllowed)).toEqual([])
  })
})
