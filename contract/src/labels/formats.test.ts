import { expect, test } from 'vitest'
import { fileStamp, formatBytes, formatDay, formatMoment } from './formats.ts'

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.00 KB'],
  [1536.7, '1.50 KB'],
  [12.5, '12 B'],
  [1024 ** 2, '1.00 MB'],
  [25_836_912, '24.64 MB'],
  [2 ** 40, '1.00 TB'],
  [2 ** 60, '1024.00 PB'],
])('%d bytes read %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

test('moments are shown in local time, days as they are', () => {
  const at = new Date(2026, 10, 2, 3, 4, 5)
  expect(formatMoment(at.toISOString())).toBe('2026-11-02 03:04:05')
  expect(formatDay(at.toISOString())).toBe('2026-11-02')
  expect(formatDay('2026-11-02')).toBe('2026-11-02')
  expect(formatDay(null)).toBe('-')
  expect(fileStamp(at)).toBe('20261102030405')
  expect(fileStamp(new Date('2026-11-01T18:04:05Z'), 'Asia/Seoul')).toBe('20261102030405')
})
