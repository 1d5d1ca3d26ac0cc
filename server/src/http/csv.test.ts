// CSV as spreadsheets read it.
import { buffer } from 'node:stream/consumers'
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
