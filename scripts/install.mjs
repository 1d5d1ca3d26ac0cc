// Installs the packages of the lock file, and finds the Node that the project runs on.
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { ROOT, run, SetupError } from './run.mjs'

const OLDEST_NODE = 20
const OLDEST_NPM = 9
/** The first Node that runs TypeScript sources. */
const SERVER_NODE = 24

const STAMP = join(ROOT, 'node_modules', '.acc-setup')

const major = (version) => Number.parseInt(version, 10)

/** Installs the packages unless they were installed from the same files. Returns the Node to run them with. */
export async function install() {
  if (major(process.versions.node) < OLDEST_NODE) {
    throw new SetupError(`Node ${process.versions.node} is too old: install Node ${OLDEST_NODE} or later.`)
  }
  const wanted = hashOfManifests()
  if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== wanted) {
    await installPackages()
    writeFileSync(STAMP, wanted)
  }
  return serverNode()
}

function hashOfManifests() {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const files = [
    'package-lock.json',
    '.npmrc',
    'package.json',
    ...manifest.workspaces.map((name) => `${name}/package.json`),
  ]
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}

async function installPackages() {
  const [npm, ...npmArgs] = npmCommand()
  const { status, output } = await run(npm, [...npmArgs, '--version'], { quiet: true })
  if (status !== 0) throw new SetupError(`npm does not run: ${output.trim()}`)
  if (major(output) < OLDEST_NPM)
    throw new SetupError(`npm ${output.trim()} is too old: install npm ${OLDEST_NPM} or later.`)
  console.log('Installing the packages ...')
  // With any NODE_ENV: building the console needs the packages of development, and the database is an optional one.
  const args = ['--include=dev', '--include=optional', '--loglevel=error', ...cacheArgs()]
  // `npm ci` rejects a lock file without the packages of other systems, which some registries do not have. --no-save
  // does not change the lock file; hashes are checked in either case.
  const trial = await run(npm, [...npmArgs, 'ci', '--dry-run', ...args], { quiet: true })
  const command = trial.status === 0 ? ['ci'] : ['install', '--no-save']
  const result = await run(npm, [...npmArgs, ...command, ...args])
  if (result.status !== 0) throw new SetupError('The packages could not be installed: npm says above why.')
}

/** Returns the npm that started us, run by our Node, or the first one on the path. */
function npmCommand() {
  const script = process.env.npm_execpath ?? ''
  if (basename(script).startsWith('npm') && script.endsWith('.js')) return [process.execPath, script]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm']
}

/** Returns a cache for npm, since accounts of services often have no home. */
function cacheArgs() {
  try {
    accessSync(homedir(), constants.W_OK)
    return []
  } catch {
    return ['--cache', join(ROOT, '.cache', 'npm')]
  }
}

/** Returns the pinned Node, or our own if it is new enough. */
function serverNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  const pinned = join(ROOT, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(pinned)) return pinned
  if (major(process.versions.node) >= SERVER_NODE) {
    console.log(
      `There is no pinned Node for ${process.platform} on ${process.arch}: running on your Node ${process.versions.node}.`,
    )
    return process.execPath
  }
  throw new SetupError(
    `There is no pinned Node for ${process.platform} on ${process.arch}, and your Node ${process.versions.node} is older than ${SERVER_NODE}: install Node ${SERVER_NODE} and try again.`,
  )
}
