// The command line: global options, before or after the command, and each command's own. A command is declared with
// its options by `defineCommand` and gets typed values.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { closestMatch } from 'leven'
import type { Context } from './context.ts'
import { usageError } from './errors.ts'

/** The result of a command: the document of --json, and the lines for a terminal. */
export type Result = { document: unknown; lines: readonly string[] }

const GLOBAL_OPTIONS = {
  server: { type: 'string' },
  insecure: { type: 'boolean' },
  state: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig
export type Globals = {
  server?: string
  insecure?: boolean
  state?: string
  json?: boolean
  help?: boolean
  version?: boolean
}

type Values<O extends ParseArgsOptionsConfig> = {
  [K in keyof O]?: O[K]['type'] extends 'boolean' ? boolean : string
}
type Spec<O extends ParseArgsOptionsConfig> = {
  options: O
  /** Minimum and maximum number of arguments. */
  args: readonly [number, number]
  run(context: Context, values: Values<O>, args: string[]): Promise<Result>
}
export type Command = {
  options: ParseArgsOptionsConfig
  args: readonly [number, number]
  run(context: Context, values: Record<string, unknown>, args: string[]): Promise<Result>
}

export const defineCommand = <const O extends ParseArgsOptionsConfig>({ options, args, run }: Spec<O>): Command => ({
  options,
  args,
  // parseArgs has validated the values by these options.
  run: (context, values, given) => run(context, values as Values<O>, given),
})

export type Invocation = { globals: Globals; name: string | undefined; run(context: Context): Promise<Result> }

/** Whether errors are printed as JSON; known even if the rest of the line is invalid. */
export const wantsJson = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).includes('--json')
}

/** Reads a command line. Throws a usage error if it is invalid. */
export function parse(argv: string[], commands: Record<string, Command>): Invocation {
  const name = commandName(argv, commands)
  const command = name === undefined ? undefined : commands[name]
  const { values, positionals } = strictly(argv, { ...command?.options, ...GLOBAL_OPTIONS })
  const globals = values as Globals
  const [, ...args] = positionals
  if (globals.help || globals.version) return { globals, name, run: noCommand }
  if (name === undefined || command === undefined) {
    throw usageError((texts) => texts.noCommand)
  }
  requireCount(name, command.args, args)
  return { globals, name, run: (context) => command.run(context, values, args) }
}

const noCommand = () => Promise.reject(usageError((texts) => texts.noCommand))

/** Letters by which a mistyped command may differ from the one that is suggested. */
const MAX_TYPOS = 2

/** Returns the first argument that is neither an option nor an option's value. */
function commandName(argv: string[], commands: Record<string, Command>): string | undefined {
  const every = Object.assign({}, ...Object.values(commands).map(({ options }) => options), GLOBAL_OPTIONS)
  const { positionals } = parseArgs({ args: argv, options: every, allowPositionals: true, strict: false })
  const [name] = positionals
  if (name !== undefined && !Object.hasOwn(commands, name)) {
    const near = closestMatch(name, Object.keys(commands), { maxDistance: MAX_TYPOS })
    throw usageError((texts) => texts.unknownCommand(name, near))
  }
  return name
}

function strictly(argv: string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: argv, options, allowPositionals: true, strict: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [sentence] = error.message.split('. ', 1)
    throw usageError((texts) => texts.wrongOptions(`${sentence}.`))
  }
}

function requireCount(name: string, [min, max]: readonly [number, number], args: string[]): void {
  if (args.length < min) throw usageError((texts) => texts.tooFewArguments(name))
  const extra = args[max]
  if (extra !== undefined) throw usageError((texts) => texts.tooManyArguments(extra))
}

/** Parses the number of a request. */
export function idxOf(text: string): number {
  const idx = Number(text)
  if (!/^\d+$/.test(text) || idx < 1 || !Number.isSafeInteger(idx)) throw usageError((texts) => texts.badNumber(text))
  return idx
}

/** Parses an option's integer in a range. */
export function numberIn(option: string, text: string, [min, max]: readonly [number, number]): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw usageError((texts) => texts.badRange(option, min, max))
}
