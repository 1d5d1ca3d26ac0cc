// A version of the server that landed before, as its commit has it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = join(ROOT, 'node_modules')
const WORKSPACES = ['contract', 'server']
const LARGE = { maxBuffer: 512 * 1024 * 1024 }

type Package = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string>; version: string }
const readPackage = (folder: string): Package => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Whether this checkout has all packages of that version as it wants them. */
function hasPackages(folder: string): boolean {
  const wanted = WORKSPACES.flatMap((name) => Object.entries(readPackage(join(folder, name)).dependencies ?? {}))
  return wanted.every(([name, version]) => {
    const installed = join(PACKAGES, name)
    return name.startsWith('@acc/') || (existsSync(installed) && readPackage(installed).version === version)
  })
}

/** Puts the sources of a commit into a new folder; needs git and its history. Returns where the server starts. */
export function checkOut(commit: string, folder: string): string {
  mkdirSync(folder)
  const paths = [...WORKSPACES, 'package.json', 'package-lock.json', ':(glob)*/package.json']
  const archive = execFileSync('git', ['-C', ROOT, 'archive', '--format=tar', commit, ...paths], LARGE)
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  if (hasPackages(folder)) {
    mkdirSync(join(folder, 'node_modules/@acc'), { recursive: true })
    for (const name of readdirSync(PACKAGES))
      if (name !== '@acc' && !name.startsWith('.'))
        symlinkSync(join(PACKAGES, name), join(folder, 'node_modules', name))
    for (const name of WORKSPACES) symlinkSync(join(folder, name), join(folder, 'node_modules/@acc', name))
  } else {
    const workspaces = WORKSPACES.map((name) => `--workspace=${name}`)
    const options = ['--no-save', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', ['install', ...options, ...workspaces], { cwd: folder })
  }
  return join(folder, 'server/src/main.ts')
}
