import { expect, test } from 'vitest'
import { decodeText, entriesOfZip, rowsOf } from './previewText.ts'

const bytes = (...numbers: number[]) => Uint8Array.from(numbers)

test.each([
  ['UTF-8', new TextEncoder().encode('한글 a'), '한글 a'],
  ['UTF-8 with a mark', bytes(0xef, 0xbb, 0xbf, 0x61), 'a'],
  ['UTF-16', bytes(0xff, 0xfe, 0x00, 0xac), '가'],
  ['UTF-16, the other order', bytes(0xfe, 0xff, 0xac, 0x00), '가'],
  // Node knows fewer characters of CP949 than browsers, which e2e/previews.spec.ts tries.
  ['CP949', bytes(0xb0, 0xa1, 0xc7, 0xd1), '가한'],
  ['UTF-8 that is cut in a character', bytes(0x61, 0xed, 0x95), 'a'],
])('%s', (_name, text, shown) => {
  expect(decodeText(text)).toEqual({ text: shown, isBroken: false })
})

test('a text in no encoding is shown as far as it can be read, and says so', () => {
  expect(decodeText(bytes(0x61, 0xff, 0xff, 0x62))).toEqual({ text: 'a\ufffd\ufffdb', isBroken: true })
})

test('characters that reorder a text do not', () => {
  expect(decodeText(new TextEncoder().encode('invoice\u202efdp.exe')).text).toBe('invoice\ufffdfdp.exe')
})

test.each([
  [
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a;b\r\n"1;2";"x""y"\r\n',
    [
      ['a', 'b'],
      ['1;2', 'x"y'],
    ],
  ],
  [
    'a\tb\n"1\n2"\t',
    [
      ['a', 'b'],
      ['1\n2', ''],
    ],
  ],
  ['', [['']]],
  ['"open', [['open']]],
])('the cells of %j', (text, rows) => {
  expect(rowsOf(text)).toEqual({ rows, isMore: false })
})

test('a table of too many rows and columns is cut', () => {
  const { rows, isMore } = rowsOf(`${`${'1,'.repeat(200)}\n`.repeat(2000)}`)
  expect([rows.length, rows[0]?.length, isMore]).toEqual([500, 50, true])
  expect(rowsOf('"a"b,c\n').rows[0]?.[0]).toBe('"a"b')
})

/** A zip of the central directory alone, which names `count` files. */
function zipOf(count: number, announced = count): Uint8Array {
  const name = new TextEncoder().encode('자료/a.txt')
  const entry = new Uint8Array(46 + name.length)
  new DataView(entry.buffer).setUint32(0, 0x02014b50, true)
  new DataView(entry.buffer).setUint32(24, 7, true)
  new DataView(entry.buffer).setUint16(28, name.length, true)
  entry.set(name, 46)
  const zip = new Uint8Array(entry.length * count + 22)
  for (let at = 0; at < count; at++) zip.set(entry, at * entry.length)
  const end = new DataView(zip.buffer, entry.length * count)
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(10, announced, true)
  return zip
}

test('the names in an archive, at most a thousand, and as many as there are', () => {
  expect(entriesOfZip(zipOf(2))).toEqual({ entries: Array(2).fill({ name: '자료/a.txt', size: 7 }), count: 2 })
  expect(entriesOfZip(zipOf(3000)).entries).toHaveLength(1000)
  expect(entriesOfZip(zipOf(2, 60_000))).toMatchObject({ entries: { length: 2 }, count: 60_000 })
  expect(() => entriesOfZip(bytes(0x50, 0x4b, 3, 4))).toThrow(RangeError)
})
