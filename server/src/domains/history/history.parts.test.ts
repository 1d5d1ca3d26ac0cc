import { offsetIn } from '@acc/contract/labels/offsets'
import { expect, test } from 'vitest'
import { days } from '../../clock.ts'
import { partsOf } from './history.parts.ts'

const parts = (from: string, to: string, timeZone = 'Asia/Seoul') => {
  const { unit, starts } = partsOf(Date.parse(from), Date.parse(to), offsetIn(timeZone))
  return { unit, starts: starts.map((start) => new Date(start).toISOString().slice(0, 16)) }
}

test('a day has hours, which begin with the clock of the viewer', () => {
  const { unit, starts } = parts('2026-11-25T15:00:00Z', '2026-11-26T15:00:00Z')
  expect([unit, starts.length, starts[0], starts.at(-1)]).toEqual(['hour', 24, '2026-11-25T15:00', '2026-11-26T14:00'])
  expect(parts('2026-11-25T10:07:00Z', '2026-11-25T12:00:00Z', 'Asia/Kathmandu').starts).toEqual([
    '2026-11-25T10:07',
    '2026-11-25T10:15',
    '2026-11-25T11:15',
  ])
})

test('an hour that is repeated or left out in summer time does not stop the parts', () => {
  expect(parts('2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z', 'America/New_York').starts).toHaveLength(25)
  expect(parts('2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z', 'America/New_York').starts).toHaveLength(23)
  // The day begins at one o'clock.
  const { starts } = parts('2018-11-01T03:00:00Z', '2018-11-08T02:00:00Z', 'America/Sao_Paulo')
  expect(starts.slice(-3)).toEqual(['2018-11-05T02:00', '2018-11-06T02:00', '2018-11-07T02:00'])
})

test('longer periods have days, weeks from Monday, months and years, at most about sixty', () => {
  expect(parts('2026-11-01T15:00:00Z', '2026-11-05T15:00:00Z').starts).toEqual([
    '2026-11-01T15:00',
    '2026-11-02T15:00',
    '2026-11-03T15:00',
    '2026-11-04T15:00',
  ])
  const weeks = parts('2026-01-06T15:00:00Z', '2026-12-31T15:00:00Z')
  expect(weeks.unit).toBe('week')
  expect(weeks.starts.slice(0, 3)).toEqual(['2026-01-06T15:00', '2026-01-11T15:00', '2026-01-18T15:00'])
  expect(parts('2024-01-15T00:00:00Z', '2026-12-31T00:00:00Z')).toMatchObject({
    unit: 'month',
    starts: expect.arrayContaining(['2024-01-15T00:00', '2024-01-31T15:00', '2026-11-30T15:00']),
  })
  expect(parts('1990-01-01T00:00:00Z', '2026-12-31T00:00:00Z').unit).toBe('year')
  const now = Date.now()
  for (let count = 1; count < 1826; count += 7)
    expect(partsOf(now - days(count), now, offsetIn('America/New_York')).starts.length).toBeLessThanOrEqual(64)
  expect(parts('2026-11-02T00:00:00Z', '2026-11-01T00:00:00Z').starts).toEqual([])
  expect(partsOf(Number.POSITIVE_INFINITY, 0, offsetIn('UTC')).starts).toEqual([])
})
