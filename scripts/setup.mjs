/**
 * The first program of `npm start` and `npm test`, for any Node from 20 on, without packages:
 *
 *   node scripts/setup.mjs start [--demo]   installs, builds the console, runs the server
 *   node scripts/setup.mjs setup            installs and builds, for a start that may not write here
 *   node scripts/setup.mjs test             installs, gets Chromium, runs every check and test
 *
 * Installs and builds only after changes. The server and all tools run on the Node that the lock file pins
 * (docs/decisions/27-packages.md).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runChecks } from './checks.mjs'
import { buildConsole } from './console.mjs'
import { install } from './install.mjs'
import { endWithParent, ROOT, run, SetupError } from './run.mjs'

/** Few young objects, and growth of 75 % between collections (docs/decisions/27-packages.md). */
const serverFlags = () => JSON.parse(readFileSync(join(ROOT, 'server/nodeFlags.json'), 'utf8'))

/** Compiled sources: later starts load neither the compiler nor its memory (docs/decisions/27-packages.md). */
const COMPILED = join(ROOT, 'node_modules', '.cache', 'acc-server')

const USAGE = `Usage: npm start [-- OPTION]

  --demo   fills an empty database with a sample organization, for this machine alone
  --help   prints this

Settings are environment variables (docs/operations/settings.md).`

const [command, ...args] = process.argv.slice(2)

async function setup() {
  const node = await install()
  await buildConsole(node)
  return node
}

async function start() {
  if (args.includes('--help')) return void console.log(USAGE)
  const unknown = args.find((option) => option !== '--demo')
  if (unknown !== undefined) throw new SetupError(`There is no option ${unknown}.\n\n${USAGE}`)
  const node = await setup()
  const { status } = await run(node, [...serverFlags(), 'server/src/main.ts', ...args], {
    env: { NODE_COMPILE_CACHE: COMPILED },
  })
  return status
}

const test = async () => runChecks(await install())

const commands = { start, setup: async () => void (await setup()), test }

try {
  endWithParent()
  if (!Object.hasOwn(commands, command ?? ''))
    throw new SetupError('Usage: node scripts/setup.mjs start [--demo] | setup | test')
  process.exitCode = await commands[command]()
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
