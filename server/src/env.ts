// The operator's settings: environment variables, validated once at start. A bad one is one clear
// line and exit status 78 (EX_CONFIG). No other place configures the server.
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { RuntimeConfig } from '@acc/contract/configs'
import leven, { closestMatch } from 'leven'
import { z } from 'zod'
import { isKeyText, KEY_FORM, type KeySource } from './crypto/secretKey.ts'
import { isPublicKeyText, PUBLIC_KEY_FORM } from './crypto/signingKey.ts'
import { DATABASE_VARIABLES } from './env.database.ts'
import { type FilesPlace, filesPlace } from './env.files.ts'
import { type SyslogReceiver, syslogReceiver } from './env.history.ts'
import { type MailService, mailService } from './env.mail.ts'
import { OIDC_VARIABLES, type Oidc, oidcOf } from './env.oidc.ts'
import { type Backups, backupsOf } from './env.walArchive.ts'

/** A setting that cannot be used; the message is the whole line for the operator. */
export class BadSetting extends Error {
  override readonly name = 'BadSetting'
}

const whole = (min: number, max: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `a whole number from ${min} to ${max}`,
    )
    .transform(Number)

const isHost = (text: string) => isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)

/** An address, or a network as address/bits. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const widest = { 4: 32, 6: 128 }[isIP(address)]
  if (widest === undefined || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest)
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password, pathname, search, hash } = new URL(text)
  return [username, password, search, hash].every((part) => part === '') && /^\/+$/.test(pathname)
}

/** `10.0.0.53`, `10.0.0.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`. */
function isDnsServer(text: string): boolean {
  const [, inBrackets, plain, port = '53'] = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  return isIP(text) === 6 || (isIP(inBrackets ?? plain ?? '') !== 0 && Number(port) > 0 && Number(port) <= 65_535)
}

const PUBLIC_URL_FORM = 'an http or https address without a path (that is frontRoute in ACC_CONSOLE_CONFIG)'

const PASSWORD_FORM = '8 to 64 characters'

const parts = (text: string) => text.split(',').map((part) => part.trim())

/** Checks license files until the operator names the vendor's key. Its private half was not kept: no file passes it. */
const EVALUATION_LICENSE_KEY = 'ngHnWlgKwVpIyqAEtJ2sUhIpvjEE70YMMMSvB4illbA='

const Variables = z.object({
  ACC_HOST: z.string().refine(isHost, 'an address or the name of one').default('127.0.0.1'),
  ACC_PORT: whole(0, 65535).default(8080),
  ACC_PUBLIC_URL: z
    .url({ protocol: /^https?$/, abort: true, error: PUBLIC_URL_FORM })
    .refine(isOrigin, PUBLIC_URL_FORM)
    .optional(),
  ACC_TRUST_PROXY: z
    .string()
    .transform(parts)
    .refine((all) => all.every(isNetwork), 'addresses or networks, separated by commas')
    .optional(),
  ACC_CONSOLE_ORIGINS: z
    .string()
    .transform(parts)
    .refine(
      (all) => all.every((origin) => origin.startsWith('https://') && isOrigin(origin)),
      'https origins, separated by commas',
    )
    .transform((all) => all.map((origin) => new URL(origin).origin))
    .optional(),
  ACC_DATA_DIR: z.string().min(1).default('./data'),
  ...DATABASE_VARIABLES,
  ACC_FILES_URL: filesPlace.optional(),
  ACC_SECRET_KEY: z.string().refine(isKeyText, KEY_FORM).optional(),
  ACC_SECRET_KEY_NEXT: z.string().refine(isKeyText, KEY_FORM).optional(),
  ACC_ADMIN_PASSWORD: z.string().min(8, PASSWORD_FORM).max(64, PASSWORD_FORM).optional(),
  ACC_CONSOLE_CONFIG: z.string().min(1).optional(),
  ACC_SESSION_MINUTES: whole(1, 1440).default(30),
  ACC_MAX_LOGIN_FAILS: whole(1, 100).default(5),
  ACC_MAIL_URL: mailService.optional(),
  ACC_OTP_METHOD: z.enum(['totp', 'email'], 'totp or email').default('totp'),
  ACC_PW_CHANGE_DAYS: whole(1, 3650).default(90),
  ACC_LOG_RETENTION_DAYS: whole(1, 36_500).default(1095),
  ACC_LICENSE_PUBLIC_KEY: z.string().trim().refine(isPublicKeyText, PUBLIC_KEY_FORM).default(EVALUATION_LICENSE_KEY),
  ACC_CALLS_PER_SECOND: whole(1, 1_000_000).default(200),
  ACC_DRAIN_SECONDS: whole(0, 300).default(0),
  ACC_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'], 'trace, debug, info, warn, error or fatal')
    .default('info'),
  ACC_METRICS_TOKEN: z.string().min(16, '16 characters or more').optional(),
  ...OIDC_VARIABLES,
  ACC_SYSLOG_URL: syslogReceiver.optional(),
  ACC_HISTORY_DIR: z.string().min(1).optional(),
  ACC_BACKUP_DIR: z.string().min(1).optional(),
  ACC_WAL_ARCHIVE_DIR: z.string().min(1).optional(),
  ACC_WAL_ARCHIVE_KEY: z.string().min(1).optional(),
  ACC_WAL_ARCHIVE_KEEP: whole(1, 400).default(7),
  ACC_PEOPLE_DIR: z.string().min(1).optional(),
  ACC_DNS_SERVERS: z
    .string()
    .transform(parts)
    .refine((all) => all.every(isDnsServer), 'IP addresses, each with an optional port, separated by commas')
    .optional(),
})

