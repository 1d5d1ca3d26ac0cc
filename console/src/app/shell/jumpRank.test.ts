import { expect, test } from 'vitest'
import { bestRank, rankOf } from './jumpRank.ts'

test('exact names come before beginnings, words and parts', () => {
  const ranks = ['메일', '메일 서버', '보낸 메일', '외부메일함', '로고'].map((name) => rankOf(name, '메일'))
  expect(ranks).toEqual([0, 1, 2, 3, undefined])
  expect(rankOf('Mail server', 'SERVER')).toBe(2)
  expect(rankOf('minjun.park@example.com', 'park')).toBe(2)
})

test.each([
  ['ㅅㅇㅈ', '사용자', 1],
  ['ㅎㄱㅈ', '사용자 한결 조', 3],
  ['ㅂㄴㅁㅇ', '보낸 메일', 1],
  // Two consonants that the input method joins.
  ['ㄳ', '기술연구소', 1],
  ['ㄳ', '감사팀', 1],
  ['ㅄ', '부서', 1],
  ['ㅋㅋ', '사용자', undefined],
] as const)('%s finds %s by initials: %s', (typed, name, rank) => {
  expect(rankOf(name, typed)).toBe(rank)
})

test.each(['ㄱ', '기', '김', '김ㅅ', '김서', '김성', '김서여', '김서연'])(
  'a name is found at each step of typing it: %s',
  (typed) => {
    expect(rankOf('김서연', typed)).toBeDefined()
  },
)

test('an unfinished syllable matches no other syllable', () => {
  expect(rankOf('김서연', '김수')).toBeUndefined()
  expect(rankOf('김서연', '서영')).toBeUndefined()
})

test('what people may type instead of a name is found after the names', () => {
  expect(bestRank(['라이선스', 'License'], '사용권', 'license')).toBe(0)
  const byWord = bestRank(['라이선스', 'License'], '사용권 등록 PC', '등록')
  expect(byWord).toBeGreaterThan(bestRank(['보낸 메일'], '', '낸') ?? 99)
  expect(bestRank(['라이선스'], '사용권 등록 PC', '용권')).toBeUndefined()
})

test('nothing and signs alone find nothing', () => {
  for (const typed of ['', '   ', '()', '#', '.*', '\\']) expect(rankOf('사용자', typed)).toBeUndefined()
})
