import { dictionary } from '@zxcvbn-ts/language-common'
import { expect, test } from 'vitest'
import { isCommonPassword } from './commonPasswords.ts'

test('the 10,000 most common passwords are recognized in any case', () => {
  const common = dictionary['passwords-common'].slice(0, 10_000)
  expect(common.filter((password) => !isCommonPassword(password))).toEqual([])
  expect(isCommonPassword('PassWord')).toBe(true)
})

test('common passwords are recognized with digits and signs around them', () => {
  expect(['Password1!', '2024!Football', '#Superman#'].filter((password) => !isCommonPassword(password))).toEqual([])
})

test('other passwords are accepted', () => {
  const others = Array.from({ length: 10_000 }, (_, i) => `q${i * 7919}Zx-${(i * 104_729).toString(36)}`)
  expect(others.filter(isCommonPassword).length).toBeLessThan(10)
  expect(isCommonPassword('Adm1n!strator')).toBe(false)
})
