// Starts the server: settings, data directory, database, adapters, HTTP; stops them in the opposite order, on a signal
// or after an uncaught fault. A fault before it listens is one clear line (a bad setting: exit status 78, others: 1).
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { buildServer } from './buildServer.ts'
import { SecretKeyError } from './crypto/secretKey.ts'
import { StartError } from './db/embedded/errors.ts'
import { keepHead } from './domains/history/history.sealing.ts'
import { startNodeReport } from './domains/systemStatus/systemStatus.node.ts'
import { BadSetting, type Env, readEnv } from './env.ts'
import { FileStoreError } from './files/errors.ts'
import { type FirstAdmin, writeFirstPassword } from './firstAdmin.ts'
import { openLog } from './log.ts'
import { type OpenServices, openServices } from './openServices.ts'

const EX_CONFIG = 78
/** Asks for the sample organization, in an empty database. */
const DEMO = '--demo'
/** Milliseconds for calls in flight once the server is to end, and then for jobs if the calls took all of it. */
const CALLS = 6_000
const JOBS = 1_000
/** Milliseconds after which the process ends in any case; its database then stops by itself. */
const END = 9_500

const print = (lines: readonly string[]) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.write(`\n${lines.join('\n')}\n\n`, (error) => (error ? reject(error) : resolve()))
  })

/** Shows the temporary password on a terminal only: other output is kept by log collectors. */
async function showFirstAdmin(env: Env, admin: FirstAdmin): Promise<void> {
  const lines = [`  First administrator: ${admin.id}`]
  if (admin.password === undefined) return print(lines)
  const shown = process.stdout.isTTY ? admin.password : `in ${await writeFirstPassword(env.dataDir, admin)}`
  return print([...lines, `  Temporary password, for 24 hours: ${shown}`])
}

function printAddress(env: Env, { firstAdmin, isEvaluation }: OpenServices, demo: readonly string[]): Promise<void> {
  const lines = [`  ACC is ready at ${env.publicUrl}${env.runtime.frontRoute}/`]
  if (firstAdmin !== undefined) {
    const isGiven = firstAdmin.password === undefined
    const password = isGiven
      ? 'the password that ACC_ADMIN_PASSWORD gave'
      : 'the temporary password and choose your own'
    lines.push('', `  Sign in as ${firstAdmin.id} with ${password}.`)
  }
  if (demo.length > 0) lines.push('', ...demo)
  if (isEvaluation) lines.push('', '  Running on the built-in evaluation license of 10 devices.')
  return print(lines)
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Error && 'code' in error && error.code === 'EACCES') return `no permission: ${message}`
  const isSentence = [BadSetting, StartError, SecretKeyError, FileStoreError].some((kind) => error instanceof kind)
  return isSentence ? message : `cannot start: ${message}`
}

/** Returns the setting that keeps the server from listening. */
function listenFailure(error: NodeJS.ErrnoException, { host, port }: Env): Error {
  if (error.code === 'EADDRINUSE') return new StartError(`ACC_PORT: port ${port} on ${host} is in use`)
  const isNoAddress = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(error.code ?? '')
  return isNoAddress ? new BadSetting(`ACC_HOST: ${host} is not an address of this machine`) : error
}

const isLoopback = (host: string) => ['localhost', '127.0.0.1', '::1', '[::1]'].includes(host)

/** Returns whether people on other machines call the server by plain http. */
function isInTheClear({ publicUrl }: Env): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'http:' && !isLoopback(hostname)
}

/** Refuses the sample organization where others could reach it: its people share one published password. */
function requireLoopback({ host, publicUrl }: Env): void {
  if (isLoopback(host) && isLoopback(new URL(publicUrl).hostname)) return
  throw new BadSetting(
    `${DEMO}: for this machine alone, since its passwords are known: leave ACC_HOST and ACC_PUBLIC_URL out`,
  )
}

type RunningServer = {
  /** Continues to serve for a while, so that load balancers learn that the server ends; not after `hurry`. */
  drain(hurry: AbortSignal): Promise<void>
  stop(): Promise<void>
}

