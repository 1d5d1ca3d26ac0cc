// Exceptions of a policy: networks, local networks and processes on loopback (spec S1 §3, §5, §9). Console and server
// validate by the same schemas; the messages of issues are the keys of the console's texts.

import { z } from 'zod'
import { flag, idx, line, nameText } from './core/fields.ts'
import { type IpRange, ipNumber, maskNumber, subnetRange } from './core/ip.ts'
import { MAX_PORT } from './core/limits.ts'
import { EndChange, StoredEnd } from './ends.ts'
import { ExceptionType } from './labels/policies.ts'

/** Maximum number of exceptions in one list. */
export const MAX_EXCEPTIONS = 500
/** All ports; shown as `*`. */
export const ANY_PORT = 0
export const ANY_PORT_TEXT = '*'
export const portText = (port: number): string => (port === ANY_PORT ? ANY_PORT_TEXT : String(port))

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
// A host of the intranet may consist of one label. `*.` in front means all hosts below a domain.
const DOMAIN = new RegExp(`^(?:\\*\\.)?${LABEL}(?:\\.${LABEL})*$`)

/** A new exception has a negative idx, which only distinguishes it from the others of its list. */
const exceptionIdx = z
  .int()
  .min(-MAX_EXCEPTIONS * 2)
  .refine((number) => number !== 0)

const description = line(30).min(1)

const NetworkExceptionFields = z.object({
  idx: exceptionIdx,
  description,
  type: z.literal(ExceptionType.values),
  /** A domain, the first address of a range, or an address of a subnet. */
  ip1: line(100).toLowerCase().min(1),
  /** The last address of a range, or a subnet mask; empty for a domain. */
  ip2: line(15),
  port: z.int().min(ANY_PORT).max(MAX_PORT),
  access: flag,
  ...EndChange.shape,
})
export type NetworkException = z.output<typeof NetworkExceptionFields>

type Target = Pick<NetworkException, 'type' | 'ip1' | 'ip2'>
type Fault = { path: 'ip1' | 'ip2'; message: 'domain' | 'ip' | 'mask' | 'range' }

/** Returns the fault of the domain or the addresses of an exception. */
export function* targetFaults({ type, ip1, ip2 }: Target): Generator<Fault> {
  if (type === ExceptionType.DOMAIN) {
    if (!DOMAIN.test(ip1) || ipNumber(ip1) !== undefined) yield { path: 'ip1', message: 'domain' }
    if (ip2 !== '') yield { path: 'ip2', message: 'domain' }
    return
  }
  const [first, second] = [ipNumber(ip1), ipNumber(ip2)]
  if (first === undefined) yield { path: 'ip1', message: 'ip' }
  if (second === undefined) yield { path: 'ip2', message: 'ip' }
  if (first === undefined || second === undefined) return
  if (type === ExceptionType.IP_RANGE && first > second) yield { path: 'ip2', message: 'range' }
  if (type === ExceptionType.SUBNET && maskNumber(ip2) === undefined) yield { path: 'ip2', message: 'mask' }
}

export const NetworkException = NetworkExceptionFields.superRefine((exception, context) => {
  for (const { path, message } of targetFaults(exception)) context.addIssue({ code: 'custom', path: [path], message })
})

/** Returns the domain or the addresses of an exception in one line. */
export function targetText({ type, ip1, ip2 }: Target): string {
  if (type === ExceptionType.SUBNET) return `${ip1} / ${ip2}`
  return ip2 === '' || ip1 === ip2 ? ip1 : `${ip1} – ${ip2}`
}

/** Returns the addresses that an exception covers; undefined for domains and wrong addresses. */
export function rangeOf({ type, ip1, ip2 }: Target): IpRange | undefined {
  const [first, second] = [ipNumber(ip1), ipNumber(ip2)]
  if (type === ExceptionType.DOMAIN || first === undefined || second === undefined) return undefined
  return type === ExceptionType.SUBNET ? subnetRange(first, second) : { first, last: second }
}

/** Names the addresses and the port of an exception. Exceptions of any types with the same target are duplicates. */
export function targetOf(exception: Pick<NetworkException, 'type' | 'ip1' | 'ip2' | 'port'>): string {
  const range = rangeOf(exception)
  const place = range === undefined ? `${exception.ip1} ${exception.ip2}` : `${range.first}-${range.last}`
  return `${place}:${exception.port}`
}

export const LoopbackException = z.object({ idx: exceptionIdx, description, processName: nameText(1, 30) })
export type LoopbackException = z.output<typeof LoopbackException>

/** Windows does not distinguish letter case in names of processes. */
export const processKey = ({ processName }: Pick<LoopbackException, 'processName'>): string => processName.toLowerCase()

/** A whole list: idxes and targets occur once. */
const listOf = <S extends z.ZodObject>(item: S, keyOf: (row: z.output<S>) => string) =>
  z
    .array(item)
    .max(MAX_EXCEPTIONS, { abort: true })
    .refine((rows) => new Set(rows.map(keyOf)).size === rows.length, 'duplicate')
    .refine((rows) => new Set(rows.map((row) => row.idx)).size === rows.length, 'idx')

/** The lists of a policy as an edit sends them: new rows have a negative idx, missing rows are deleted. */
export const ExceptionLists = z.object({
  policyNetworkExceptions: listOf(NetworkException, targetOf),
  policyLocalNetworkExceptions: listOf(NetworkException, targetOf),
  policyLoopbackExceptions: listOf(LoopbackException, processKey),
})
export type ExceptionLists = z.output<typeof ExceptionLists>
export type ExceptionList = keyof ExceptionLists
export const EXCEPTION_LISTS = Object.keys(ExceptionLists.shape) as ExceptionList[]
export const NO_EXCEPTIONS: Record<ExceptionList, never[]> = {
  policyNetworkExceptions: [],
  policyLocalNetworkExceptions: [],
  policyLoopbackExceptions: [],
}

/** A stored row, checked when it was saved: text is not normalized again in each answer. */
const StoredNetworkException = z.object({
  ...NetworkExceptionFields.shape,
  ...StoredEnd.shape,
  idx,
  description: z.string(),
  ip1: z.string(),
  ip2: z.string(),
})
const StoredLoopbackException = z.object({ idx, policyIdx: idx, description: z.string(), processName: z.string() })
const networkExceptions = z.array(StoredNetworkException)
/** The lists as the server returns them. */
export const StoredExceptions = z.object({
  policyNetworkExceptions: networkExceptions,
  policyLocalNetworkExceptions: networkExceptions,
  policyLoopbackExceptions: z.array(StoredLoopbackException),
})
export type StoredExceptions = z.output<typeof StoredExceptions>
