import { expect, test } from 'vitest'
import { findContextWord, personWords, wordsOf } from './contextWords.ts'

const KIM = personWords({ id: 'minsu.kim', name: 'Kim Min-su', email: 'ms.kimmo@hanbit.example' })

test.each([
  ['Minsu!2026x', 'minsu'],
  ['m-i_n.s u#91', 'minsu'],
  ['MINSUKIM#91', 'minsu.kim'],
  ['KIMMO-92-zz', 'kimmo'],
  ['ｍｉｎｓｕ#91', 'minsu'],
])('%s contains a word of the person', (password, word) => {
  expect(findContextWord(password, KIM)).toBe(word)
})

test.each(['Kim!2026-xy', 'Hanbit#2026', 'M1nsu#9-Xy', ''])('%s contains none', (password) => {
  expect(findContextWord(password, KIM)).toBeUndefined()
})

test('short words, digits inside a name and empty texts are no words', () => {
  expect(findContextWord('ACC-2026-abc!', [...wordsOf('ACC'), ...wordsOf('kim.2026'), ...wordsOf('')])).toBeUndefined()
  expect(findContextWord('x-20261122-y', wordsOf('20261122'))).toBe('20261122')
})

test('a Korean word counts from four letters on', () => {
  expect(findContextWord('한빛전자!2026', wordsOf('주식회사 한빛전자'))).toBe('한빛전자')
  expect(findContextWord('한빛 전자!2026', wordsOf('한빛전자'.normalize('NFD')))).toBe('한빛전자'.normalize('NFD'))
})
