import { expect, test } from 'vitest'
import { lastDays } from '../../kit/table/dayRange.ts'
import { HistoryView, rangeOf, withFilter } from './history.ts'

const runtime = { defaultDateRange: 1, defaultDateRangeUnit: 'day' } as const

test('without a choice the period is the default one', () => {
  expect(rangeOf(HistoryView.parse({}), runtime)).toEqual(lastDays(1))
  expect(rangeOf(HistoryView.parse({}), { defaultDateRange: 2, defaultDateRangeUnit: 'week' })).toEqual(lastDays(14))
})

test('a chosen period stays, also while it is half chosen', () => {
  const view = HistoryView.parse({ from: '2026-01-01', to: null })
  expect(rangeOf(view, runtime)).toEqual({ from: '2026-01-01', to: null })
})

test('an emptied filter is no filter', () => {
  expect(withFilter({ userId: 'kim' }, 'userName', '김')).toEqual({ userId: 'kim', userName: '김' })
  expect(withFilter({ userId: 'kim', type: 0 }, 'userId', '')).toEqual({ type: 0 })
  expect(withFilter({ userId: 'kim', type: 0 }, 'type', undefined)).toEqual({ userId: 'kim' })
})

test('an unknown menu falls back to the first one and keeps the rest of the view', () => {
  expect(HistoryView.parse({ menu: 'nonsense', from: '2026-01-01', to: '2026-01-02' })).toMatchObject({
    menu: 'clientLogin',
    from: '2026-01-01',
  })
})
