import { expect, test } from 'vitest'
import { withParticle } from './particles.ts'

test.each([
  ['홍길동', '을/를', '홍길동을'],
  ['이지은', '이/가', '이지은이'],
  ['영희', '은/는', '영희는'],
  ['서울', '으로/로', '서울로'],
  ['본사', '으로/로', '본사로'],
  ['영업1팀', '와/과', '영업1팀과'],
  ['admin', '을/를', 'admin을'],
  ['sales', '을/를', 'sales를'],
  ['그룹 3', '이/가', '그룹 3이'],
  ['그룹 2', '이/가', '그룹 2가'],
  ['설계(외주)', '을/를', '설계(외주)를'],
  ['', '을/를', ''],
  ['!!', '을/를', '!!'],
] as const)('%s with %s is %s', (word, particle, whole) => {
  expect(withParticle(word, particle)).toBe(whole)
})
