// The real server on a data directory of its own, and typed calls to arrange data and to check the results.
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, api } from '@acc/contract'
import { type Client, createClient } from '@acc/contract/core/client'
import type { LicenseTerms } from '@acc/contract/licenses'
import { publicKeyText } from '../server/src/crypto/signingKey.ts'
import { writeLicense } from '../server/src/domains/licenses/licenseFile.ts'
import { startServer } from '../server/test/process.ts'
import { fillDataDir } from './dataDirs.ts'

/** Issues the license files of the tests. */
const vendor = generateKeyPairSync('ed25519')

/** A license file, for upload by a browser. */
export const licenseFile = (terms: Partial<LicenseTerms>) => ({
  name: 'license.json',
  mimeType: 'application/json',
  buffer: Buffer.from(
    writeLicense(
      { licensee: '한빛전자', countType: 0, maxCount: 250, issued: new Date().toISOString(), ...terms },
      vendor.privateKey,
    ),
  ),
})

export const ADMIN = { id: 'admin', password: 'Adm1n!strator' }

export type Calls = Client<Api>
export type AccServer = {
  baseUrl: string
  dataDir: string
  /** The administrator's typed calls. */
  admin: Calls
  /** Typed calls without a session. */
  anonymous: Calls
  /** The log of the server, with refused requests at any log level. */
  output(): string
  /** Stops the server for as long as `during` takes, then starts it at the same address. */
  restart(during: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** Fetches like a browser: cookies of a response are sent with later calls. */
function fetchWithCookie(): typeof fetch {
  let cookie = ''
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    if (cookie !== '') headers.set('cookie', cookie)
    const response = await fetch(input, { ...init, headers })
    const [set] = response.headers.getSetCookie()
    if (set !== undefined) cookie = set.split(';')[0] ?? ''
    return response
  }
}

/** Signs a person in and returns their typed calls. */
export async function signInByCall(baseUrl: string, { id, password }: typeof ADMIN): Promise<Calls> {
  const calls = createClient(api, { baseUrl, fetch: fetchWithCookie() })
  await calls.session.login({ id, pw: password })
  return calls
}

/**
 * What the server starts with: nothing but the administrator; the evaluation license; the register step done with it
 * and the outbox; or the sample organization.
 */
export type InitialState = 'bare' | 'licensed' | 'evaluation' | 'demo'

/** What the operator has set: environment variables, and the file that ACC_CONSOLE_CONFIG names. */
export type Operator = { env?: Record<string, string>; consoleConfig?: object }

/**
 * The time zone is that of the browser (playwright.config.ts), whose days the last days of accounts are. A nightly
 * backup would change the system status during a test.
 */
const START = { ACC_ADMIN_PASSWORD: ADMIN.password, ACC_BACKUP_DIR: 'none', TZ: 'Asia/Seoul' }

/** A server that is stopped during its start may leave its database running. */
function requireReady({ output }: Pick<AccServer, 'output'>): void {
  if (!output().includes('ACC is ready')) throw new Error(`the server did not start:\n${output()}`)
}

export async function startAcc(beginning: InitialState, operator: Operator = {}): Promise<AccServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'acc-e2e-'))
  const env: Record<string, string> = {
    ...START,
    ACC_DATA_DIR: dataDir,
    ACC_LICENSE_PUBLIC_KEY: publicKeyText(vendor.publicKey),
    ...operator.env,
  }
  if (operator.consoleConfig !== undefined) {
    env.ACC_CONSOLE_CONFIG = join(dataDir, 'console.json')
    await writeFile(env.ACC_CONSOLE_CONFIG, JSON.stringify(operator.consoleConfig))
  }
  const options = beginning === 'demo' ? ['--demo'] : []
  await fillDataDir(options.join() || 'empty', dataDir, async (firstDir) => {
    const first = await startServer({ ...START, ACC_DATA_DIR: firstDir }, undefined, options)
    requireReady(first)
    first.child.kill('SIGTERM')
    await first.ended
  })
  let server = await startServer(env, undefined, options)
  const { baseUrl } = server
  const end = async () => {
    server.child.kill('SIGTERM')
    await server.ended
  }
  const restart = async (during: () => Promise<void>) => {
    await end()
    try {
      await during()
    } finally {
      server = await startServer({ ...env, ACC_PORT: new URL(baseUrl).port })
    }
  }
  const stop = async () => {
    await end()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    requireReady(server)
    const admin = await signInByCall(server.baseUrl, ADMIN)
    if (beginning === 'licensed' || beginning === 'evaluation') await admin.licenses.chooseEvaluation({})
    if (beginning === 'evaluation') await admin.mails.chooseOutbox({})
    const output = () => server.output()
    return { baseUrl, dataDir, admin, anonymous: createClient(api, { baseUrl }), output, restart, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
