import { expect, test } from 'vitest'
import { digitsOf, FRAMES, numberAt } from './Counter.tsx'

test('a counter moves from the shown number to the new one in 60 frames', () => {
  const shown = Array.from({ length: FRAMES + 1 }, (_, frame) => numberAt(frame, 10, 500))
  expect(shown[0]).toBe(10)
  expect(shown.at(-1)).toBe(500)
  expect(shown).toEqual(shown.toSorted((a, b) => a - b))
  expect(numberAt(FRAMES, 7, 3)).toBe(3)
})

test.each([
  [0, '000', '0'],
  [42, '00', '42'],
  [9999, '', '9999'],
  [1_234_567, '', '1234567'],
])('%i is shown with 4 digits, or more', (value, zeros, digits) => {
  expect(digitsOf(value)).toEqual({ zeros, digits })
})
