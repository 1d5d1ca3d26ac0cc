// The command line of acc-admin: a command of one or two words, and its own options.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { closestMatch } from 'leven'

/** A failure as one line for the operator; `usage` is an invalid command line. */
export class AdminError extends Error {
  override readonly name = 'AdminError'
  readonly kind: 'usage' | 'failure'
  constructor(kind: 'usage' | 'failure', message: string) {
    super(message)
    this.kind = kind
  }
}
export const usageError = (message: string) => new AdminError('usage', message)
export const failure = (message: string) => new AdminError('failure', message)

/** The document of --json, the lines for a terminal, and an exit status other than 0. */
export type Result = { document: unknown; lines: readonly string[]; status?: number }

type Values = Record<string, string | undefined>
export type Command = {
  /** Names of the arguments. */
  args: readonly string[]
  /** Names of the options with a value. */
  options: readonly string[]
  run(values: Values, args: readonly string[]): Promise<Result> | Result
}

/** Commands by their names of one or two words. Only the one that runs is loaded. */
export type Commands = Readonly<Record<string, () => Command | Promise<Command>>>

export type Invocation = 'help' | 'version' | { command: Command; values: Values; args: readonly string[] }

function read(argv: readonly string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw usageError(`${error.message.split('. ', 1)[0]}.`)
  }
}

/** Finds the command of two words, a topic and an action, or of one word. */
function findCommand(argv: readonly string[], commands: Commands) {
  const names = [2, 1].map((words) => ({ words, name: argv.slice(0, words).join(' ') }))
  for (const { words, name } of names) {
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (load !== undefined) return { name, words, load }
  }
  const given = names[0]?.name ?? ''
  const near = closestMatch(given, Object.keys(commands))
  throw usageError(`There is no command "${given}"${near === undefined ? '' : `; is it "${near}"?`}`)
}

/** Reads a command line. Throws a usage error if it is invalid. */
export async function parse(argv: readonly string[], commands: Commands): Promise<Invocation> {
  if (argv.includes('--help') || argv.length === 0) return 'help'
  if (argv.includes('--version')) return 'version'
  // The command comes first: an option's value cannot be confused with it.
  const { name, words, load } = findCommand(argv, commands)
  const command = await load()
  const own = Object.fromEntries(command.options.map((option) => [option, { type: 'string' as const }]))
  const { values, positionals } = read(argv.slice(words), own)
  const missing = command.args[positionals.length]
  if (missing !== undefined) throw usageError(`Missing ${missing} after "${name}".`)
  const extra = positionals[command.args.length]
  if (extra !== undefined) throw usageError(`Unexpected argument "${extra}".`)
  const texts = Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { command, values: Object.fromEntries(texts), args: positionals }
}

/** Returns an option that the command requires. */
export function required(values: Values, option: string): string {
  const value = values[option]
  if (value === undefined || value === '') throw usageError(`Missing --${option}.`)
  return value
}
