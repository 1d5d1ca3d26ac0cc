// acc-admin, the operator's commands: runs one, prints its result or its error, and exits with its status.

import { BackupError } from '../backup/errors.ts'
import { isDatabaseGone } from '../db/constraints.ts'
import { StartError } from '../db/embedded/errors.ts'
import { BadSetting } from '../env.ts'
import { SERVER_VERSION } from '../version.ts'
import { add, release, remove, resetOtp, resetPassword, suspend } from './adminCommands.ts'
import { backup, backupKeygen, restore, verify } from './backupCommands.ts'
import { AdminError, parse, type Result } from './commandLine.ts'
import { HELP } from './help.ts'
import { acceptHistoryCommand, verifyHistoryCommand } from './historyCommands.ts'
import { migrateCommand } from './migrateCommand.ts'
import { restoreFile } from './restoreFileCommand.ts'
import { rotateKey } from './rotateCommand.ts'

const COMMANDS = {
  'admin add': add,
  'admin reset-password': resetPassword,
  'admin reset-otp': resetOtp,
  'admin suspend': suspend,
  'admin release': release,
  'admin remove': remove,
  'accept-history': acceptHistoryCommand,
  backup,
  'backup keygen': backupKeygen,
  migrate: migrateCommand,
  restore,
  'restore-file': restoreFile,
  'rotate-key': rotateKey,
  'verify-history': verifyHistoryCommand,
  verify,
}
const Status = { OK: 0, FAILED: 1, USAGE: 2, CONFIG: 78 } as const

const JSON_OPTION = '--json'
const isJson = process.argv.includes(JSON_OPTION)
const argv = process.argv.slice(2).filter((text) => text !== JSON_OPTION)

async function answer(): Promise<Result> {
  const invocation = parse(argv, COMMANDS)
  if (invocation === 'help') return { document: { help: HELP }, lines: [HELP] }
  if (invocation === 'version') return { document: { version: SERVER_VERSION }, lines: [SERVER_VERSION] }
  return invocation.command.run(invocation.values, invocation.args)
}

/** Returns the line for the operator, and the exit status. */
function reportOf(error: unknown): { message: string; status: number } {
  if (error instanceof AdminError && error.kind === 'usage')
    return { message: `${error.message} See acc-admin --help.`, status: Status.USAGE }
  if (error instanceof BadSetting) return { message: error.message, status: Status.CONFIG }
  if ([AdminError, StartError, BackupError].some((kind) => error instanceof kind) && error instanceof Error)
    return { message: error.message, status: Status.FAILED }
  const reason = error instanceof Error ? error.message : String(error)
  return {
    message: isDatabaseGone(error) ? `The database cannot be reached (${reason}).` : reason,
    status: Status.FAILED,
  }
}

const print = (text: string) => new Promise<void>((resolve) => process.stdout.write(`${text}\n`, () => resolve()))

try {
  const { document, lines, status = Status.OK } = await answer()
  process.exitCode = status
  await print(isJson ? JSON.stringify(document, null, 2) : lines.join('\n'))
} catch (error) {
  const { message, status } = reportOf(error)
  process.exitCode = status
  if (isJson) await print(JSON.stringify({ error: message }, null, 2))
  else process.stderr.write(`acc-admin: ${message}\n`)
}
