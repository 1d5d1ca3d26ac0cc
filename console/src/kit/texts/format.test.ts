import { expect, test } from 'vitest'
import { lastDays, momentsOf } from '../table/dayRange.ts'
import { fileStamp, formatBytes, formatDay, formatMoment } from './format.ts'

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.00 KB'],
  [1536, '1.50 KB'],
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
})

test('the last days end today and begin so many days before', () => {
  const now = new Date(2026, 2, 3, 15)
  expect(lastDays(1, now)).toEqual({ from: '2026-03-03', to: '2026-03-03' })
  expect(lastDays(7, now)).toEqual({ from: '2026-02-25', to: '2026-03-03' })
})

test('a period reaches from its first moment to the first moment after it', () => {
  expect(momentsOf({ from: '2026-02-28', to: '2026-02-28' })).toEqual({
    from: new Date(2026, 1, 28).toISOString(),
    to: new Date(2026, 2, 1).toISOString(),
  })
  expect(momentsOf({ from: null, to: null })).toEqual({})
})
