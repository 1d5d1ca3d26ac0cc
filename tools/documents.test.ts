// Files, commands and variables that documents name exist.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sources } from './sources.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const documents = [
  '*.md',
  'docs/**/*.md',
  '{bench,bundle,console,contract,desktop-client,drills,e2e,server}/*.md',
].flatMap((glob) => globSync(glob, { cwd: ROOT }))

const allOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)
const isThere = (from: string, path: string) =>
  existsSync(join(ROOT, dirname(from), path)) ||
  existsSync(join(ROOT, path)) ||
  globSync([path, `${path}-*`], { cwd: ROOT }).length > 0

test('links lead to a file', () => {
  const missing = documents.flatMap((from) =>
    allOf(read(from), /\]\(([^)#\s]+)[^)]*\)/g)
      .filter((to) => !/^[a-z]+:/.test(to) && !existsSync(join(ROOT, dirname(from), to)))
      .map((to) => `${from}: ${to}`),
  )
  expect(missing).toEqual([])
})

test('quoted paths of the repository exist', () => {
  const folders = /^(bench|bundle|console|contract|desktop-client|docs|drills|e2e|scripts|server|tools)\/[\w./*{},-]+$/
  const missing = documents.flatMap((from) =>
    allOf(read(from), /`([^`\n]+)`/g)
      .filter(
        (quoted) => folders.test(quoted) && !/\/(x|features\/x)\b|data|dist/.test(quoted) && !isThere(from, quoted),
      )
      .map((quoted) => `${from}: ${quoted}`),
  )
  expect(missing).toEqual([])
})

test.each(['en', 'ko'] as const)('the manuals in %s name what the screens show', (language) => {
  const leaves = (tree: object): string[] =>
    Object.values(tree).flatMap((value) => (typeof value === 'string' ? value : leaves(value)))
  const ofScreens = globSync(`console/src/**/*.${language}.json`, { cwd: ROOT }).flatMap((path) =>
    leaves(JSON.parse(read(path))),
  )
  const shown = [...ofScreens, ...allOf(read(`contract/src/core/errors.${language}.ts`), /'(.+?)'/g)]
  const words = new Set(ofScreens)
  const unknown = ['user', 'otp'].flatMap((name) => {
    const text = read(`docs/manuals/${name}.${language}.md`)
    const [, ...troubles] = allOf(text.split(/^## (?:Troubleshooting|문제 해결)$/m)[1] ?? '', /^\| (.+?) \|/gm)
    expect(troubles.length).toBeGreaterThan(4)
    return [
      ...allOf(text, /\*\*(.+?)\*\*/g).filter((word) => !words.has(word)),
      ...troubles.filter((trouble) => !shown.some((one) => one.toLowerCase().includes(trouble.toLowerCase()))),
    ]
  })
  expect(unknown).toEqual([])
})

test('npm commands exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const own = new Set([...Object.keys(scripts), 'ci', 'install', 'exec', 'sbom', 'audit', 'config', 'view'])
  const missing = documents.flatMap((from) =>
    allOf(read(from), /(?:^|`|exec )npm (?:run )?([a-z][\w:-]*)/gm)
      .filter((name) => !own.has(name))
      .map((name) => `${from}: npm ${name}`),
  )
  expect(missing).toEqual([])
})

test('environment variables of the documents are those of the server', () => {
  const names = (text: string) => new Set(allOf(text, /\b(ACC_[A-Z][A-Z_]*[A-Z])\b/g))
  const known = names(
    [
      'server/**/*.{ts,mjs}',
      'desktop-client/**/*.{ts,mjs}',
      'scripts/*.mjs',
      'bundle/**/*.ts',
      '{bench,drills}/**/*.ts',
      'e2e/*.ts',
      '*.ts',
    ]
      .flatMap((glob) => globSync(glob, { cwd: ROOT, exclude: ['**/node_modules/**'] }))
      .map(read)
      .join('\n'),
  )
  // The changelog also names settings that were removed.
  const present = documents.filter((from) => from !== 'CHANGELOG.md')
  const missing = present.flatMap((from) =>
    [...names(read(from))].filter((name) => !known.has(name)).map((name) => `${from}: ${name}`),
  )
  expect(missing).toEqual([])
})

test('docs/security-asvs.md counts its requirements, and the pages on security name files that exist', () => {
  const text = read('docs/security-asvs.md')
  const answers = allOf(text, /^- \*\*\d+\.\d+\.\d+\*\* (.+)$/gm)
  const countOf = (verdict: string) => answers.filter((one) => one.startsWith(`**${verdict}.** `)).length
  const [partly, later] = [countOf('Partly'), countOf('Later')]
  const met = answers.length - answers.filter((one) => one.startsWith('**')).length
  const stated = /[Tt]he (\d+) requirements.*?(\d+) are met, (\d+) partly, (\d+) wait/s.exec(text)?.slice(1).map(Number)
  expect(stated).toEqual([met + partly + later, met, partly, later])
  expect(answers).toHaveLength(met + partly + later)
  const paths = sources().map(({ path }) => `/${path}`)
  const named = allOf(text + read('docs/security.md'), /`([\w./-]+\.(?:ts|tsx|mjs))`/g)
  const missing = named.filter((name) => !paths.some((path) => path.endsWith(`/${name}`)))
  expect(missing).toEqual([])
})

test('each npm command is in a document', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = documents.map(read).join('\n')
  const isNamed = (name: string) => new RegExp(`\\b${name}\\b`).test(named)
  expect(Object.keys(scripts).filter((name) => !isNamed(name))).toEqual([])
})

test('docs/operations/settings.md has each setting of the server', () => {
  const page = read('docs/operations/settings.md')
  const settings = globSync('server/src/env*.ts', { cwd: ROOT }).flatMap((path) =>
    allOf(read(path), /^ {2}(ACC_[A-Z_]+): /gm),
  )
  expect(settings.length).toBeGreaterThan(25)
  expect(settings.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('the page on synchronization has the filters that the console fills in', () => {
  const filters = allOf(read('console/src/features/userSync/syncValues.ts'), /filter: '(\(.+)'/g)
  expect(filters).toHaveLength(2)
  for (const filter of filters) expect(read('docs/operations/user-sync.md')).toContain(`\`${filter}\``)
})

test('a document shows each of the pictures', () => {
  const shown = documents.flatMap((from) => allOf(read(from), /docs\/screens\/([\w-]+\.png)/g))
  expect(globSync('*', { cwd: join(ROOT, 'docs/screens') }).toSorted()).toEqual([...new Set(shown)].toSorted())
})
