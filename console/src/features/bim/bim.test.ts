import { expect, test } from 'vitest'
import { found, ipCharacters } from './bim.ts'

test('a search finds rows by any of their texts, in any case', () => {
  const rows = [
    { name: 'Plant 1', ip: '10.0.0.1' },
    { name: '본사', ip: '10.0.1.1' },
  ]
  const search = (text: string) => found(rows, text, ({ name, ip }) => [name, ip]).map(({ name }) => name)
  expect(search('')).toEqual(['Plant 1', '본사'])
  expect(search(' plant ')).toEqual(['Plant 1'])
  expect(search('10.0.1')).toEqual(['본사'])
  expect(search('%')).toEqual([])
})

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['10,0 0-1', '10001'],
  ['ab１２', ''],
])('of "%s" an address keeps "%s"', (typed, kept) => expect(ipCharacters(typed)).toBe(kept))
