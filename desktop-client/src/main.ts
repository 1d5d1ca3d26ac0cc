// acc-client, the command-line client of ACC. Reads the command line, runs one command, prints its result or its error,
// and exits with the matching status.
import { cancel } from './commands/cancel.ts'
import { download } from './commands/download.ts'
import { login } from './commands/login.ts'
import { logout } from './commands/logout.ts'
import { password } from './commands/password.ts'
import { policy } from './commands/policy.ts'
import { reportBlocks } from './commands/reportBlocks.ts'
import { request } from './commands/request.ts'
import { status } from './commands/status.ts'
import { update } from './commands/update.ts'
import { watch } from './commands/watch.ts'
import { openContext } from './context.ts'
import { Advised, ExitStatus, interrupted, isUnreachable, reportOf } from './errors.ts'
import { helpOf } from './help.ts'
import { type Invocation, parse, type Result, wantsJson } from './options.ts'
import { languageOf } from './texts.ts'
import { VERSION } from './version.ts'

const COMMANDS = {
  login,
  password,
  policy,
  request,
  status,
  download,
  cancel,
  'report-blocks': reportBlocks,
  watch,
  update,
  logout,
}

const argv = process.argv.slice(2)
const isJson = wantsJson(argv)
const language = languageOf(process.env)

async function answer(invocation: Invocation, signal: AbortSignal): Promise<Result> {
  const { globals, name } = invocation
  if (globals.version) return { document: { version: VERSION }, lines: [VERSION] }
  if (globals.help) return { document: { help: helpOf(name, language) }, lines: [helpOf(name, language)] }
  const context = await openContext(globals, language, signal)
  try {
    return await invocation.run(context)
  } catch (error) {
    throw isUnreachable(error) ? new Advised(error, (texts) => texts.serverAddress(context.server)) : error
  } finally {
    context.progress.end()
  }
}

function printResult({ document, lines }: Result): void {
  if (isJson) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
  else for (const line of lines) process.stdout.write(`${line}\n`)
}

/** With --json every error is a document on standard output and status 1; else a message and the status of its kind. */
function printError(error: unknown): ExitStatus {
  const { errorCode, message, status: kind } = reportOf(error, language)
  if (isJson) {
    process.stdout.write(`${JSON.stringify({ errorCode, message }, null, 2)}\n`)
    return ExitStatus.ERROR
  }
  process.stderr.write(`acc-client: ${message}\n`)
  return kind
}

async function main(): Promise<ExitStatus> {
  const interruption = new AbortController()
  // The second Ctrl-C ends the process at once.
  process.once('SIGINT', () => interruption.abort())
  process.once('SIGTERM', () => interruption.abort())
  try {
    printResult(await answer(parse(argv, COMMANDS), interruption.signal))
    return ExitStatus.OK
  } catch (error) {
    const isCutShort = interruption.signal.aborted && !(error instanceof Advised)
    return printError(isCutShort ? interrupted() : error)
  }
}

// A reader that closes the pipe (`acc-client status | head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
process.exitCode = await main()