export type Env = Backups & {
  host: string
  port: number
  publicUrl: string
  trustProxy: string[]
  /** Origins of other servers whose pages may call this one. */
  consoleOrigins: string[]
  dataDir: string
  databaseUrl: string | undefined
  /** The same database as the role that owns the schema: for migrations, in place of the server's role. */
  databaseOwnerUrl: string | undefined
  /** A standby of the database, for histories and CSV files. */
  replicaUrl: string | undefined
  /** Where the files of requests and the client versions are kept. */
  files: FilesPlace
  secretKey: string | undefined
  /** The key that replaces the current one when keys are rotated. */
  nextSecretKey: string | undefined
  /** The mail service in use in place of the mail server of the settings. */
  mailService: MailService | undefined
  /** The password of the first administrator; undefined for a temporary one. */
  adminPassword: string | undefined
  runtime: RuntimeConfig
  sessionMinutes: number
  /** Wrong passwords, or wrong one-time passwords, that lock an account. */
  maxLoginFails: number
  /** How users without an authenticator get one-time passwords: by registering one, or by email. */
  otpMethod: 'totp' | 'email'
  pwChangeDays: number
  logRetentionDays: number
  /** Checks license files. */
  licensePublicKey: string
  callsPerSecond: number
  /** How long the server serves after it reports that it is not ready any more. */
  drainSeconds: number
  logLevel: string
  metricsToken: string | undefined
  /** Undefined without single sign-on. */
  oidc: Oidc | undefined
  /** The receiver of the history by syslog; undefined without it. */
  syslog: SyslogReceiver | undefined
  /** The folder for files of the history; undefined without them. */
  historyDir: string | undefined
  /** The folder with CSV files of people; undefined without it. */
  peopleDir: string | undefined
  /** DNS servers for lookups; empty: those of the system. */
  dnsServers: string[]
}

