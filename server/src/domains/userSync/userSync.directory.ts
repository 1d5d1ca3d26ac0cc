// Reads people from a directory: a simple bind, and a search in pages that requests the mapped attributes alone.
// Whatever fails or is cut off refuses the source as a whole; referrals are not followed.
import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { GroupBy, type ImportField, ImportRefusal } from '@acc/contract/labels/userImports'
import { MAX_IMPORT_ROWS } from '@acc/contract/userImports'
import type { DirectoryInput } from '@acc/contract/userSync'
import { BindRequest, FilterParser, PagedResultsControl, SearchRequest } from 'ldapts'
import type { Source, SourceRow, SourceUnit } from '../userImports/source.ts'
import { type Connection, type Limits, openConnection, refused } from './userSync.connection.ts'
import { type Entry, Operation, type Response } from './userSync.messages.ts'
import { nameKey, parseName, type Unit, unitsBetween } from './userSync.names.ts'
import { dayOf, textIn } from './userSync.values.ts'

export type Directory = DirectoryInput & { bindPw: string }

export const LIMITS: Limits = { connect: 10_000, page: 60_000, all: 10 * 60_000 }
/** Entries of a page. */
const PAGE = 500
/** Bytes of all values at most. */
const MAX_BYTES = 256 * 2 ** 20

/** Result codes of RFC 4511 with a meaning of their own. */
const Code = { SUCCESS: 0, REFERRAL: 10, NO_SUCH_OBJECT: 32, INVALID_DN: 34, NO_ACCESS: 50, BUSY: 51, UNAVAILABLE: 52 }
const OF_BASE: readonly number[] = [Code.REFERRAL, Code.NO_SUCH_OBJECT, Code.INVALID_DN, Code.NO_ACCESS]
const OF_SERVER: readonly number[] = [Code.BUSY, Code.UNAVAILABLE]

type Result = Extract<Response, { code: number }>
const wordsOf = ({ code, text }: Result) => `${text === '' ? 'result' : text} (LDAP ${code})`

/** Refuses a filter that does not parse, before anything is sent. */
export function parseFilter(filter: string) {
  try {
    return FilterParser.parseString(filter)
  } catch (error) {
    throw refused(ImportRefusal.SEARCH, error instanceof Error ? error.message : String(error))
  }
}

/** Returns the result of the request that was sent last; `take` receives its entries. */
async function resultOf(connection: Connection, id: number, take: (entry: Entry) => void): Promise<Result> {
  for (;;) {
    const response = await connection.receive()
    if ('code' in response && response.id === 0) throw refused(ImportRefusal.UNREACHABLE, wordsOf(response))
    if (response.id !== id) continue
    if ('entry' in response) take(response.entry)
    else if ('code' in response && response.operation !== Operation.REFERENCE) return response
  }
}

async function bind(connection: Connection, { bindDn: dn, bindPw: password }: Directory): Promise<void> {
  const messageId = connection.nextId()
  connection.send(new BindRequest({ messageId, dn, password }))
  const result = await resultOf(connection, messageId, () => undefined)
  if (result.code === Code.SUCCESS) return
  throw refused(OF_SERVER.includes(result.code) ? ImportRefusal.UNREACHABLE : ImportRefusal.SIGN_IN, wordsOf(result))
}

type Search = { base: string; filter: string; attributes: string[] }

/** Searches in pages. An empty page with a cookie is not the last one. */
async function search(connection: Connection, request: Search, take: (entry: Entry) => void): Promise<void> {
  const paging = new PagedResultsControl({ value: { size: PAGE } })
  const options = {
    baseDN: request.base,
    scope: 'sub',
    filter: parseFilter(request.filter),
    attributes: request.attributes,
    derefAliases: 'never',
    sizeLimit: 0,
    timeLimit: LIMITS.page / 1_000,
  } as const
  for (;;) {
    const messageId = connection.nextId()
    connection.send(new SearchRequest({ ...options, messageId, controls: [paging] }))
    const result = await resultOf(connection, messageId, take)
    if (result.code !== Code.SUCCESS) {
      const reason = OF_BASE.includes(result.code) ? ImportRefusal.NO_BASE : ImportRefusal.SEARCH
      throw refused(OF_SERVER.includes(result.code) ? ImportRefusal.UNREACHABLE : reason, wordsOf(result))
    }
    if (result.cookie === undefined || result.cookie.length === 0) return
    paging.value = { size: PAGE, cookie: result.cookie }
  }
}

const UNIT_IDS = ['entryUUID', 'objectGUID'] as const

/** Reads the immutable IDs of all units below the base, by their names. */
async function readUnits(connection: Connection, base: string): Promise<Map<string, string>> {
  const units = new Map<string, string>()
  const filter = '(objectClass=organizationalUnit)'
  await search(connection, { base, filter, attributes: [...UNIT_IDS] }, (entry) => {
    if (units.size >= MAX_IMPORT_ROWS) throw refused(ImportRefusal.TOO_MANY_ROWS, filter)
    const key = UNIT_IDS.map((attribute) => textIn(entry, attribute)).find((value) => value !== '')
    const name = parseName(entry.dn)
    if (name !== undefined && key !== undefined) units.set(nameKey(name), key)
  })
  return units
}

type Found = { values: SourceRow['values']; units: Unit[] }

