// Rows of the history as syslog: messages by RFC 5424, sent over TLS with octet counting (RFC 5425).
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { minutes } from '../../clock.ts'
import type { SyslogReceiver } from '../../env.history.ts'
import type { Outgoing } from './history.outgoing.ts'

/** Octets of a message: what receivers should take at least (RFC 5425, section 4.3.1). */
const LONGEST = 8_192
/** Facility "log audit" (13), with severity "warning" (4) or "informational" (6). */
const PRIORITY = { warning: 13 * 8 + 4, informational: 13 * 8 + 6 }
/** 32473 is the number for examples (RFC 5612): the product has no registered one. */
const STRUCTURE = 'acc@32473'
/** What a row names in its structured data, as far as it has it. */
const PARAMETERS = ['id', 'event', 'actorId', 'actorName', 'subject', 'userId', 'userName', 'ip', 'hash'] as const

/** Milliseconds in which a connection has to take everything. */
const DEADLINE = minutes(0.5)
/** Milliseconds, at least, in which a receiver that does not take the messages is expected to say so. */
const QUIET = 200

/** The first characters of a text; a character of several code units is never cut apart. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const end = length - Number(/[\ud800-\udbff]/.test(text.charAt(length - 1)))
  return `${text.slice(0, end)}...`
}

/** A value of structured data (RFC 5424, section 6.3.3), without control characters and line separators. */
const parameterValue = (value: unknown): string =>
  cut(String(value), 80)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]/gu, '\ufffd')
    .replace(/["\\\]]/g, '\\$&')

/**
 * JSON in ASCII: no receiver can take its encoding for another one, and it has neither line ends nor control
 * characters. Undefined if it is longer than `room`.
 */
function asciiJson(value: object, room: number): string | undefined {
  const text = JSON.stringify(value)
  if (text.length > room) return undefined
  const ascii = text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return ascii.length > room ? undefined : ascii
}

/** A value with shortened texts, and with the lengths of its lists in place of these. */
function shorten(value: unknown, length: number): unknown {
  if (typeof value === 'string') return cut(value, length)
  if (Array.isArray(value)) return { count: value.length }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shorten(one, length)]))
}

/** The row as far as there is room: all of it, else shortened, else without its detail. */
function textOf({ detail, ...columns }: Outgoing['document'], room: number): string {
  const shortened = (row: object, length: number) => Object({ ...Object(shorten(row, length)), isShortened: true })
  const text =
    asciiJson({ ...columns, detail }, room) ??
    asciiJson(shortened({ ...columns, detail }, 200), room) ??
    asciiJson(shortened(columns, 40), room)
  if (text === undefined) throw new Error('a row does not fit into a message of syslog')
  return text
}

/** One message about a row, in at most 8,192 octets of UTF-8 without line ends. */
export function syslogMessage({ at, isWarning, document }: Outgoing, hostname: string): string {
  const priority = isWarning ? PRIORITY.warning : PRIORITY.informational
  const parameters = PARAMETERS.flatMap((name) => {
    const value = document[name]
    return value === undefined || value === null || value === '' ? [] : [` ${name}="${parameterValue(value)}"`]
  })
  const head = `<${priority}>1 ${at.toISOString()} ${hostname} acc - ${document.kind} [${STRUCTURE}${parameters.join('')}] `
  return head + textOf(document, LONGEST - Buffer.byteLength(head))
}

async function open({ host, port, caFile, certFile, keyFile }: SyslogReceiver): Promise<TLSSocket> {
  const read = (file: string | undefined) => (file === undefined ? undefined : readFile(file))
  const [ca, cert, key] = await Promise.all([read(caFile), read(certFile), read(keyFile)])
  const files = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
  return connect({ host, port, minVersion: 'TLSv1.2', ...files })
}

/** Writes the messages, and rejects when the receiver closes or fails until `quiet` milliseconds later. */
async function write(socket: TLSSocket, messages: readonly string[], begun: number): Promise<void> {
  await once(socket, 'secureConnect')
  const quiet = Math.max(QUIET, 2 * (performance.now() - begun))
  // What a receiver says has no meaning; its end is seen only once the rest was read.
  socket.resume()
  const frames = messages.map((message) => `${Buffer.byteLength(message)} ${message}`)
  await new Promise<void>((resolve) => socket.write(frames.join(''), () => resolve()))
  await wait(quiet)
  if (socket.readableEnded || socket.destroyed) throw new Error('the receiver closed the connection before the end')
}

/**
 * Sends messages over their own connection. Syslog has no acknowledgment. The closest to one: the receiver stays
 * connected for a while after everything was sent, and closes without an error after our end (RFC 5425, section 4.4).
 * Anything else throws.
 */
export async function sendSyslog(
  receiver: SyslogReceiver,
  messages: readonly string[],
  deadline = DEADLINE,
): Promise<void> {
  const begun = performance.now()
  const socket = await open(receiver)
  const failed = new Promise<never>((_, reject) => socket.on('error', reject))
  const late = setTimeout(() => socket.destroy(new Error('the receiver took too long')), deadline)
  try {
    await Promise.race([failed, write(socket, messages, begun)])
    const closed = once(socket, 'close')
    socket.end()
    await Promise.race([failed, closed])
  } finally {
    clearTimeout(late)
    socket.destroy()
  }
}
