// `acc-admin` as operators run it: `await accAdmin(['backup', 'keygen', '--out', file])`.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { COMPILE_CACHE, PROGRAMS, programOf } from './process.ts'

export async function accAdmin(args: readonly string[], env: Record<string, string> = {}, fileLimit?: number) {
  const child = spawn(...programOf([PROGRAMS.accAdmin, ...args], fileLimit), {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...COMPILE_CACHE, ...env },
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { status: child.exitCode, output, errors }
}

/** The same with --json: returns the exit status and the document. */
export async function accAdminJson<T>(args: readonly string[], env?: Record<string, string>) {
  const { status, output } = await accAdmin(['--json', ...args], env)
  return { status, document: JSON.parse(output) as T }
}
