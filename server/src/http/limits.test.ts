import { expect, test } from 'vitest'
import { MAX_OPEN, openLimits } from './limits.ts'

const HONG = { idx: 1 }
const LIM = { idx: 2 }
const refusal = expect.objectContaining({ error: 'TOO_MANY_REQUESTS' })

function startLimits() {
  let now = 0
  const limits = openLimits({ now: () => new Date(now) }, 100)
  /** The number of calls that pass. */
  const call = (times: number, person = HONG) =>
    Array.from({ length: times }).filter(() => {
      try {
        limits.call(person)
        return true
      } catch (error) {
        expect(error).toEqual(refusal)
        return false
      }
    }).length
  return { ...limits, calls: call, advance: (milliseconds: number) => (now += milliseconds) }
}

test('a person may make ten seconds of calls at once, then as many as a second allows', () => {
  const { calls, advance } = startLimits()
  expect(calls(2000)).toBe(1000)
  advance(1000)
  expect(calls(2000)).toBe(100)
  expect(calls(1, LIM)).toBe(1)
  advance(60_000)
  expect(calls(2000)).toBe(1000)
})

test('a clock that is set back refuses no one', () => {
  const { calls, advance } = startLimits()
  advance(3_600_000)
  expect(calls(10)).toBe(10)
  advance(-3_600_000)
  expect(calls(2000)).toBe(1000)
})

test('people are forgotten without giving those above the limit new calls', () => {
  const { calls } = startLimits()
  expect(calls(2000)).toBe(1000)
  for (let idx = 10; idx < 10_100; idx++) calls(1, { idx })
  expect(calls(1)).toBe(0)
})

test.each(['stream', 'csv', 'form'] as const)(
  'connections of kind %s are limited per person and given back',
  (kind) => {
    const { hold } = startLimits()
    const held = Array.from({ length: MAX_OPEN[kind] }, () => hold(HONG, kind))
    expect(() => hold(HONG, kind)).toThrow(refusal)
    hold(LIM, kind)()
    held[0]?.()
    const again = hold(HONG, kind)
    expect(() => hold(HONG, kind)).toThrow(refusal)
    for (const release of [...held.slice(1), again]) release()
    expect(() => hold(HONG, kind)()).not.toThrow()
  },
)
