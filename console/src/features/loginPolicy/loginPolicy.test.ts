import { presetRule } from '@acc/contract/labels/passwordRules'
import { expect, test } from 'vitest'
import { duplicatesIn, ruleName } from './loginPolicy.ts'

test('presets have names in both languages, custom rules have the typed one', () => {
  expect(ruleName(presetRule('digit'), 'en')).toBe('One or more digits')
  expect(ruleName(presetRule('digit'), 'ko')).toBe('숫자 1자 이상')
  expect(ruleName({ name: 'Mine', reg: 'x' }, 'ko')).toBe('Mine')
})

test('rules in both lists are found', () => {
  const [digit, mine] = [presetRule('digit'), { name: 'Mine', reg: 'x' }]
  expect([...duplicatesIn([digit, mine], [presetRule('digit')])]).toEqual([digit])
  expect([...duplicatesIn([digit, mine], [{ name: 'Other', reg: 'x' }])]).toEqual([mine])
})
