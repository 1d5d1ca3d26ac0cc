// Reads a CSV file of people: UTF-8, UTF-16 or CP949, as Excel in Korea saves it. The file is refused as a whole if it
// cannot be read with certainty. Works in slices, so that other calls are not held up.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import {
  IMPORT_FIELD_NAMES,
  IMPORT_FIELDS,
  ImportFault,
  type ImportField,
  ImportRefusal,
} from '@acc/contract/labels/userImports'
import { MAX_IMPORT_ROWS } from '@acc/contract/userImports'
import type { Info } from 'csv-parse'
import { closestMatch } from 'leven'
import { RefusedSource, type Source, type SourceRow } from './source.ts'

/** Bytes or characters between two turns of the event loop. */
const SLICE = 2 ** 16
/** Characters of a line at most, and of a row with line breaks in its cells. */
const MAX_LINE = 2 ** 16
/** Lines at most: no cell of a valid row has a line break. */
const MAX_LINES = 2 * MAX_IMPORT_ROWS
/** Lines between two turns of the event loop: the parser takes 20 µs for one with a wrong number of cells. */
const LINES = 250
/** Characters of an unknown header that an answer repeats. */
const MAX_SHOWN = 100

const broken = (line: number | null): never => {
  throw new RefusedSource({ reason: ImportRefusal.BROKEN, line })
}

async function hashOf(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256')
  for (let from = 0; from < bytes.length; from += 16 * SLICE) {
    hash.update(bytes.subarray(from, from + 16 * SLICE))
    await turn()
  }
  return hash.digest('hex')
}

type Decoder = { write(bytes: Buffer): string; end(): string | undefined }

/** Throws a TypeError at bytes that are no UTF-8. */
function strictDecoder(encoding: string): Decoder {
  const decoder = new TextDecoder(encoding, { fatal: true })
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() }
}

async function decodeBy(decoder: Decoder, bytes: Buffer): Promise<string> {
  const texts: string[] = []
  for (let from = 0; from < bytes.length; from += SLICE) {
    texts.push(decoder.write(bytes.subarray(from, from + SLICE)))
    await turn()
  }
  return texts.join('') + (decoder.end() ?? '')
}

const BOMS = [
  { encoding: 'utf-8', bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: 'utf-16le', bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16be', bytes: Buffer.from([0xfe, 0xff]) },
]

async function decode(bytes: Buffer): Promise<string> {
  const marked = BOMS.find((bom) => bytes.subarray(0, bom.bytes.length).equals(bom.bytes))
  try {
    return await decodeBy(strictDecoder(marked?.encoding ?? 'utf-8'), bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  if (marked !== undefined) throw new RefusedSource({ reason: ImportRefusal.ENCODING })
  // TextDecoder turns syllables outside of KS X 1001, such as 똠, into others without an error.
  const { getDecoder } = (await import('iconv-lite')).default
  return decodeBy(getDecoder('cp949'), bytes)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for them.
const NOT_TEXT = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]/

/** Rejects texts with characters that no text has, and lines that are too long to be rows or too many. */
async function requireText(text: string): Promise<void> {
  let line = 1
  for (let from = 0; from < text.length; from = from < 0 ? text.length : from) {
    const end = text.indexOf('\n', from)
    const content = text.slice(from, end < 0 ? text.length : end)
    if (content.length > MAX_LINE) broken(line)
    if (NOT_TEXT.test(content)) throw new RefusedSource({ reason: ImportRefusal.ENCODING, line })
    if (end < 0) return
    from = end + 1
    line++
    if (line > MAX_LINES) throw new RefusedSource({ reason: ImportRefusal.TOO_MANY_ROWS, line })
    if (line % 1_000 === 0) await turn()
  }
}

/** Headers are compared without case and spaces. */
const comparable = (text: string) => text.normalize('NFC').toLowerCase().replace(/\s+/g, '')

const NAMES = new Map<string, ImportField>(
  IMPORT_FIELD_NAMES.flatMap((field) => {
    const { ko, en, aliases } = IMPORT_FIELDS[field]
    return [field, ko, en, ...aliases].map((name): [string, ImportField] => [comparable(name), field])
  }),
)
/** The names as the template has them, for suggestions. */
const shownName = (field: ImportField, header: string) =>
  /[가-힣]/.test(header) ? IMPORT_FIELDS[field].ko : IMPORT_FIELDS[field].en

function fieldOf(header: string): ImportField {
  const name = comparable(header)
  const found = NAMES.get(name)
  if (found !== undefined) return found
  const text = header.trim().slice(0, MAX_SHOWN)
  const near = closestMatch(comparable(text), [...NAMES.keys()], { maxDistance: 3 })
  const nearest = near === undefined ? undefined : NAMES.get(near)
  const hint = nearest === undefined ? '' : shownName(nearest, header)
  throw new RefusedSource({ reason: ImportRefusal.UNKNOWN_COLUMN, line: 1, text, hint })
}

/** Returns the fields of a header. Rejects unknown, repeated, missing and forbidden ones. */
function fieldsOf(header: readonly string[], isAdmin: boolean): ImportField[] {
  const fields = header.map(fieldOf)
  const refuse = (reason: ImportRefusal, field: ImportField): never => {
    throw new RefusedSource({ reason, line: 1, text: shownName(field, header.join('')) })
  }
  for (const [at, field] of fields.entries()) {
    if (fields.indexOf(field) !== at) refuse(ImportRefusal.REPEATED_COLUMN, field)
  }
  if (fields.includes('key') && !isAdmin) refuse(ImportRefusal.ADMIN_COLUMN, 'key')
  if (!fields.includes('id') && !fields.includes('key')) refuse(ImportRefusal.MISSING_COLUMN, 'id')
  return fields
}

/** Returns the separator of a header: a tab or `;` if it has one outside of quotes. */
function separatorOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/)).replace(/"[^"]*"/g, '')
  return header.includes('\t') ? '\t' : header.includes(';') ? ';' : ','
}

