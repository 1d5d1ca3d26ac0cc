/**
 * Makes dist/acc-VERSION-linux-x64.tar.gz and dist/SHA256SUMS of this commit, to run ACC without a network
 * (docs/decisions/27-packages.md). Two builds of one commit are equal byte for byte.
 *
 *   npm run bundle
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { copyFiles, makeLinks, pack, sha256, writeFiles, writeSums } from './archive.ts'
import { links, packageFiles, sourceFiles } from './content.ts'
import { licenseFiles } from './licenses.ts'
import { type Package, packagesOfArchive, packagesOfConsole, ROOT } from './packages.ts'
import { type Release, sbom } from './sbom.ts'

const DIST = join(ROOT, 'dist')
const LARGEST = 160_000_000

class BundleError extends Error {}

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

function releaseOf(): Release {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new BundleError('The archive is made on Linux x64.')
  if (git('status', '--porcelain') !== '')
    throw new BundleError('There are changes that no commit has: commit them first.')
  const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'server/package.json'), 'utf8'))
  return { version, commit: git('rev-parse', 'HEAD'), date: new Date(Number(git('log', '-1', '--format=%ct')) * 1000) }
}

/** Rejects installed packages of other versions than those of the lock file. */
function requireInstalled(packages: readonly Package[]): void {
  const wrong = packages.filter(({ path, version }) => {
    const file = join(ROOT, path, 'package.json')
    const found: { version: string } | undefined =
      statSync(file, { throwIfNoEntry: false }) && JSON.parse(readFileSync(file, 'utf8'))
    return found?.version !== version
  })
  if (wrong.length > 0)
    throw new BundleError(
      `Not installed as the lock file has it: ${wrong.map(({ path }) => path).join(', ')}. Run npm ci.`,
    )
}

async function makeFolder(folder: string, release: Release): Promise<void> {
  const inside = packagesOfArchive()
  const paths = new Set(inside.map(({ path }) => path))
  const all = [...inside, ...packagesOfConsole().filter(({ path }) => !paths.has(path))]
  requireInstalled(all)
  await copyFiles(folder, [...sourceFiles(), ...inside.flatMap(packageFiles)])
  await makeLinks(folder, links())
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const options = [
    'build',
    'console',
    '--logLevel',
    'warn',
    '--emptyOutDir',
    '--outDir',
    join(folder, 'app/console/dist'),
  ]
  execFileSync(process.execPath, [vite, ...options], { cwd: ROOT, stdio: 'inherit' })
  await writeFiles(join(folder, 'licenses'), licenseFiles(all))
  writeFileSync(join(folder, 'sbom.cdx.json'), sbom(release, all))
  writeFileSync(join(folder, 'COMMIT'), `${release.commit} ${release.date.toISOString()}\n`)
  await writeSums(folder)
}

async function main(): Promise<void> {
  const release = releaseOf()
  const name = `acc-${release.version}-linux-x64`
  const archive = join(DIST, `${name}.tar.gz`)
  rmSync(DIST, { recursive: true, force: true })
  mkdirSync(DIST)
  await makeFolder(join(DIST, name), release)
  await pack(DIST, name, archive, release.date)
  rmSync(join(DIST, name), { recursive: true })
  const sum = await sha256(archive)
  writeFileSync(join(DIST, 'SHA256SUMS'), `${sum}  ${basename(archive)}\n`)
  const { size } = statSync(archive)
  console.log(`${archive}\n${(size / 1e6).toFixed(1)} MB, SHA-256 ${sum}`)
  if (size > LARGEST) throw new BundleError(`The archive is larger than ${LARGEST / 1e6} MB.`)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof BundleError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
