// Which folders may import which (ARCHITECTURE.md), read from the import lines. There is no way to opt out.
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isTest, read, type Source, sources } from './sources.ts'

/** `to` is a path from the root where it is ours, else the name of a package. */
type Import = { from: string; to: string }

const OURS = /^(bundle|contract|server|console|desktop-client|e2e|bench|drills|tools|scripts)\//
const isPackage = (to: string) => !OURS.test(to)
const isBelow =
  (...folders: string[]) =>
  (path: string) =>
    folders.some((folder) => path.startsWith(`${folder}/`))

function importsOf({ path, text }: Source): Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '')
  const specifiers = code.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g)
  return [...specifiers].map(([, specifier = '']) => ({ from: path, to: resolve(path, specifier) }))
}

function resolve(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  return specifier.replace(/^@acc\/([\w-]+)/, '$1/src')
}

/** Tests, and what only they are made of, may reach for anything. */
const isForTests = (path: string) => isTest(path) || /(^|\/)test\/|\.fixture\.ts$/.test(path)
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

  test('no file imports itself by way of others', () => {
    expect(circles(['contract', 'server/src', 'console/src', 'desktop-client', 'bench', 'drills'])).toEqual([])
  })

  test('nothing that ships imports what only tests are made of', () => {
    const ships = ['contract', 'server', 'console', 'desktop-client']
    expect(ships.flatMap((folder) => breaches(folder, (to) => isPackage(to) || !isForTests(to)))).toEqual([])
  })
})

/** Files that import each other, also in more than one step; imports of types are gone when the code runs. */
function circles(folders: readonly string[]): string[] {
  const below = sources()
    .filter(({ path }) => !isForTests(path))
    .flatMap(({ path, text }) => importsOf({ path, text: text.replace(/^import type [^;]*? from /gm, '// ') }))
    .filter(({ from, to }) => isBelow(...folders)(from) && isBelow(...folders)(to))
  const reachedFrom = (start: string) => {
    const reached = new Set<string>()
    const open = [start]
    for (let file = open.pop(); file !== undefined; file = open.pop())
      for (const { from, to } of below)
        if (from === file && !reached.has(to)) {
          reached.add(to)
          open.push(to)
        }
    return reached
  }
  return [...new Set(below.map(({ from }) => from))].filter((file) => reachedFrom(file).has(file))
}

/** Whether `to` comes before `from` in a list of folders and files, or in the same place. */
const isInOrder = (order: readonly string[], from: string, to: string) =>
  order.includes(to) && order.indexOf(to) <= order.indexOf(from)

describe('contract', () => {
  const order = ['labels', 'core', 'domains', 'history', 'index.ts']
  const placeOf = (path: string) => {
    const [part = '', ...below] = path.slice('contract/src/'.length).split('/')
    return below.length > 0 || part === 'index.ts' ? part : 'domains'
  }

  test('labels import nothing else, core labels, domains both, the history all of them', () => {
    const isAllowed = (to: string, from: string) =>
      !isBelow('contract')(to) || isInOrder(order, placeOf(from), placeOf(to))
    expect(breaches('contract/src', isAllowed)).toEqual([])
  })
})

