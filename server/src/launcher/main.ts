// What `./acc` of an unpacked version does (bundle/acc runs it on the version's own Node): `main.ts HOME COMMAND ...`.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVER_VERSION } from '../version.ts'
import { unit } from './service.ts'
import { findPaths, loadSettings } from './settings.ts'
import { logFile, start } from './start.ts'
import { status, stop } from './status.ts'
import { Refusal, Status } from './statuses.ts'

/** The output of `./acc help`. */
const HELP = `Usage: ./acc COMMAND

  start      starts the server, waits until it is ready and prints its address
  stop       stops it and waits until it has ended
  status     says whether it runs and is ready
  logs [-f]  shows the end of its log; -f continues
  run        runs it in the foreground, for a service or a container
  service    prints a systemd unit
  admin ...  acc-admin: administrators, backups, history and keys
  client ... acc-client, the desktop client
  verify     compares every file of this folder with SHA256SUMS
  version    prints the version and its commit
  help       prints this

Settings are environment variables, or lines NAME=value of acc.env next to this folder.
Data are in acc-data next to this folder, or in ACC_DATA_DIR.
Exit statuses are those of the Linux Standard Base: 0 done or running, 1 failed or died,
2 wrong usage, 3 not running, 4 no right or unknown, 5 incomplete, 6 wrong settings.`

type Invocation = { home: string; args: readonly string[] }

const programs = join(import.meta.dirname, '../../..')
const flags: string[] = JSON.parse(readFileSync(join(import.meta.dirname, '../../nodeFlags.json'), 'utf8'))
const SERVER = [process.execPath, ...flags, join(import.meta.dirname, 'server.ts')]

/** Replaces this process by another program with the same environment. */
function become(...command: readonly string[]): never {
  if (process.execve === undefined) throw new Refusal('This works on Linux only.', Status.FAILED)
  return process.execve(process.execPath, command, process.env)
}

/** Returns the data directory of this version's settings. */
function dataDirOf(home: string): string {
  loadSettings(home)
  // Compiled sources are cached next to the sources, if the account may change those, too.
  if (isWritable(home)) process.env.NODE_COMPILE_CACHE = join(home, '.compiled')
  return process.env.ACC_DATA_DIR ?? ''
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function showLog(dataDir: string, options: readonly string[]): number {
  const file = logFile(dataDir)
  if (!existsSync(file)) {
    console.error(`acc: there is no ${file}; that of a service is shown by journalctl -u acc`)
    return Status.FAILED
  }
  return spawnSync('tail', ['-n', '200', ...options, file], { stdio: 'inherit' }).status ?? Status.FAILED
}

function showVersion(home: string): number {
  const commit = join(home, 'COMMIT')
  console.log(`ACC ${SERVER_VERSION}${existsSync(commit) ? ` ${readFileSync(commit, 'utf8').trim()}` : ''}`)
  return Status.OK
}

/** Each command with its arguments; undefined if it takes any. */
const COMMANDS: Record<string, { takes?: RegExp; run(invocation: Invocation): number | Promise<number> }> = {
  start: { takes: /^$/, run: ({ home }) => start(home, dataDirOf(home), SERVER) },
  stop: { takes: /^$/, run: ({ home }) => stop(dataDirOf(home)) },
  status: { takes: /^$/, run: ({ home }) => status(dataDirOf(home)) },
  logs: { takes: /^(-f)?$/, run: ({ home, args }) => showLog(dataDirOf(home), args) },
  run: {
    takes: /^$/,
    run: ({ home }) => {
      dataDirOf(home)
      return become(...SERVER)
    },
  },
  admin: {
    run: ({ home, args }) => {
      dataDirOf(home)
      return become(process.execPath, join(programs, 'server/src/admin/start.mjs'), ...args)
    },
  },
  client: { run: ({ args }) => become(process.execPath, join(programs, 'desktop-client/src/start.mjs'), ...args) },
  service: {
    takes: /^$/,
    run: ({ home }) => {
      console.log(unit({ home, dataDir: dataDirOf(home), ...findPaths() }))
      return Status.OK
    },
  },
  version: { takes: /^$/, run: ({ home }) => showVersion(home) },
  help: {
    takes: /^$/,
    run: () => {
      console.log(HELP)
      return Status.OK
    },
  },
}
const ALIASES: Readonly<Record<string, string>> = { '--version': 'version', '--help': 'help', '-h': 'help' }

function statusOf(error: unknown): number {
  if (!(error instanceof Error)) throw error
  const isRight = 'code' in error && /^(EPERM|EACCES)$/.test(String(error.code))
  console.error(`acc: ${isRight ? `this account may not do that: ${error.message}` : error.message}`)
  if (isRight) return Status.NO_RIGHT
  return error instanceof Refusal ? error.status : Status.FAILED
}

const [home = '', word = '', ...args] = process.argv.slice(2)
const name = ALIASES[word] ?? word
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
if (command === undefined || command.takes?.test(args.join(' ')) === false) {
  console.error(word === '' || command ? HELP : `acc: there is no command ${word}.\n\n${HELP}`)
  process.exitCode = Status.USAGE
} else {
  try {
    process.exitCode = await command.run({ home, args })
  } catch (error) {
    process.exitCode = statusOf(error)
  }
}
