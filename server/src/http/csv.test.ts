// CSV as spreadsheets read it.

import { buffer } from 'node:stream/consumers'
import type { CsvColumn } from '@acc/contract/core/paging'
import { expect, test } from 'vitest'
import type { TextRows } from '../db/stream.ts'
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
  count: { ko: '수', en: 'Count' },
  state: {
    ko: '상태',
    en: 'State',
    values: { 0: { ko: '켬', en: 'On, now' } },
    valuesBy: { field: 'part', values: { 2: { 0: { ko: '일부', en: 'Partly' } } } },
  },
  at: { ko: '때', en: 'Time', as: 'moment' },
}
const MOMENTS = [
  '2026-03-29 00:59:59.999+00',
  '2026-10-04 15:30:00+00',
  '2026-01-01 00:00:00.5+00',
  '1999-12-31 23:59:59+00',
]
const NAMES = ['=1', '"a", b', '김 "지민"\n', null, "-5'"]

test.each(['Asia/Seoul', 'UTC', 'Europe/Paris', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Asia/Kathmandu'])(
  'rows as PostgreSQL writes them give the same file as rows of values, in %s',
  async (timeZone) => {
    const rows = MOMENTS.flatMap((at) => NAMES.map((name, i) => ({ name, count: -i, state: i % 2, part: i % 3, at })))
    async function* values() {
      yield rows.map((row) => ({ ...row, at: new Date(row.at.replace(' ', 'T').replace('+00', 'Z')) }))
    }
    async function* texts() {
      yield {
        names: ['at', 'idx', 'name', 'count', 'state', 'part'],
        isNumber: [false, true, false, true, true, true],
        rows: rows.map(({ at, name, count, state, part }) => [at, '7', name, ...[count, state, part].map(String)]),
      }
    }
    const fileOf = async (source: AsyncIterable<unknown[] | TextRows>) =>
      (await buffer(csvStream(COLUMNS, source, 'en', timeZone))).toString()
    const file = await fileOf(texts())
    expect(file).toBe(await fileOf(values()))
    expect(file).toContain(`'=1,0,"On, now",`)
    expect(file).toContain(',-2,Partly,')
  },
)