describe('server', () => {
  const domains = [...read('server/src/modules.ts').matchAll(/^ {2}(\w+): \{/gm)].map(([, name = '']) => name)
  /** Folders and files of server/src; each imports only what comes before it. */
  const order = [
    'version.ts',
    'clock.ts',
    'ignoreRejection.ts',
    'disk.ts',
    'log.ts',
    'crypto',
    'env.database.ts',
    'env.files.ts',
    'env.history.ts',
    'env.mail.ts',
    'env.oidc.ts',
    'env.walArchive.ts',
    'env.ts',
    'db',
    'settings',
    'files',
    'mail',
    'events',
    'jobs',
    'core',
    'http',
    'domains',
    'backup',
    'walArchive',
    'modules.ts',
    'firstAdmin.ts',
    'firstStart.ts',
    'prepareDatabase.ts',
    'openServices.ts',
    'buildServer.ts',
    'main.ts',
    'admin',
    'launcher',
  ]

  /** The folder or file right below `folder` that a path lies in. */
  const partOf = (folder: string, path: string) => path.slice(folder.length + 1).split('/')[0] ?? ''

  test('every folder and file has a place in the order', () => {
    const parts = new Set(
      imports.filter(({ from }) => isBelow('server/src')(from)).map(({ from }) => partOf('server/src', from)),
    )
    expect([...parts].filter((part) => !order.includes(part))).toEqual([])
  })

  test('a folder imports only folders before it', () => {
    const isAllowed = (to: string, from: string) =>
      !isBelow('server/src')(to) || isInOrder(order, partOf('server/src', from), partOf('server/src', to))
    expect(breaches('server/src', isAllowed)).toEqual([])
  })

  test('every folder of domains/ has a line in modules.ts', () => {
    const folders = sources().filter(({ path }) => isBelow('server/src/domains')(path))
    expect([...new Set(folders.map(({ path }) => partOf('server/src/domains', path)))].sort()).toEqual(
      domains.toSorted(),
    )
  })

  test('a domain imports only domains above it in modules.ts', () => {
    const isAllowed = (to: string, from: string) =>
      !isBelow('server/src/domains')(to) ||
      isInOrder(domains, partOf('server/src/domains', from), partOf('server/src/domains', to))
    expect(breaches('server/src/domains', isAllowed)).toEqual([])
  })
})

describe('an idle server', () => {
  /** What a file imports as soon as it is loaded: no types, and nothing that it imports when it is first used. */
  const loadedBy = ({ path, text }: Source) =>
    [...text.matchAll(/^(?:import|export)\b(?!\s+type\b)(?:[^'";]*?\sfrom)?\s+'([^'\n]+)'/gm)].map(
      ([, specifier = '']) => resolve(path, specifier),
    )
  const files = new Map(sources().map((source) => [source.path, source]))
  const loaded = new Set(['server/src/main.ts'])
  for (const path of loaded) {
    const source = files.get(path) ?? files.get(`${path}.ts`) ?? files.get(`${path}/index.ts`)
    for (const to of source === undefined ? [] : loadedBy(source)) loaded.add(to)
  }
  const packages = [...loaded].filter((to) => isPackage(to) && !to.startsWith('node:')).sort()

  test('holds these packages in memory; the others are imported by the part that needs them, when it does', () => {
    expect(packages).toEqual([
      '@fastify/compress',
      '@fastify/cookie',
      '@fastify/static',
      'fastify',
      'kysely',
      'kysely/migration',
      'leven',
      'otpauth',
      'pg',
      'pg-boss',
      'pino',
      'prom-client',
      'zod',
    ])
  })

  test('does not import node:http, whose names load the client for fetch: types and fastify are enough', () => {
    expect(loaded.size).toBeGreaterThan(200)
    expect([...loaded].filter((to) => /^node:https?$/.test(to))).toEqual([])
  })
})

describe('console', () => {
  const layerOf = (path: string) => path.split('/')[2] ?? ''
  const featureOf = (path: string) => path.split('/')[3] ?? ''
  /** Folders of the kit; each imports only folders before it. */
  const kit = ['browser', 'texts', 'dialogs', 'api', 'layout', 'form', 'table']

  test('the kit knows no feature, and features know neither the app nor more of each other than their exports and menus', () => {
    const isAllowed = (to: string, from: string) => {
      if (!isBelow('console/src')(to) || layerOf(to) === 'kit') return true
      if (layerOf(from) === 'kit') return false
      if (layerOf(from) !== 'features') return true
      return layerOf(to) === 'features' && (featureOf(from) === featureOf(to) || /(\/exports|\.menu)\.ts$/.test(to))
    }
    expect(breaches('console/src', isAllowed)).toEqual([])
  })

  test('a folder of the kit imports only folders before it', () => {
    const isAllowed = (to: string, from: string) =>
      !isBelow('console/src/kit')(to) || isInOrder(kit, featureOf(from), featureOf(to))
    expect(breaches('console/src/kit', isAllowed)).toEqual([])
  })
})
