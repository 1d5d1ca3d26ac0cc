import { NoticeChoice } from '@acc/contract/notices'
import { expect, test } from 'vitest'
import { hours, later, minutes } from '../../clock.ts'
import { afterMail, nextConsidered } from './notices.schedule.ts'

const next = (choice: NoticeChoice, now: string, timeZone = 'UTC') =>
  nextConsidered(choice, new Date(now), timeZone).toISOString()

test('at once is now, hourly the next full hour', () => {
  expect(next(NoticeChoice.AT_ONCE, '2026-11-22T09:05:01.500Z')).toBe('2026-11-22T09:05:01.500Z')
  expect(next(NoticeChoice.HOURLY, '2026-11-22T09:05:01.500Z')).toBe('2026-11-22T10:00:00.000Z')
  expect(next(NoticeChoice.HOURLY, '2026-11-22T10:00:00.000Z')).toBe('2026-11-22T11:00:00.000Z')
})

test.each([
  ['Asia/Seoul', '2026-11-21T22:59:59.999Z', '2026-11-21T23:00:00.000Z'],
  ['Asia/Seoul', '2026-11-21T23:00:00.000Z', '2026-11-22T23:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-22T10:00:00.000Z', '2026-11-23T02:30:00.000Z'],
  // Summer time begins, and ends, in the night between.
  ['Europe/Berlin', '2026-03-28T20:00:00.000Z', '2026-03-29T06:00:00.000Z'],
  ['Europe/Berlin', '2026-10-24T20:00:00.000Z', '2026-10-25T07:00:00.000Z'],
  ['Pacific/Apia', '2026-12-31T23:30:00.000Z', '2027-01-01T19:00:00.000Z'],
])('daily is eight in the morning of %s', (timeZone, now, expected) => {
  expect(next(NoticeChoice.DAILY, now, timeZone)).toBe(expected)
})

test('after many mails of a day the pauses grow', () => {
  const now = new Date('2026-11-22T09:00:00.000Z')
  expect(afterMail(now, 1)).toEqual(later(now, minutes(10)))
  expect(afterMail(now, 12)).toEqual(later(now, hours(1)))
})
