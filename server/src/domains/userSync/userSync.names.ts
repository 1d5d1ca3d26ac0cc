// Distinguished names (RFC 4514), as far as the units between a search base and an entry need them.

/** An attribute and its value, without escapes. */
type Assertion = { type: string; value: string }
/** The parts of a name, the entry's own first. */
type Name = readonly (readonly Assertion[])[]

const ASSERTION = /\s*([A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)*)\s*=((?:\\(?:[0-9A-Fa-f]{2}|[\s\S])|[^\\,+])*)([,+]|$)/y

const unescaped = (raw: string) =>
  raw
    .replace(/^ +/, '')
    .replace(/(^|[^\\]) +$/, '$1')
    .replace(/(?:\\[0-9A-Fa-f]{2})+|\\([\s\S])/g, (escaped, plain?: string) =>
      plain === undefined ? Buffer.from(escaped.replaceAll('\\', ''), 'hex').toString('utf8') : plain,
    )

/** Reads a name; undefined if it is none. */
export function parseName(text: string): Name | undefined {
  const parts: Assertion[][] = [[]]
  if (text.trim() === '') return []
  ASSERTION.lastIndex = 0
  for (;;) {
    const [, type, raw, separator] = ASSERTION.exec(text) ?? []
    if (type === undefined || raw === undefined) return undefined
    parts.at(-1)?.push({ type: type.toLowerCase(), value: unescaped(raw) })
    if (separator === '') return parts
    if (separator === ',') parts.push([])
  }
}

const plain = (value: string) => value.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
const partKey = (part: readonly Assertion[]) =>
  JSON.stringify(part.map(({ type, value }) => [type, plain(value)]).sort())

/** Returns a text that is the same for all spellings of a name. */
export const nameKey = (name: Name): string => name.map(partKey).join()

const UNIT_TYPES = new Set(['ou', 'organizationalunitname', '2.5.4.11'])
const unitOf = (part: readonly Assertion[]) => part.find(({ type }) => UNIT_TYPES.has(type))?.value

export type Unit = { name: string; nameKey: string }

/** Returns the units between a base and an entry, the outermost first; undefined if the entry is not below the base. */
export function unitsBetween(base: Name, entry: Name): Unit[] | undefined {
  const depth = entry.length - base.length
  if (depth < 0 || nameKey(entry.slice(depth)) !== nameKey(base)) return undefined
  const units: Unit[] = []
  for (let at = depth - 1; at > 0; at--) {
    const name = unitOf(entry[at] ?? [])
    if (name !== undefined) units.push({ name, nameKey: nameKey(entry.slice(at)) })
  }
  return units
}
