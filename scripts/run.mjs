// Runs other programs for setup.mjs and forwards signals to them.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Programs of the packages come first, among them the pinned Node. */
const PATH = `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`

/** Ends setup with one sentence. */
export class SetupError extends Error {}

const running = new Set()
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (running.size === 0) process.exit(128 + constants.signals[signal])
    for (const child of running) child.kill(signal)
  })
}

/**
 * Runs a program in the project's directory, on our terminal, or with `quiet` keeping its output for the caller.
 * Returns its exit status, which after a signal is 128 and the signal's number, as shells have it.
 */
export function run(command, args, { quiet = false, env = {} } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, PATH, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    })
    running.add(child)
    let output = ''
    for (const stream of quiet ? [child.stdout, child.stderr] : []) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.on('error', (error) => {
      running.delete(child)
      done({ status: 127, output: `${output}${error.message}\n` })
    })
    child.on('close', (status, signal) => {
      running.delete(child)
      done({ status: signal ? 128 + constants.signals[signal] : (status ?? 1), output })
    })
  })
}

/** Ends the running programs once the parent process (npm, or the shell between) has ended. */
export function endWithParent() {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid === parent) return
    for (const child of running) child.kill('SIGTERM')
  }, 250).unref()
}
