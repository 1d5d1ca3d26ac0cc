// CSV as spreadsheets read it.

import { buffer } from 'node:stream/consumers'
import type { CsvColumn } from '@acc/contract/core/columns'
import { expect, test } from 'vitest'
import { csvStream } from './csv.ts'

async function* rowsOf(values: unknown[]) {
  for (const value of values) yield [{ name: value }]
}
const csvOf = async (values: unknown[]) =>
  (await buffer(csvStream({ name: { ko: '이름', en: 'Name' } }, rowsOf(values), 'en', 'Asia/Seoul'))).toString()

test.each(['=1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠1'])(
  'a text that a spreadsheet would run is text: %j',
  async (value) => {
    const cell = (await csvOf([value])).split('\r\n').slice(1).join('\r\n')
    expect(cell.replace(/^"/, '').startsWith("'")).toBe(true)
  },
)

test.each([
  ['a;=1', "a;'=1"],
  ['a\t@SUM(1)', "a\t'@SUM(1)"],
  ['ok\n=1\n-1', '"ok\n\'=1\n\'-1"'],
  ['a;"=1;', '"a;\'""=1;"'],
  ['a; b;c=1, 2-1', '"a; b;c=1, 2-1"'],
])('nor is it run where a spreadsheet separates cells by semicolons or tabs: %j', async (value, cell) => {
  expect(await csvOf([value])).toBe(`\ufeffName\r\n${cell}\r\n`)
})

test('numbers stay numbers, quotes and line breaks stay within their cell', async () => {
  expect(await csvOf([-5, 'a "b"\nc', null])).toBe('\ufeffName\r\n-5\r\n"a ""b""\nc"\r\n\r\n')
})

test('a list without rows has its headings', async () => {
  expect(await csvOf([])).toBe('\ufeffName\r\n')
})

test('what fails before the first row leaves no byte, so that it can be answered as an error', async () => {
  const failing: AsyncIterable<unknown[]> = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no connection')) }),
  }
  const seen: unknown[] = []
  const stream = csvStream({ name: { ko: '이름', en: 'Name' } }, failing, 'en', 'UTC')
  stream.on('data', (chunk) => seen.push(chunk))
  await expect(buffer(stream)).rejects.toThrow('no connection')
  expect(seen).toEqual([])
})

const COLUMNS: Record<string, CsvColumn> = {
  name: { ko: '이름', en: 'Name' },
  state: {
    ko: '상태',
    en: 'State',
    values: { 0: { ko: '켬', en: 'On, now' } },
    valuesBy: { field: 'part', values: { 2: { 0: { ko: '일부', en: 'Partly' } } } },
  },
  at: { ko: '때', en: 'Time', as: 'moment' },
}

test.each([
  ['UTC', '2026-03-29T00:59:59.999Z', '2026-03-29 00:59:59'],
  ['Asia/Seoul', '1999-12-31T23:59:59Z', '2000-01-01 08:59:59'],
  ['Europe/Paris', '2026-03-29T00:59:59Z', '2026-03-29 01:59:59'],
  ['Europe/Paris', '2026-03-29T01:00:00Z', '2026-03-29 03:00:00'],
  ['Africa/Monrovia', '1970-01-01T00:14:59Z', '1969-12-31 23:30:29'],
  ['Asia/Kathmandu', '2026-01-01T00:00:00.500Z', '2026-01-01 05:45:00'],
  ['Australia/Lord_Howe', '2026-10-03T15:29:59Z', '2026-10-04 01:59:59'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '2026-10-04 02:30:00'],
])('moments are those of %s, and values have their words', async (timeZone, at, local) => {
  async function* rows() {
    yield [
      { name: 'a', state: 0, part: 1, at: new Date(at) },
      { name: 'b', state: 0, part: 2, at: new Date(at) },
      { name: 'c', state: 7, part: 1, at: null },
    ]
  }
  const file = (await buffer(csvStream(COLUMNS, rows(), 'en', timeZone))).toString()
  expect(file.split('\r\n').slice(1)).toEqual([`a,"On, now",${local}`, `b,Partly,${local}`, 'c,7,', ''])
})
