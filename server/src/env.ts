// The operator's settings: environment variables, judged once at start (design, section 10). A bad one is one clear
// line and exit status 78 (EX_CONFIG). No other place configures the server.
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { RuntimeConfig } from '@acc/contract/configs'
import { email, loginId } from '@acc/contract/fields'
import { z } from 'zod'

/** A setting that cannot be used; the message is the whole line for the operator. */
export class BadSetting extends Error {
  override readonly name = 'BadSetting'
}

const whole = (min: number, max: number) =>
  z
    .string()
    .transform(Number)
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, `a whole number from ${min} to ${max}`)
const loopback = '127.0.0.1'

const Variables = z.object({
  ACC_HOST: z.string().min(1).default(loopback),
  ACC_PORT: whole(0, 65535).default(8080),
  ACC_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  ACC_TRUST_PROXY: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (all) => all.every((one) => isIP(one.split('/')[0] ?? '') !== 0),
      'addresses or networks, separated by commas',
    )
    .optional(),
  ACC_DATA_DIR: z.string().min(1).default('./data'),
  ACC_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  ACC_FILES_URL: z.string().min(1).optional(),
  ACC_SECRET_KEY: z
    .string()
    .refine((text) => Buffer.from(text, 'base64').length === 32, '32 bytes as base64')
    .optional(),
  ACC_ADMIN_ID: loginId.default('admin'),
  ACC_ADMIN_PASSWORD: z.string().min(8).max(64).optional(),
  ACC_ADMIN_EMAIL: email.default('admin@localhost'),
  ACC_CONSOLE_CONFIG: z.string().min(1).optional(),
  ACC_SESSION_MINUTES: whole(1, 1440).default(30),
  ACC_MAX_LOGIN_FAILS: whole(1, 100).default(5),
  ACC_MAX_OTP_FAILS: whole(1, 100).default(5),
  // Judged from the first version on, so that it cannot lie about until one-time passwords come.
  ACC_OTP_METHOD: z.enum(['totp', 'email']).default('totp'),
  ACC_PW_CHANGE_DAYS: whole(1, 3650).default(90),
  ACC_LOG_RETENTION_DAYS: whole(1, 36_500).default(1095),
  ACC_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  ACC_METRICS_TOKEN: z.string().min(16).optional(),
})

export type Env = {
  host: string
  port: number
  publicUrl: string
  trustProxy: string[]
  dataDir: string
  databaseUrl: string | undefined
  filesDir: string
  secretKey: string | undefined
  admin: { id: string; password: string | undefined; email: string }
  runtime: RuntimeConfig
  sessionMinutes: number
  maxLoginFails: number
  maxOtpFails: number
  pwChangeDays: number
  logRetentionDays: number
  logLevel: string
  metricsToken: string | undefined
}

/** Reads the variables. Empty ones count as not set. Throws BadSetting. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(
    Object.entries(source).filter(([name, value]) => name.startsWith('ACC_') && value !== ''),
  )
  const early = Object.keys(given).find((name) => name.startsWith('ACC_OIDC_'))
  if (early !== undefined) throw new BadSetting(`${early}: this version has no single sign-on yet`)
  const parsed = Variables.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new BadSetting(`${String(issue?.path[0])}: ${issue?.message ?? 'not usable'}`)
  }
  const v = parsed.data
  const dataDir = resolve(v.ACC_DATA_DIR)
  const address = v.ACC_HOST.includes(':') ? `[${v.ACC_HOST}]` : v.ACC_HOST
  return {
    host: v.ACC_HOST,
    port: v.ACC_PORT,
    publicUrl: (v.ACC_PUBLIC_URL ?? `http://${address}:${v.ACC_PORT}`).replace(/\/+$/, ''),
    trustProxy: v.ACC_TRUST_PROXY ?? [],
    dataDir,
    databaseUrl: v.ACC_DATABASE_URL,
    filesDir: filesFolder(v.ACC_FILES_URL, dataDir),
    secretKey: v.ACC_SECRET_KEY,
    admin: { id: v.ACC_ADMIN_ID, password: v.ACC_ADMIN_PASSWORD, email: v.ACC_ADMIN_EMAIL },
    runtime: readRuntimeConfig(v.ACC_CONSOLE_CONFIG),
    sessionMinutes: v.ACC_SESSION_MINUTES,
    maxLoginFails: v.ACC_MAX_LOGIN_FAILS,
    maxOtpFails: v.ACC_MAX_OTP_FAILS,
    pwChangeDays: v.ACC_PW_CHANGE_DAYS,
    logRetentionDays: v.ACC_LOG_RETENTION_DAYS,
    logLevel: v.ACC_LOG_LEVEL,
    metricsToken: v.ACC_METRICS_TOKEN,
  }
}

function filesFolder(url: string | undefined, dataDir: string): string {
  if (url === undefined) return join(dataDir, 'files')
  if (/^[a-z0-9+.-]+:\/\//i.test(url))
    throw new BadSetting(`ACC_FILES_URL: this version keeps files in a folder, not at ${url.split(':')[0]}:`)
  return resolve(url)
}

function readRuntimeConfig(file: string | undefined): RuntimeConfig {
  if (file === undefined) return RuntimeConfig.parse({})
  if (!existsSync(file)) throw new BadSetting(`ACC_CONSOLE_CONFIG: there is no file ${file}`)
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new BadSetting(`ACC_CONSOLE_CONFIG: ${file} is not JSON`)
  }
  const parsed = RuntimeConfig.safeParse(json)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new BadSetting(`ACC_CONSOLE_CONFIG: ${file}: ${issue?.path.join('.')}: ${issue?.message}`)
}
