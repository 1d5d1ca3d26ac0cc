// acc-admin, the operator's commands: runs one, prints its result or its error, and exits with its status.

import { BackupError } from '../backup/errors.ts'
import { isDatabaseGone } from '../db/constraints.ts'
import { StartError } from '../db/embedded/errors.ts'
import { BadSetting } from '../env.ts'
import { SERVER_VERSION } from '../version.ts'
import { AdminError, type Commands, parse, type Result } from './commandLine.ts'
import { HELP } from './help.ts'

/** Loads the only command that runs: others need much of the server. */
const COMMANDS: Commands = {
  'admin add': async () => (await import('./adminCommands.ts')).add,
  'admin reset-password': async () => (await import('./adminCommands.ts')).resetPassword,
  'admin reset-otp': async () => (await import('./adminCommands.ts')).resetOtp,
  'admin suspend': async () => (await import('./adminCommands.ts')).suspend,
  'admin release': async () => (await import('./adminCommands.ts')).release,
  'admin remove': async () => (await import('./adminCommands.ts')).remove,
  'accept-history': async () => (await import('./historyCommands.ts')).acceptHistoryCommand,
  backup: async () => (await import('./backupCommands.ts')).backup,
  'backup keygen': async () => (await import('./backupCommands.ts')).backupKeygen,
  migrate: async () => (await import('./migrateCommand.ts')).migrateCommand,
  restore: async () => (await import('./backupCommands.ts')).restore,
  'restore-file': async () => (await import('./restoreFileCommand.ts')).restoreFile,
  'rotate-key': async () => (await import('./rotateCommand.ts')).rotateKey,
  'verify-history': async () => (await import('./historyCommands.ts')).verifyHistoryCommand,
  verify: async () => (await import('./backupCommands.ts')).verify,
}
const Status = { OK: 0, FAILED: 1, USAGE: 2, CONFIG: 78 } as const

const JSON_OPTION = '--json'
const isJson = process.argv.includes(JSON_OPTION)
const argv = process.argv.slice(2).filter((text) => text !== JSON_OPTION)

async function answer(): Promise<Result> {
  const invocation = await parse(argv, COMMANDS)
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
