// Reads secrets from a terminal without echo, or from standard input. One-time passwords are asked for when a call
// needs one.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Context } from './context.ts'
import { interrupted, isAnswer, usageError } from './errors.ts'

export const hasTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Asks on standard error and reads a line from the terminal without echo. */
export async function promptSecret(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 })
  process.stderr.write(question)
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.on('SIGINT', () => reject(interrupted()))
      lines.on('close', () => reject(interrupted()))
      lines.question('').then(resolve, reject)
    })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

/** Reads secrets from standard input, one on each line. */
export async function readSecrets(count: number): Promise<string[]> {
  const lines = (await text(process.stdin)).replace(/\r?\n$/, '').split(/\r?\n/)
  return lines.length === count && lines.every((line) => line !== '') ? lines : []
}

/** Reads the password from standard input, without one line break at the end. */
export async function readSecret(): Promise<string> {
  const secret = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (secret === '') throw usageError((texts) => texts.passwordEmpty)
  return secret
}

export async function withCode<T>(
  { isJson, texts }: Context,
  given: string | undefined,
  call: (otp: string | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await call(given)
  } catch (error) {
    const isMailed = isAnswer(error, 'OTP_MAILED', 'OTP_ALREADY_SENT')
    const isWanted = isMailed || isAnswer(error, 'OTP_REQUIRED')
    if (!isWanted || given !== undefined || isJson || !hasTerminal()) throw error
    return call(await promptSecret(isMailed ? texts.mailedOtp : texts.otp))
  }
}
