import { EndChoice } from '@acc/contract/labels/ends'
import { expect, test } from 'vitest'
import { chosen, endFaults, endOf, lastDayOf, newEnd, valuesOfEnd } from './ends.ts'

const { DAY, WEEK, MONTH, DATE, NONE } = EndChoice
const now = new Date(2026, 10, 30, 15)
const local = (day: string) => new Date(`${day}T00:00:00`).toISOString()

test.each([
  [DAY, '2026-12-01'],
  [WEEK, '2026-12-07'],
  [MONTH, '2026-12-30'],
] as const)('choice %i is a day', (choice, day) => {
  expect(chosen(choice, newEnd(now), now)).toEqual({ endChoice: choice, endDT: day })
})

test('a month from the last day of a long one is the last day of the next one', () => {
  expect(newEnd(new Date(2026, 0, 31)).endDT).toBe('2026-02-28')
})

test('a day ends with it, in the time zone of the browser', () => {
  const end = endOf({ endChoice: DATE, endDT: '2026-12-31', endReason: 'x' })
  expect(end).toEqual({ endDT: local('2027-01-01'), endReason: null })
  expect(lastDayOf(end.endDT ?? '')).toBe('2026-12-31')
})

test('the stored moment is kept while its day is the same', () => {
  const stored = { endDT: new Date(2026, 11, 24, 18, 30).toISOString(), endReason: null }
  const values = valuesOfEnd(stored)
  expect(values).toEqual({ endChoice: DATE, endDT: '2026-12-24', endReason: '' })
  expect(endOf(values, stored)).toEqual(stored)
  expect(endFaults({ ...values, endDT: '2026-11-01' }, stored, now)).toEqual({ endDT: 'wrongDay' })
})

test('the last day is from today to a year from now, no end needs a reason', () => {
  const faultsOf = (endDT: string | null) => endFaults({ endChoice: DATE, endDT, endReason: '' }, undefined, now)
  expect(faultsOf(null)).toEqual({ endDT: 'noDay' })
  expect(faultsOf('2026-11-29')).toEqual({ endDT: 'wrongDay' })
  expect(faultsOf('2026-11-30')).toEqual({})
  expect(faultsOf('2027-11-30')).toEqual({})
  expect(faultsOf('2027-12-01')).toEqual({ endDT: 'wrongDay' })
  expect(endFaults({ endChoice: NONE, endDT: null, endReason: '  ' }, undefined, now)).toEqual({
    endReason: 'noReason',
  })
  expect(endOf({ endChoice: NONE, endDT: null, endReason: ' needed ' })).toEqual({ endDT: null, endReason: 'needed' })
})
