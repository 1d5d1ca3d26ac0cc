// `acc-admin` as operators run it: `const { accAdmin, json } = accAdminIn(folder)`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { programOf } from './process.ts'

export const START = fileURLToPath(new URL('../src/admin/start.mjs', import.meta.url))

/** Runs commands that share their compiled sources in a folder. */
export function accAdminIn(folder: string) {
  async function accAdmin(args: readonly string[], env: Record<string, string> = {}, fileLimit?: number) {
    const child = spawn(...programOf([START, ...args], fileLimit), {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE: join(folder, 'cache'), ...env },
    })
    const ended = new Promise((resolve) => child.on('close', resolve))
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    return { status: child.exitCode, output, errors }
  }
  async function json<T>(args: readonly string[], env?: Record<string, string>) {
    const { status, output } = await accAdmin(['--json', ...args], env)
    return { status, document: JSON.parse(output) as T }
  }
  return { accAdmin, json }
}
