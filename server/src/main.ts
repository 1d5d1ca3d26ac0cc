// Starts the server: settings, data directory, database, adapters, HTTP; stops all of it in the opposite order. What goes
// wrong before it listens is one clear line (a bad setting: exit status 78, anything else: 1).
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pino } from 'pino'
import { buildApp } from './app.ts'
import { SecretKeyError } from './crypto/secretKey.ts'
import { StartError } from './db/embedded.errors.ts'
import { BadSetting, type Env, readEnv } from './env.ts'
import { FileStoreError } from './files/errors.ts'
import { type Opened, openAdapters } from './openAdapters.ts'

const EX_CONFIG = 78
/** Asks for the sample organisation, in an empty database. */
const DEMO = '--demo'
/** Milliseconds that calls in flight may take after a signal. */
const DRAIN = 7_000

function printAddress(env: Env, { firstAdmin, isEvaluation }: Opened, demo: readonly string[]): void {
  const lines = ['', `  ACC is ready at ${env.publicUrl}${env.runtime.frontRoute}/`]
  if (firstAdmin !== undefined) {
    lines.push('', `  First administrator: ${firstAdmin.id}`)
    if (firstAdmin.password !== undefined) lines.push(`  Password (shown once): ${firstAdmin.password}`)
  }
  if (demo.length > 0) lines.push('', ...demo)
  if (isEvaluation) lines.push('', '  Running on the built-in evaluation licence of 10 devices.')
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

function reasonOf(error: unknown, env: Env | undefined): string {
  if (error instanceof Error && 'code' in error && env !== undefined) {
    if (error.code === 'EADDRINUSE') return `ACC_PORT: port ${env.port} on ${env.host} is in use`
    if (error.code === 'EACCES') return `no permission: ${error.message}`
    if (error.code === 'EADDRNOTAVAIL') return `ACC_HOST: ${env.host} is not an address of this machine`
  }
  const known = [BadSetting, StartError, SecretKeyError, FileStoreError].some((kind) => error instanceof kind)
  return known && error instanceof Error
    ? error.message
    : `cannot start: ${error instanceof Error ? error.message : String(error)}`
}

/**
 * Makes a folder and those above it. Step by step: below /proc, where no folder can be made, Node's own recursive form goes
 * round for ever.
 */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return
  if (!existsSync(dirname(path))) await makeFolder(dirname(path))
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

async function start(env: Env): Promise<() => Promise<void>> {
  const log = pino({ level: env.logLevel, redact: ['req.headers.authorization', 'req.headers.cookie'] })
  await makeFolder(env.dataDir).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`ACC_DATA_DIR: ${env.dataDir} cannot be used (${error.code})`)
  })
  const opened = await openAdapters(env, log)
  try {
    const demo = process.argv.includes(DEMO) ? await (await import('../admin/demo.ts')).loadDemo(opened.app) : []
    const http = await buildApp(opened.app)
    await http.listen({ host: env.host, port: env.port })
    await opened.startJobs()
    printAddress(env, opened, demo)
    return async () => {
      await Promise.race([http.close(), new Promise((resolve) => setTimeout(resolve, DRAIN).unref())])
      await opened.close()
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false
  const onSignal = () => {
    if (isStopping) return
    isStopping = true
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`acc: ${error instanceof Error ? error.message : String(error)}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

let env: Env | undefined
try {
  env = readEnv(process.env)
  const starting = start(env)
  // A signal during the start stops what the start has opened, once it is there, and waits for it no longer than for calls.
  const late = () =>
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('the start did not end')), DRAIN))
  stopOnSignals(async () => (await Promise.race([starting, late()]))())
  await starting
} catch (error) {
  process.stderr.write(`acc: ${reasonOf(error, env)}\n`)
  process.exit(error instanceof BadSetting ? EX_CONFIG : 1)
}
