// Query strings of calls (spec S1 §7).
import { expect, test } from 'vitest'
import { toQuery } from './client.ts'

test.each([
  [{}, ''],
  [{ a: undefined, b: null }, ''],
  [{ type: 1, name: '한 글&' }, '?type=1&name=%ED%95%9C+%EA%B8%80%26'],
  [{ idxes: [3, 5] }, '?idxes%5B0%5D=3&idxes%5B1%5D=5'],
  [{ names: ['a,b'] }, '?names%5B0%5D=a%2Cb'],
])('%j becomes %j', (input, query) => {
  expect(toQuery(input)).toBe(query)
})

test('a thousand numbers stay below the 8 KiB that proxies accept for a request line', () => {
  const idxes = Array.from({ length: 1000 }, (_, at) => 1_000_000 + at)
  const query = toQuery({ fileEximport: 123_456, fileIdxes: idxes })
  expect(query).toBe(`?fileEximport=123456&fileIdxes=${idxes.join(',')}`)
  expect(`GET /FileEximport/Download${query} HTTP/1.1`.length).toBeLessThan(8192)
})