/** Reads the variables. Empty ones count as not set. Throws BadSetting. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(
    Object.entries(source).filter(([name, value]) => name.startsWith('ACC_') && value !== ''),
  )
  for (const name of Object.keys(given)) requireKnown(name)
  const parsed = Variables.safeParse(given)
  if (!parsed.success) throw new BadSetting(reasonOf(parsed.error))
  const v = parsed.data
  const dataDir = resolve(v.ACC_DATA_DIR)
  const publicUrl = new URL(v.ACC_PUBLIC_URL ?? `http://${nameOf(v.ACC_HOST)}:${v.ACC_PORT}`).origin
  const consoleOrigins = v.ACC_CONSOLE_ORIGINS ?? []
  if (consoleOrigins.length > 0 && !publicUrl.startsWith('https:'))
    throw new BadSetting(
      'ACC_CONSOLE_ORIGINS: needs an https address in ACC_PUBLIC_URL, since the cookie must be Secure',
    )
  if (v.ACC_DATABASE_REPLICA_URL !== undefined && v.ACC_DATABASE_URL === undefined)
    throw new BadSetting('ACC_DATABASE_REPLICA_URL: needs the database that it copies, in ACC_DATABASE_URL')
  if (v.ACC_DATABASE_OWNER_URL !== undefined && v.ACC_DATABASE_URL === undefined)
    throw new BadSetting(
      'ACC_DATABASE_OWNER_URL: needs the same database as the server reaches it, in ACC_DATABASE_URL',
    )
  const runtime = readRuntimeConfig(v.ACC_CONSOLE_CONFIG)
  return {
    host: v.ACC_HOST,
    port: v.ACC_PORT,
    publicUrl,
    trustProxy: v.ACC_TRUST_PROXY ?? [],
    consoleOrigins,
    dataDir,
    databaseUrl: v.ACC_DATABASE_URL,
    databaseOwnerUrl: v.ACC_DATABASE_OWNER_URL,
    replicaUrl: v.ACC_DATABASE_REPLICA_URL,
    files: v.ACC_FILES_URL ?? { folder: join(dataDir, 'files') },
    secretKey: v.ACC_SECRET_KEY,
    nextSecretKey: v.ACC_SECRET_KEY_NEXT,
    mailService: v.ACC_MAIL_URL,
    adminPassword: v.ACC_ADMIN_PASSWORD,
    runtime: { ...runtime, serverAddress: serverAddressOf(runtime, publicUrl, consoleOrigins) },
    sessionMinutes: v.ACC_SESSION_MINUTES,
    maxLoginFails: v.ACC_MAX_LOGIN_FAILS,
    otpMethod: v.ACC_OTP_METHOD,
    pwChangeDays: v.ACC_PW_CHANGE_DAYS,
    logRetentionDays: v.ACC_LOG_RETENTION_DAYS,
    licensePublicKey: v.ACC_LICENSE_PUBLIC_KEY,
    callsPerSecond: v.ACC_CALLS_PER_SECOND,
    drainSeconds: v.ACC_DRAIN_SECONDS,
    logLevel: v.ACC_LOG_LEVEL,
    metricsToken: v.ACC_METRICS_TOKEN,
    oidc: orBadSetting(oidcOf(v)),
    syslog: v.ACC_SYSLOG_URL,
    historyDir: v.ACC_HISTORY_DIR && resolve(v.ACC_HISTORY_DIR),
    peopleDir: v.ACC_PEOPLE_DIR && resolve(v.ACC_PEOPLE_DIR),
    ...orBadSetting(backupsOf(v, dataDir)),
    dnsServers: v.ACC_DNS_SERVERS ?? [],
  }
}

/** Returns settings that belong together. Throws BadSetting for a text, which names their fault. */
function orBadSetting<T extends object | undefined>(settings: T | string): T {
  if (typeof settings === 'string') throw new BadSetting(settings)
  return settings
}

/** The host of the default address: an address for all interfaces is not one that browsers can open. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Returns the server that the console's pages call: empty for their own, else an origin that allows them. */
function serverAddressOf({ serverAddress }: RuntimeConfig, publicUrl: string, consoleOrigins: string[]): string {
  if (serverAddress === '' || serverAddress.replace(/\/+$/, '') === publicUrl) return ''
  const setting = 'ACC_CONSOLE_CONFIG: serverAddress'
  if (!isOrigin(serverAddress)) throw new BadSetting(`${setting}: an address without a path`)
  if (!consoleOrigins.includes(publicUrl))
    throw new BadSetting(`${setting}: another server needs ${publicUrl} in ACC_CONSOLE_ORIGINS, here and there`)
  return new URL(serverAddress).origin
}

/** Returns the first fault, behind the name of its field if it has one. */
function reasonOf({ issues: [first] }: z.ZodError): string {
  if (first?.code === 'unrecognized_keys') return `${[...first.path, first.keys[0]].join('.')}: there is no such field`
  const field = first?.path.join('.') ?? ''
  const message = first?.message ?? 'not usable'
  return field === '' ? message : `${field}: ${message}`
}

function requireKnown(name: string): void {
  const names = Object.keys(Variables.shape)
  // The reference client's own may be in the same environment.
  if (names.includes(name) || name === 'ACC_SERVER') return
  const near = closestMatch(name, names)
  const isNear = near !== undefined && leven(near, name) <= Math.max(2, near.length / 5)
  throw new BadSetting(`${name}: there is no such setting${isNear ? `, but there is ${near}` : ''}`)
}

function readRuntimeConfig(file: string | undefined): RuntimeConfig {
  if (file === undefined) return RuntimeConfig.parse({})
  if (!existsSync(file)) throw new BadSetting(`ACC_CONSOLE_CONFIG: there is no file ${file}`)
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const isRead = error instanceof SyntaxError
    throw new BadSetting(`ACC_CONSOLE_CONFIG: ${file} ${isRead ? 'is not JSON' : 'cannot be read'}`)
  }
  const parsed = RuntimeConfig.safeParse(json)
  if (parsed.success) return parsed.data
  throw new BadSetting(`ACC_CONSOLE_CONFIG: ${file}: ${reasonOf(parsed.error)}`)
}

/** Where the server's secret key and the next one are: in the environment, or in their files. */
export const secretKeySource = (env: Pick<Env, 'secretKey' | 'nextSecretKey' | 'dataDir'>): KeySource => ({
  value: env.secretKey,
  nextValue: env.nextSecretKey,
  file: join(env.dataDir, 'secret.key'),
})
