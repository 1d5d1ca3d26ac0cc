// What previews show of texts, tables and archives, within limits.

const MAX_ROWS = 500
const MAX_COLUMNS = 50
const MAX_NAMES = 1000

/** Characters that show a text in another order than it has. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g

/** Decodes a text as UTF-8, UTF-16 with its mark, or CP949. `isBroken`: in none of them is every character readable. */
export function decodeText(bytes: Uint8Array): { text: string; isBroken: boolean } {
  const [first = 0, second = 0] = bytes
  const marked = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null
  for (const encoding of marked === null ? ['utf-8', 'euc-kr'] : [marked]) {
    try {
      // A stream may end within a character: texts are cut by their bytes.
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
      return { text: text.replace(REORDERING, '\ufffd'), isBroken: false }
    } catch {
      // The next one.
    }
  }
  return { text: new TextDecoder().decode(bytes).replace(REORDERING, '\ufffd'), isBroken: true }
}

/** Returns the cells of a CSV text (RFC 4180), separated by what its first line has most of. */
export function rowsOf(text: string): { rows: string[][]; isMore: boolean } {
  const line = /^.*/.exec(text)?.[0] ?? ''
  const separator = [',', '\t', ';'].toSorted((one, other) => line.split(other).length - line.split(one).length)[0]
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"?|([^${separator}\r\n]*))(${separator}|\r?\n|\r|$)`, 'y')
  const rows: string[][] = [[]]
  for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
    const [, quoted, plain = '', end] = match
    const row = rows.at(-1)
    if (row && row.length < MAX_COLUMNS) row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === separator) continue
    if (cell.lastIndex >= text.length) return { rows, isMore: false }
    if (rows.length === MAX_ROWS) break
    rows.push([])
  }
  return { rows, isMore: true }
}

export type ZipEntry = { name: string; size: number }

const END = 0x06054b50
const ENTRY = 0x02014b50
/** An end record has 22 bytes, before a comment of at most 64 KiB. */
const MAX_END = 22 + 0xffff

/** Returns the files that the central directory of a zip names. `count` is what it announces. */
export function entriesOfZip(bytes: Uint8Array): { entries: ZipEntry[]; count: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  while (end >= Math.max(0, bytes.length - MAX_END) && view.getUint32(end, true) !== END) end--
  if (end < 0 || view.getUint32(end, true) !== END) throw new RangeError('a zip without its directory')
  const count = view.getUint16(end + 10, true)
  const entries: ZipEntry[] = []
  for (let at = view.getUint32(end + 16, true); entries.length < Math.min(count, MAX_NAMES); ) {
    if (view.getUint32(at, true) !== ENTRY) break
    const length = view.getUint16(at + 28, true)
    const { text: name } = decodeText(bytes.subarray(at + 46, at + 46 + length))
    entries.push({ name, size: view.getUint32(at + 24, true) })
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return { entries, count }
}
