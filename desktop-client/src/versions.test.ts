import { expect, test } from 'vitest'
import { isSameVersion } from './version.ts'

test.each([
  ['1.4.2.0', '1.4.2', true],
  ['1.4.2', '1.4.2.0', true],
  ['1.4.2.0', '1.4.2.1', false],
  ['10.0.0.0', '1.0.0.0', false],
  ['4.0.0.0', '4', true],
])('%s and %s: %s', (one, other, isSame) => {
  expect(isSameVersion(one, other)).toBe(isSame)
})
