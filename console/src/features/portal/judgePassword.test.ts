import { expect, test } from 'vitest'
import { judgePassword } from './judgePassword.ts'

test('a password meets positive rules by matching and negative ones by not matching', () => {
  const rules = {
    positiveRules: [{ name: 'digit', reg: '[0-9]' }],
    negativeRules: [{ name: 'spaces', reg: '\\s' }],
  }
  const met = (password: string) => judgePassword(rules, password).map((verdict) => verdict.isMet)
  expect(met('abc1')).toEqual([true, true])
  expect(met('a b')).toEqual([false, false])
})

test('a rule that the browser cannot read is left to the server', () => {
  const rules = { positiveRules: [{ name: 'odd', reg: '(' }], negativeRules: [{ name: 'odd', reg: '(' }] }
  expect(judgePassword(rules, 'x').every((verdict) => verdict.isMet)).toBe(true)
})