async function start(env: Env, log: Logger): Promise<RunningServer> {
  const opened = await openServices(env, log, (admin) => showFirstAdmin(env, admin))
  try {
    const isDemo = process.argv.includes(DEMO)
    const http = await buildServer(opened.services)
    await http.listen({ host: env.host, port: env.port }).catch((error) => {
      throw listenFailure(error, env)
    })
    // Only with the port: a start that fails must leave the database empty for the next one.
    const demo = isDemo ? await (await import('../demo/demo.ts')).loadDemo(opened.services) : []
    await opened.startJobs()
    const { services } = opened
    const node = await startNodeReport(services, async () => {
      await opened.refreshKeys()
      await keepHead(services).catch((error: unknown) =>
        log.warn({ reason: reasonOf(error) }, 'the last seal of the history could not be kept'),
      )
    })
    const stopDemo = isDemo
      ? await (await import('../demo/bim.ts')).startBimServers(opened.services, env.port)
      : undefined
    http.phase.now = 'serving'
    await printAddress(env, opened, demo)
    if (process.getuid?.() === 0) log.warn('the server runs as root: give it an account of its own')
    if (isInTheClear(env)) log.warn('ACC_PUBLIC_URL is http: passwords and sessions cross the network unencrypted')
    const drain = async (hurry: AbortSignal) => {
      http.phase.now = 'draining'
      await wait(env.drainSeconds * 1000, undefined, { signal: hurry }).catch(() => undefined)
    }
    const stop = async () => {
      stopDemo?.()
      const begun = performance.now()
      await Promise.race([http.close(), wait(CALLS, undefined, { ref: false })])
      // Without a database the row stays, and the node counts as silent.
      await Promise.race([node.stop(), wait(JOBS, undefined, { ref: false })])
      await opened.services.jobs.stop(CALLS + JOBS - (performance.now() - begun))
      await opened.close()
    }
    return { drain, stop }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Ends the process once, in order and in time; the highest status that was asked for is its exit status. */
function endingWith(starting: Promise<RunningServer>): (status: 0 | 1, isUrgent: boolean) => void {
  const hurry = new AbortController()
  // An end during the start closes the parts that the start opens, and waits for them no longer than for calls.
  const late = () => wait(CALLS).then(() => Promise.reject(new Error('the start did not end')))
  const stop = async () => {
    const { drain, stop } = await Promise.race([starting, late()])
    await drain(hurry.signal)
    setTimeout(() => process.exit(1), END).unref()
    await stop()
  }
  let highest: number | undefined
  return (status, isUrgent) => {
    if (isUrgent) hurry.abort()
    const isEnding = highest !== undefined
    highest = Math.max(highest ?? 0, status)
    if (isEnding) return
    stop().then(
      () => process.exit(highest),
      (error: unknown) => {
        process.stderr.write(`acc: ${error instanceof Error ? error.message : String(error)}\n`)
        process.exit(1)
      },
    )
  }
}

/** Only a service manager's signal leaves time for load balancers: a person waits, and a fault may do harm. */
function endOnSignalsAndFaults(end: (status: 0 | 1, isUrgent: boolean) => void, log: Logger): void {
  process.on('SIGTERM', () => end(0, false))
  process.on('SIGINT', () => end(0, true))
  // Unhandled rejections arrive here as well. The error's other fields may hold values of a row.
  process.on('uncaughtException', (error: unknown) => {
    const { message, stack } = error instanceof Error ? error : new Error(String(error))
    log.fatal({ reason: message, stack }, 'a fault that nothing caught: the server ends')
    end(1, true)
  })
}

try {
  const given = readEnv(process.env)
  const isDemo = process.argv.includes(DEMO)
  if (isDemo) requireLoopback(given)
  const env = isDemo ? (await import('../demo/demo.ts')).demoEnv(given) : given
  const log = await openLog(env.logLevel)
  const starting = start(env, log)
  endOnSignalsAndFaults(endingWith(starting), log)
  await starting
} catch (error) {
  process.stderr.write(`acc: ${reasonOf(error)}\n`)
  process.exit(error instanceof BadSetting ? EX_CONFIG : 1)
}
