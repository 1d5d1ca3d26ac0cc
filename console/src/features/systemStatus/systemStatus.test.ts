import { expect, test } from 'vitest'
import { agoText, daysUntil } from './systemStatus.ts'

const now = new Date('2026-11-22T09:00:00.000Z')
const ago = (minutes: number, language: 'ko' | 'en' = 'en') =>
  agoText(new Date(Number(now) - minutes * 60_000).toISOString(), language, now)

test('the age of a moment is in its largest useful unit', () => {
  expect(ago(1)).toBe('1 minute ago')
  expect(ago(119)).toBe('119 minutes ago')
  expect(ago(120)).toBe('2 hours ago')
  expect(ago(26 * 60)).toBe('26 hours ago')
  expect(ago(48 * 60)).toBe('2 days ago')
  expect(ago(26 * 60, 'ko')).toBe('26시간 전')
})

test('a clock that is ahead is no future', () => {
  expect(ago(-5)).toBe('0 minutes ago')
})

test('a backup is needed within the days that have begun', () => {
  const inHours = (hours: number) => daysUntil(new Date(Number(now) + hours * 3_600_000).toISOString(), now)
  expect([inHours(7 * 24), inHours(6 * 24 + 1), inHours(1), inHours(-1)]).toEqual([7, 7, 1, 1])
})
