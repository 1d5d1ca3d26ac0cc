import { localDayOf } from '@acc/contract/labels/formats'
import { afterEach, expect, test, vi } from 'vitest'
import { dayOf, today } from './clock.ts'

afterEach(() => void vi.unstubAllEnvs())

test.each([
  ['Asia/Seoul', '2026-11-21T14:59:59.999Z', '2026-11-21'],
  ['Asia/Seoul', '2026-11-21T15:00:00.000Z', '2026-11-22'],
  ['America/New_York', '2026-03-01T04:59:59.000Z', '2026-02-28'],
  ['UTC', '2026-12-31T23:59:59.999Z', '2026-12-31'],
])("in %s a moment's day is that of its calendar: %s", (zone, moment, day) => {
  vi.stubEnv('TZ', zone)
  const at = new Date(moment)
  expect(localDayOf(at)).toBe(day)
  expect(today({ now: () => at })).toBe(day)
  expect(dayOf(at)).toBe(moment.slice(0, 10))
})
