// The operator's settings of the history's outlets: syslog over TLS and files (docs/operations/history.md).
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { z } from 'zod'

/** Where messages go by syslog (RFC 5425). */
export type SyslogReceiver = {
  host: string
  port: number
  /** Files in PEM, read anew for each connection, so that renewed certificates need no restart. */
  caFile: string | undefined
  certFile: string | undefined
  keyFile: string | undefined
}

const DEFAULT_PORT = 6514

/** Reads `syslog+tls://HOST:PORT`; undefined if it is not one. */
function read(text: string): Pick<SyslogReceiver, 'host' | 'port'> | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'syslog+tls:' || url.hostname === '') return undefined
  if (![url.username, url.password, url.search, url.hash].every((part) => part === '')) return undefined
  if (!['', '/'].includes(url.pathname)) return undefined
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: url.port === '' ? DEFAULT_PORT : Number(url.port) }
}

export const HISTORY_VARIABLES = {
  ACC_SYSLOG_URL: z
    .string()
    .refine((text) => read(text) !== undefined)
    .optional(),
  ACC_SYSLOG_CA: z.string().min(1).optional(),
  ACC_SYSLOG_CERT: z.string().min(1).optional(),
  ACC_SYSLOG_KEY: z.string().min(1).optional(),
  ACC_HISTORY_DIR: z.string().min(1).optional(),
}

export const HISTORY_EXPECTED = {
  ACC_SYSLOG_URL: `an address as syslog+tls://HOST:PORT (port ${DEFAULT_PORT} where it is left out)`,
}

type Variables = z.output<z.ZodObject<typeof HISTORY_VARIABLES>>

const FILES = [
  ['ACC_SYSLOG_CA', 'ca'],
  ['ACC_SYSLOG_CERT', 'cert'],
  ['ACC_SYSLOG_KEY', 'key'],
] as const

/** Returns the reason why key or certificates cannot be used. */
function faultOf(v: Variables): string | undefined {
  const parts: Partial<Record<'ca' | 'cert' | 'key', Buffer>> = {}
  for (const [name, part] of FILES) {
    const file = v[name]
    if (file === undefined) continue
    if (v.ACC_SYSLOG_URL === undefined) return `${name}: needs ACC_SYSLOG_URL`
    try {
      parts[part] = readFileSync(file)
    } catch {
      return `${name}: ${file} cannot be read`
    }
  }
  if ((parts.cert === undefined) !== (parts.key === undefined))
    return 'ACC_SYSLOG_CERT and ACC_SYSLOG_KEY: one needs the other'
  try {
    createSecureContext(parts)
    return undefined
  } catch {
    return `${FILES.map(([name]) => name).join(', ')}: not certificates in PEM, or a key that does not fit its certificate`
  }
}

/** Returns the receiver of syslog, undefined without one, or a text about a setting that cannot be used. */
export function syslogOf(v: Variables): SyslogReceiver | string | undefined {
  const fault = faultOf(v)
  if (fault !== undefined) return fault
  const address = v.ACC_SYSLOG_URL === undefined ? undefined : read(v.ACC_SYSLOG_URL)
  if (address === undefined) return undefined
  return { ...address, caFile: v.ACC_SYSLOG_CA, certFile: v.ACC_SYSLOG_CERT, keyFile: v.ACC_SYSLOG_KEY }
}