type Row = { record: string[]; info: Info }

/** Returns where a slice of complete lines ends. */
function endOfSlice(text: string, from: number): number {
  let end = from
  for (let lines = 0; lines < LINES && end - from < SLICE && end < text.length; lines++) {
    const found = text.indexOf('\n', end)
    end = found < 0 ? text.length : found + 1
  }
  return end
}

/** Yields a text in slices, with LF as the only line break: the parser counts CR LF within quotes twice. */
async function* slicesOf(text: string) {
  for (let from = 0, end = 0; from < text.length; from = end) {
    end = endOfSlice(text, from)
    yield text.slice(from, end).replace(/\r\n?/g, '\n')
    await turn()
  }
}

/** Yields the rows of a text. The line of a fault is that where its row begins. */
async function* rowsOf(text: string): AsyncGenerator<Row & { line: number }> {
  const { CsvError, parse } = await import('csv-parse')
  const parser = parse({
    delimiter: separatorOf(text),
    info: true,
    max_record_size: MAX_LINE,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  })
  let end = 0
  try {
    for await (const row of Readable.from(slicesOf(text)).pipe(parser) as AsyncIterable<Row>) {
      // Skipped rows are counted, and a row with line breaks in its cells begins before its end.
      const breaks = row.record.join('').split('\n').length - 1
      end = row.info.lines
      yield { ...row, line: end - breaks }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    broken(end + 1)
  }
}

function rowOf(fields: readonly ImportField[], record: readonly string[], line: number): SourceRow {
  const values: SourceRow['values'] = {}
  for (const [at, field] of fields.entries()) values[field] = record[at] ?? ''
  if (record.length === fields.length) return { line, values }
  return { line, values, faults: [{ field: null, fault: ImportFault.CELLS, hint: String(record.length) }] }
}

/** Reads a file. `isAdmin`: it may have the columns of system administrators. Throws RefusedSource. */
export async function readFile(bytes: Buffer, isAdmin: boolean): Promise<Source> {
  const hash = await hashOf(bytes)
  const text = (await decode(bytes)).replace(/^\ufeff/, '')
  await requireText(text)
  let fields: ImportField[] | undefined
  const rows: SourceRow[] = []
  for await (const { record, line } of rowsOf(text)) {
    if (fields === undefined) fields = fieldsOf(record, isAdmin)
    else rows.push(rowOf(fields, record, line))
    if (rows.length > MAX_IMPORT_ROWS) throw new RefusedSource({ reason: ImportRefusal.TOO_MANY_ROWS, line })
  }
  if (fields === undefined || rows.length === 0) throw new RefusedSource({ reason: ImportRefusal.EMPTY })
  return { hash, fields, rows }
}
