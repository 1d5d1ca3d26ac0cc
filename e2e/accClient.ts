// The real `acc-client` as a process of its own, on a PC of its own: `pc.json(['policy'])`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const MAIN = join(import.meta.dirname, '../desktop-client/src/main.ts')

export type Outcome = { status: number | null; document: unknown }
export type Pc = {
  /** Runs a command and returns its exit status and its document. */
  json(args: readonly string[], input?: string): Promise<Outcome>
  login(id: string, password: string): Promise<Outcome>
}

/** Returns a PC with its state in the folder. */
export function openPc(baseUrl: string, folder: string): Pc {
  const options = ['--json', '--server', baseUrl, '--state', join(folder, 'state.json')]
  const json: Pc['json'] = async (args, input = '') => {
    const child = spawn(process.execPath, [MAIN, ...options, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(input)
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
    return { status: child.exitCode, document: JSON.parse(output) }
  }
  return {
    json,
    login: (id, password) => json(['login', id, '--password-stdin', '--device-name', '업무용 PC'], `${password}\n`),
  }
}
