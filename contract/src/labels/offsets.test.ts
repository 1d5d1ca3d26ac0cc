import { expect, test } from 'vitest'
import { offsetIn, splitByOffset } from './offsets.ts'

const at = (text: string) => Date.parse(text)

test.each([
  ['UTC', 0],
  ['Asia/Seoul', 540],
  ['Asia/Kathmandu', 345],
  ['America/St_Johns', -210],
  ['America/New_York', -300],
  ['Pacific/Kiritimati', 840],
  ['+09:00', 540],
])('the offset of %s in January is %i minutes', (zone, minutes) => {
  expect(offsetIn(zone)(at('2026-01-15T12:00:00Z'))).toBe(minutes)
})

test('a period is cut where summer time begins and ends, to the moment', () => {
  const parts = splitByOffset(at('2026-01-01T05:00:00Z'), at('2027-01-01T05:00:00Z'), offsetIn('America/New_York'))
  expect(parts.map(({ start, offset }) => [new Date(start).toISOString(), offset])).toEqual([
    ['2026-01-01T05:00:00.000Z', -300],
    ['2026-03-08T07:00:00.000Z', -240],
    ['2026-11-01T06:00:00.000Z', -300],
  ])
  expect(parts.map(({ end }) => end)).toEqual([...parts.slice(1).map(({ start }) => start), at('2027-01-01T05:00:00Z')])
})

test('half an hour in Lord Howe, a change at the very end or start, and an empty period', () => {
  const howe = offsetIn('Australia/Lord_Howe')
  const change = at('2026-04-04T15:00:00Z')
  expect(splitByOffset(change - 1, change + 1, howe).map(({ offset }) => offset)).toEqual([660, 630])
  expect(splitByOffset(change - 5, change, howe)).toEqual([{ start: change - 5, end: change, offset: 660 }])
  expect(splitByOffset(change, change + 5, howe)).toEqual([{ start: change, end: change + 5, offset: 630 }])
  expect(splitByOffset(change, change, howe)).toEqual([])
})
