import { presetRule } from '@acc/contract/labels/passwordRules'
import { expect, test } from 'vitest'
import { customExpressions, isHintTrue, judgePassword, matches } from './judgePassword.ts'

test('a password meets positive rules by matching and negative ones by not matching', () => {
  const rules = { positiveRules: [presetRule('digit')], negativeRules: [presetRule('whitespace')] }
  const met = (password: string) => judgePassword(rules, password, new Map()).map((verdict) => verdict.isMet)
  expect(met('abc1')).toEqual([true, true])
  expect(met('a b')).toEqual([false, false])
})

test('custom rules follow the results of the worker, and are left to the server until then', () => {
  const rules = {
    positiveRules: [presetRule('digit'), { name: 'A', reg: 'a' }],
    negativeRules: [{ name: 'B', reg: 'b' }],
  }
  expect(customExpressions(rules)).toEqual(['a', 'b'])
  const met = (found: ReadonlyMap<string, boolean>) => judgePassword(rules, '1', found).map((verdict) => verdict.isMet)
  expect(met(new Map())).toEqual([true, true, true])
  expect(
    met(
      new Map([
        ['a', false],
        ['b', true],
      ]),
    ),
  ).toEqual([true, false, false])
})

test('the hint is given only where the rules ask for what it says', () => {
  const positiveRules = [presetRule('digit'), presetRule('special'), presetRule('length8')]
  const negativeRules = [presetRule('whitespace')]
  expect(isHintTrue({ positiveRules, negativeRules })).toBe(true)
  expect(isHintTrue({ positiveRules: positiveRules.slice(1), negativeRules })).toBe(false)
  expect(isHintTrue({ positiveRules, negativeRules: [] })).toBe(false)
})

test('an expression that the browser cannot read has no answer', () => {
  expect([matches('(', 'x'), matches('x', 'x'), matches('y', 'x')]).toEqual([undefined, true, false])
})
