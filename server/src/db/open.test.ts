import fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import './open.ts'

const parseMoment: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)

/** As PostgreSQL writes it: no fraction where it is nought, no noughts at its end. */
const written = (moment: Date) =>
  moment
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '+00')

test('every moment is read as it was', () => {
  const moments = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(moments, (moment) => {
      expect(parseMoment(written(moment))).toEqual(moment)
    }),
  )
})

test.each([
  ['2026-11-21 09:05:00+00', '2026-11-21T09:05:00.000Z'],
  ['2026-11-21 09:05:00.5+00', '2026-11-21T09:05:00.500Z'],
  ['2026-11-21 09:05:00.123987+00', '2026-11-21T09:05:00.123Z'],
  ['2026-11-21 18:05:00.12+09', '2026-11-21T09:05:00.120Z'],
  ['2026-11-21 14:35:00+05:30', '2026-11-21T09:05:00.000Z'],
  ['12026-01-02 03:04:05+00', '+012026-01-02T03:04:05.000Z'],
])('%s is read', (text, moment) => {
  expect(parseMoment(text).toISOString()).toBe(moment)
})
