// Exceptions as they are shown and typed: addresses in words, the port `*`, and the faults of a row (spec S1 §5).

import { MAX_PORT } from '@acc/contract/core/limits'
import { ExceptionType } from '@acc/contract/labels/policies'
import {
  ANY_PORT,
  ANY_PORT_TEXT,
  LoopbackException,
  MAX_EXCEPTIONS,
  NetworkException,
  portText,
  processKey,
  targetFaults,
  targetOf,
} from '@acc/contract/policyExceptions'
import type { z } from 'zod'

const { DOMAIN, IP_RANGE, SUBNET } = ExceptionType

/** The texts of the dialog's fields. Domain, addresses and mask are separate, so that changing the type loses none. */
export type NetworkValues = {
  description: string
  type: ExceptionType
  domain: string
  ip: string
  lastIp: string
  mask: string
  port: string
  access: 0 | 1
}
export type LoopbackValues = { description: string; processName: string }

/** What is wrong with a field: a key of the texts. */
export type Fault =
  | 'required'
  | 'tooLong'
  | 'characters'
  | 'domain'
  | 'ip'
  | 'range'
  | 'mask'
  | 'port'
  | 'process'
  | 'duplicate'
export type Faults<V> = Partial<Record<keyof V & string, Fault>>

/** Returns a typed port, NaN if it is not a port. */
const portOf = (text: string): number =>
  text === ANY_PORT_TEXT ? ANY_PORT : /^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT ? Number(text) : Number.NaN

/** A new exception: one address (from it to itself), every port, allowed. */
export const NEW_NETWORK: NetworkValues = {
  description: '',
  type: IP_RANGE,
  domain: '',
  ip: '',
  lastIp: '',
  mask: '255.255.255.0',
  port: ANY_PORT_TEXT,
  access: 1,
}
export const NEW_LOOPBACK: LoopbackValues = { description: '', processName: '' }

export const valuesOfNetwork = ({ description, type, ip1, ip2, port, access }: NetworkException): NetworkValues => ({
  ...NEW_NETWORK,
  description,
  type,
  port: portText(port),
  access,
  ...(type === DOMAIN ? { domain: ip1 } : { ip: ip1 }),
  ...(type === IP_RANGE && { lastIp: ip2 }),
  ...(type === SUBNET && { mask: ip2 }),
})

/** The fields of the dialog that hold the two addresses of a type. */
const ADDRESS_FIELDS = {
  [DOMAIN]: ['domain', 'domain'],
  [IP_RANGE]: ['ip', 'lastIp'],
  [SUBNET]: ['ip', 'mask'],
} as const

export function networkOf(idx: number, values: NetworkValues): NetworkException {
  const { description, type, port, access } = values
  const [first, second] = ADDRESS_FIELDS[type]
  const ip2 = type === DOMAIN ? '' : values[second].trim()
  return {
    idx,
    description: description.trim(),
    type,
    ip1: values[first].trim().toLowerCase(),
    ip2,
    port: portOf(port.trim()),
    access,
  }
}

const CODES: Record<string, Fault> = { domain: 'domain', ip: 'ip', range: 'range', mask: 'mask' }

function faultOf(issue: z.core.$ZodIssue, text: unknown, other: Fault): Fault {
  if (text === '') return 'required'
  if (issue.code === 'too_big' && issue.origin === 'string') return 'tooLong'
  return CODES[issue.message] ?? other
}

/** Returns the faults of an exception, including a conflict with the others of its list. */
export function networkFaults(row: NetworkException, others: readonly NetworkException[]): Faults<NetworkValues> {
  const [first, second] = ADDRESS_FIELDS[row.type]
  const fieldOf = (name: unknown) => (name === 'ip1' ? first : name === 'ip2' ? second : name)
  const faults: Faults<NetworkValues> = {}
  for (const issue of NetworkException.safeParse(row).error?.issues ?? []) {
    const [name] = issue.path
    const field = fieldOf(name) as keyof NetworkValues
    faults[field] ??= faultOf(issue, row[name as keyof NetworkException], name === 'port' ? 'port' : 'characters')
  }
  // A field of a wrong type ends the schema's check before the addresses.
  for (const { path, message } of targetFaults(row)) faults[fieldOf(path) as keyof NetworkValues] ??= message
  const target = targetOf(row)
  if (others.some((other) => other.idx !== row.idx && targetOf(other) === target)) faults[first] ??= 'duplicate'
  return faults
}

export const loopbackOf = (idx: number, { description, processName }: LoopbackValues): LoopbackException => ({
  idx,
  description: description.trim(),
  processName: processName.trim(),
})

export function loopbackFaults(row: LoopbackException, others: readonly LoopbackException[]): Faults<LoopbackValues> {
  const faults: Faults<LoopbackValues> = {}
  for (const issue of LoopbackException.safeParse(row).error?.issues ?? []) {
    const name = issue.path[0] as keyof LoopbackValues
    faults[name] ??= faultOf(issue, row[name], name === 'processName' ? 'process' : 'characters')
  }
  if (others.some((other) => other.idx !== row.idx && processKey(other) === processKey(row)))
    faults.processName ??= 'duplicate'
  return faults
}

type Row = { idx: number }
/** The idx of a new row: negative, and of no other row. */
export const newIdx = (rows: readonly Row[]): number => Math.min(0, ...rows.map(({ idx }) => idx)) - 1

/** Replaces the row of the same idx, or adds the row. */
export const withRow = <T extends Row>(rows: readonly T[], row: T): T[] =>
  rows.some(({ idx }) => idx === row.idx) ? rows.map((one) => (one.idx === row.idx ? row : one)) : [...rows, row]

export const isFull = (rows: readonly Row[]): boolean => rows.length >= MAX_EXCEPTIONS

/** Returns a row's contents without its idxes, for comparison. */
const contentOf = ({ idx: _, ...content }: Row): string => {
  const entries = Object.entries(content).filter(([name]) => name !== 'policyIdx')
  return JSON.stringify(entries.sort())
}

/** Whether a row is new or differs from the one that was loaded. */
export function isEdited<T extends Row>(row: T, loaded: readonly T[]): boolean {
  const former = loaded.find(({ idx }) => idx === row.idx)
  return former === undefined || contentOf(former) !== contentOf(row)
}

/** Rows of one list that the other one lacks, in both directions. */
export function listDifference<T extends Row>(before: readonly T[], after: readonly T[]) {
  const [old, current] = [new Set(before.map(contentOf)), new Set(after.map(contentOf))]
  return {
    removed: before.filter((row) => !current.has(contentOf(row))),
    added: after.filter((row) => !old.has(contentOf(row))),
  }
}
