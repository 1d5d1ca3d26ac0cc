// Published versions: their sources from git, and servers of them on data directories.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type ServerProcess, spawnServer } from '@acc/server/test/process.ts'
import { KEY, type LandedVersion, PASSWORD } from '@acc/server/test/upgrade/fixture.ts'
import { sql } from 'kysely'
import type { Drill } from '../drill.ts'
import { withDatabase } from '../servers.ts'
import { fill } from './fill.ts'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = join(ROOT, 'node_modules')
const WORKSPACES = ['contract', 'server']
const LARGE = { maxBuffer: 512 * 1024 * 1024 }

type Package = { dependencies?: Record<string, string>; version: string }
const readPackage = (folder: string): Package => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Whether this checkout has all packages of a version. */
function hasPackages(folder: string): boolean {
  const wanted = WORKSPACES.flatMap((name) => Object.entries(readPackage(join(folder, name)).dependencies ?? {}))
  return wanted.every(([name, version]) => {
    const installed = join(PACKAGES, name)
    return name.startsWith('@acc/') || (existsSync(installed) && readPackage(installed).version === version)
  })
}

/** Puts the sources of a commit into a new folder, with packages of this checkout or else of the registry. */
function checkOut(commit: string, folder: string): void {
  mkdirSync(folder)
  const paths = [...WORKSPACES, 'package.json', 'package-lock.json', ':(glob)*/package.json']
  const archive = execFileSync('git', ['-C', ROOT, 'archive', '--format=tar', commit, ...paths], LARGE)
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  if (!hasPackages(folder)) {
    const workspaces = WORKSPACES.map((name) => `--workspace=${name}`)
    const options = ['--no-save', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', ['install', ...options, ...workspaces], { cwd: folder })
    return
  }
  mkdirSync(join(folder, 'node_modules/@acc'), { recursive: true })
  for (const name of readdirSync(PACKAGES).filter((one) => one !== '@acc' && !one.startsWith('.')))
    symlinkSync(join(PACKAGES, name), join(folder, 'node_modules', name))
  for (const name of WORKSPACES) symlinkSync(join(folder, name), join(folder, 'node_modules/@acc', name))
}

/** Returns the start file of a version's server; checks the version out once. */
export function startFileOf({ root }: Drill, { commit, version }: LandedVersion): string {
  const folder = join(root, `version-${version}`)
  if (!existsSync(folder)) checkOut(commit, folder)
  return join(folder, 'server/src/main.ts')
}

export async function stop({ child, ended }: ServerProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  child.kill(signal)
  await ended
}

/** Begins to start a server, of this version unless `main` is the start file of another one. */
export async function spawnOn(drill: Drill, dataDir: string, main?: string) {
  const env = { ACC_DATA_DIR: dataDir, ACC_SECRET_KEY: KEY, ACC_ADMIN_PASSWORD: PASSWORD }
  const server = await spawnServer(env, main === undefined ? {} : { main })
  drill.atEnd(() => stop(server))
  return server
}

/** Starts a server; throws if it is not ready in time. */
export async function startOn(drill: Drill, dataDir: string, main?: string): Promise<ServerProcess> {
  const { ready, ...server } = await spawnOn(drill, dataDir, main)
  await ready
  if (!server.output().includes('ready')) throw new Error(`${main ?? 'this version'}: ${server.output()}`)
  return server
}

/** Makes a data directory by a version's own server, which keeps running. */
export async function makeDataDir(drill: Drill, landed: LandedVersion) {
  const dataDir = join(drill.root, `data-${landed.version}`)
  const server = await startOn(drill, dataDir, startFileOf(drill, landed))
  await withDatabase(dataDir, (db) => fill(server.baseUrl, (statements) => sql.raw(statements).execute(db.write)))
  return { dataDir, server }
}
