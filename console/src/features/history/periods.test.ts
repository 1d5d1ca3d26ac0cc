import { expect, test } from 'vitest'
import { periodOf } from './periods.ts'

const at = (day: number, hour = 0) => new Date(2026, 10, day, hour)

test('hours are within the chosen days, longer parts are days of their own', () => {
  expect(periodOf('hour', at(26, 9), at(26, 12))).toEqual({
    since: at(26, 9).toISOString(),
    until: at(26, 12).toISOString(),
  })
  const days = { from: '2026-11-02', to: '2026-11-08', since: undefined, until: undefined }
  expect(periodOf('week', at(2), at(9))).toEqual(days)
  expect(periodOf('day', at(2), at(9, 0))).toEqual(days)
  expect(periodOf('day', at(26), new Date(2026, 10, 26, 14, 30))).toMatchObject({
    from: '2026-11-26',
    to: '2026-11-26',
  })
})