/**
 * Returns last day and state of an entry. An account that has expired is suspended: no account gets a last day that is
 * over. On its last day it keeps what it has.
 */
function termOf(text: string, today: string): SourceRow['values'] {
  const day = dayOf(text)
  const isExpired = /^\d{4}-\d{2}-\d{2}$/.test(day) && day < today
  return { expireDT: isExpired || day === today ? '' : day, isEnabled: isExpired ? '0' : '' }
}

/** Returns the values of an entry, without those of groups by units. */
function valuesOf(entry: Entry, { attributes, groupBy }: Directory, today: string): SourceRow['values'] {
  const { key, id, name, email, group, expireDT } = attributes
  return {
    key: textIn(entry, key),
    // Directories ignore the case of names; IDs of accounts are in lower case.
    id: textIn(entry, id).toLowerCase(),
    name: textIn(entry, name),
    email: textIn(entry, email),
    ...(groupBy === GroupBy.ATTRIBUTE && group !== '' && { group: textIn(entry, group) }),
    ...(expireDT !== '' && termOf(textIn(entry, expireDT), today)),
  }
}

/** Collects entries as values and units. Refuses a directory without an end. */
function collectPeople(directory: Directory, today: string) {
  const found: Found[] = []
  let bytes = 0
  const base = parseName(directory.base)
  const unitsAround = (dn: string) => {
    const name = parseName(dn)
    const units = base && name && unitsBetween(base, name)
    if (units === undefined) throw refused(ImportRefusal.SEARCH, `${dn} is not below ${directory.base}`)
    return units
  }
  const take = (entry: Entry) => {
    if (found.length >= MAX_IMPORT_ROWS) throw refused(ImportRefusal.TOO_MANY_ROWS, `${MAX_IMPORT_ROWS}`)
    for (const values of entry.attributes.values()) for (const { length } of values) bytes += length
    if (bytes > MAX_BYTES) throw refused(ImportRefusal.SEARCH, 'the entries are too large')
    const units = directory.groupBy === GroupBy.UNITS ? unitsAround(entry.dn) : []
    found.push({ values: valuesOf(entry, directory, today), units })
  }
  return { found, take }
}

const REQUIRED = ['key', 'id', 'name', 'email'] as const

/** Refuses people without a required attribute, if all lack it: it is misspelt, or the account may not read it. */
function requireAttributes(found: readonly Found[], { attributes }: Directory): void {
  if (found.length === 0) throw refused(ImportRefusal.EMPTY, '')
  for (const field of REQUIRED)
    if (found.every(({ values }) => values[field] === ''))
      throw refused(ImportRefusal.MISSING_COLUMN, attributes[field])
}

/** The units that people are in, with their own IDs, the outer ones first. Refuses units whose ID cannot be read. */
function unitsOf(found: readonly Found[], ids: ReadonlyMap<string, string>): SourceUnit[] {
  const known = new Map<string, SourceUnit>()
  for (const { units } of found) {
    let parentKey: string | null = null
    for (const { name, nameKey } of units) {
      const key = ids.get(nameKey)
      if (key === undefined) throw refused(ImportRefusal.MISSING_COLUMN, `${UNIT_IDS.join(', ')}: ${name}`)
      known.set(key, { key, parentKey, name })
      parentKey = key
    }
  }
  return [...known.values()]
}

/** Returns the row of a person. People outside of all units belong to the group of the setting. */
function rowOf({ values, units }: Found, ids: ReadonlyMap<string, string>, baseKey: string): SourceRow {
  const unit = units.at(-1)
  return { line: null, values: { ...values, group: unit === undefined ? baseKey : (ids.get(unit.nameKey) ?? '') } }
}

/** Rows that are hashed between two turns of the event loop. */
const BATCH = 5_000

/** Returns the source with the hash of its entries, in the order of the directory. */
async function sourceOf(rows: SourceRow[], units: SourceUnit[] = []): Promise<Source> {
  const hash = createHash('sha256').update(JSON.stringify(units))
  for (let from = 0; from < rows.length; from += BATCH) {
    hash.update(JSON.stringify(rows.slice(from, from + BATCH)))
    await turn()
  }
  const fields = Object.keys(rows[0]?.values ?? {}) as ImportField[]
  return { hash: hash.digest('hex'), fields, rows, units }
}

/** The key of the group of the setting, and the day of the reading. */
export type Reading = { baseKey: string; today: string }

/** Reads all people. Throws RefusedSource. */
export async function readDirectory(
  directory: Directory,
  { baseKey, today }: Reading,
  limits = LIMITS,
): Promise<Source> {
  const { base, filter, attributes, groupBy } = directory
  parseFilter(filter)
  const connection = await openConnection(directory, limits)
  try {
    await bind(connection, directory)
    const { found, take } = collectPeople(directory, today)
    const names = [...new Set(Object.values(attributes).filter((name) => name !== ''))]
    await search(connection, { base, filter, attributes: names }, take)
    requireAttributes(found, directory)
    if (groupBy !== GroupBy.UNITS) return sourceOf(found.map(({ values }) => ({ line: null, values })))
    const ids = await readUnits(connection, base)
    return sourceOf(
      found.map((one) => rowOf(one, ids, baseKey)),
      unitsOf(found, ids),
    )
  } finally {
    connection.close()
  }
}
