// ACC_SYSLOG_URL: where the history goes by syslog over TLS (docs/operations/history.md).
import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
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
const SYSLOG_FORM = 'an address as syslog+tls://HOST:PORT?ca=FILE&cert=FILE&key=FILE, with absolute paths'

const file = z.string().refine(isAbsolute).optional()
const Parameters = z.strictObject({ ca: file, cert: file, key: file })

/** Reads the address of a receiver. Returns undefined for other text. */
function read(text: string): SyslogReceiver | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'syslog+tls:' || url.hostname === '') return undefined
  if (url.username !== '' || url.password !== '' || url.hash !== '' || !['', '/'].includes(url.pathname))
    return undefined
  const { data } = Parameters.safeParse(Object.fromEntries(url.searchParams))
  if (data === undefined) return undefined
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    caFile: data.ca,
    certFile: data.cert,
    keyFile: data.key,
  }
}

/** Returns the reason why the files cannot be used. */
function faultOf({ caFile: ca, certFile: cert, keyFile: key }: SyslogReceiver): string | undefined {
  const parts: Record<string, Buffer> = {}
  for (const [name, path] of Object.entries({ ca, cert, key })) {
    if (path === undefined) continue
    try {
      parts[name] = readFileSync(path)
    } catch {
      return `${path} cannot be read`
    }
  }
  if ((cert === undefined) !== (key === undefined)) return 'cert and key: one needs the other'
  try {
    createSecureContext(parts)
    return undefined
  } catch {
    return 'ca, cert, key: not certificates in PEM, or a key that does not fit its certificate'
  }
}

export const syslogReceiver = z.string().transform((text, ctx): SyslogReceiver => {
  const receiver = read(text)
  const fault = receiver === undefined ? SYSLOG_FORM : faultOf(receiver)
  if (receiver !== undefined && fault === undefined) return receiver
  ctx.addIssue(fault ?? SYSLOG_FORM)
  return z.NEVER
})
