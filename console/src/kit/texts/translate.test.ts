import { expect, test } from 'vitest'
import { withParticle } from './particles.ts'
import { addFormat, translate } from './translate.ts'

const en = {
  open: 'Open',
  rows_one: '{{count, number}} row',
  rows_other: '{{count, number}} rows',
  a: { b: '{{x}} of {{y}}' },
}
const ko = { rows: '{{count, number}}행', removed: '{{name, 을/를}} 삭제했습니다.' }

test('a text is found by its path', () => {
  expect(translate(en, 'en', 'open')).toBe('Open')
  expect(translate(en, 'en', 'a.b', { x: 1, y: 'two' })).toBe('1 of two')
})

test('numbers choose the form of their language and are grouped', () => {
  expect(translate(en, 'en', 'rows', { count: 1 })).toBe('1 row')
  expect(translate(en, 'en', 'rows', { count: 12_345 })).toBe('12,345 rows')
  expect(translate(ko, 'ko', 'rows', { count: 1 })).toBe('1행')
})

test('a value is inserted unchanged, even if it contains placeholders or markup', () => {
  expect(translate(en, 'en', 'a.b', { x: '{{y}} $& <b>', y: 2 })).toBe('{{y}} $& <b> of 2')
})

test('a form may be added', () => {
  addFormat('을/를', (value) => withParticle(String(value), '을/를'))
  expect(translate(ko, 'ko', 'removed', { name: '영업팀' })).toBe('영업팀을 삭제했습니다.')
})

test('a missing text shows its key, a missing value its placeholder', () => {
  expect(translate(en, 'en', 'a.c')).toBe('a.c')
  expect(translate(en, 'en', 'a')).toBe('a')
  expect(translate(en, 'en', 'a.b', { x: 1 })).toBe('1 of {{y}}')
})
