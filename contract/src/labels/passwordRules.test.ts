import { expect, test } from 'vitest'
import { faultOfRule, PASSWORD_PRESETS, type PasswordPreset, presetRule } from './passwordRules.ts'

test.each<[PasswordPreset, string[], string[]]>([
  ['uppercase', ['aB'], ['ab']],
  ['lowercase', ['Ab'], ['AB']],
  ['digit', ['a1'], ['ab']],
  ['special', ['a!', 'a~', 'a['], ['aA1', '가']],
  ['length8', ['12345678'], ['1234567']],
  ['whitespace', ['a b', 'a\tb'], ['ab']],
  ['sequentialDigits', ['a123', '890', '210'], ['a12', '135']],
  ['horizontalLetters', ['qwer', 'POIU', 'ASdf'], ['qwe', 'qaz']],
  ['verticalLetters', ['qaz', 'XSW'], ['qa', 'qwe']],
  ['repeatedDigits', ['a111'], ['a11', 'aaa']],
  ['repeatedCharacters', ['aaa', '!!!'], ['aa', 'aAa']],
])('the preset %s matches what it says', (preset, matching, others) => {
  const reg = new RegExp(PASSWORD_PRESETS[preset].reg)
  expect(matching.filter((text) => !reg.test(text))).toEqual([])
  expect(others.filter((text) => reg.test(text))).toEqual([])
})

test('a rule is refused in addition to rules of the same name or expression', () => {
  const rule = { name: 'Two digits', reg: '\\d\\d' }
  expect(faultOfRule(rule, [], [])).toBeUndefined()
  expect(faultOfRule(rule, [{ name: 'two DIGITS', reg: 'x' }], [])).toBe('registeredName')
  expect(faultOfRule(rule, [], [{ name: 'Two digits', reg: 'x' }])).toBe('duplicateName')
  expect(faultOfRule(rule, [{ name: 'x', reg: '\\d\\d' }], [])).toBe('registeredReg')
  expect(faultOfRule(rule, [], [{ name: 'x', reg: '\\d\\d' }])).toBe('duplicateReg')
})

test('a custom name cannot repeat the words of a preset in either language', () => {
  const preset = presetRule('digit')
  expect(faultOfRule({ name: 'one or more digits', reg: 'x' }, [preset], [])).toBe('registeredName')
  expect(faultOfRule({ name: '숫자 1자 이상', reg: 'x' }, [], [preset])).toBe('duplicateName')
  expect(faultOfRule(presetRule('digit'), [], [preset])).toBe('duplicateName')
})
