// Allowed characters of names, texts and file names: people decide by reading them, so invisible ones are rejected.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import {
  anyLine,
  anyMoment,
  approvalPurpose,
  authorityName,
  deviceName,
  email,
  fileName,
  groupDescription,
  groupName,
  key,
  loginId,
  personName,
  requestPurpose,
  searchText,
} from './fields.ts'
import { codePointOf, hiddenInFileName, withoutHidden } from './hidden.ts'

const takes = (field: z.ZodType, text: string): boolean => field.safeParse(text).success

const DIRECTIONS = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2069']
const WIDTHLESS = ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u034f', '\ufff9', '\u180e']
const FILLERS = ['\u115f', '\u1160', '\u3164', '\uffa0', '\u2800']
const TAGS = ['\u{e0001}', '\u{e0041}', '\u{e007f}']
const HIDDEN = [...DIRECTIONS, ...WIDTHLESS, ...FILLERS, ...TAGS]
const hidden = HIDDEN.map((character) => [codePointOf(character), character] as const)

test('text is bounded as it is sent, before it is normalized', () => {
  const nfd = '\u1112\u1161\u11ab'
  expect(personName.parse(nfd.repeat(30))).toBe('한'.repeat(30))
  expect(personName.parse(` ${'x'.repeat(30)} `)).toBe('x'.repeat(30))
  expect(takes(personName, 'x'.repeat(31))).toBe(false)
  expect([takes(personName, `x${' '.repeat(119)}`), takes(personName, `x${' '.repeat(120)}`)]).toEqual([true, false])
  for (const field of [personName, loginId, email, fileName, requestPurpose, searchText]) {
    // Only the first limit checks it: one issue.
    const { error } = field.safeParse('a'.repeat(100_000))
    expect(error?.issues).toMatchObject([{ code: 'too_big' }])
  }
})

test('no letter carries more than 30 marks, which normalization would sort in quadratic time', () => {
  for (const field of [deviceName, fileName, requestPurpose, searchText.max(100), key]) {
    expect(takes(field, 'a\u0301b')).toBe(true)
    expect(takes(field, `a${'\u0315'.repeat(31)}`)).toBe(false)
    expect(takes(field, `a${'\u0315\u0316'.repeat(16)}`)).toBe(false)
  }
  expect(takes(deviceName, `a${'\u0315'.repeat(30)}`)).toBe(true)
})

test('a moment is in the years 1 to 9999 in UTC', () => {
  const given = [
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
  ]
  expect(given.map((text) => takes(anyMoment, text))).toEqual([true, true, false, false])
  expect(takes(anyMoment, '0000-06-01T00:00:00Z')).toBe(false)
})

describe('invisible characters', () => {
  const names = { personName, groupName, groupDescription, authorityName, key, deviceName }
  test.each(hidden)('%s is rejected in names, keys, descriptions and IDs', (_, character) => {
    for (const [name, field] of Object.entries(names)) {
      expect(takes(field, '영업 1팀'), name).toBe(true)
      expect(takes(field, `영업${character}1팀`), name).toBe(false)
      expect(takes(field, `영업1팀${character}영업`), name).toBe(false)
    }
    expect(takes(loginId, `kim${character}min`)).toBe(false)
    expect(takes(email, `kim${character}@acc.test`)).toBe(false)
  })

  test.each(hidden)('%s is rejected in file names', (_, character) => {
    expect(takes(fileName, `report${character}xcod.exe`)).toBe(false)
    expect(takes(fileName, `보고${character}서.hwpx`)).toBe(false)
    expect(takes(fileName, character)).toBe(false)
  })

  test.each(DIRECTIONS.map((character) => [codePointOf(character), character]))(
    '%s turns no purpose',
    (_, character) => {
      expect(takes(requestPurpose, `월간 보고서\n${character}거래처 송부`)).toBe(false)
      expect(takes(approvalPurpose, `확인${character}함`)).toBe(false)
    },
  )

  test('do not count as a purpose', () => {
    for (const blank of [...FILLERS, '\u200b', ' \u3164\n\u200b ']) {
      expect(takes(requestPurpose, blank), codePointOf(blank)).toBe(false)
      expect(takes(requestPurpose, `${blank}월간 보고서`)).toBe(!DIRECTIONS.includes(blank))
    }
  })

  test('can be searched for, and are kept as evidence', () => {
    expect(takes(searchText, 'report\u202excod')).toBe(true)
    expect(takes(anyLine(30), 'svchost\u202egpj.exe')).toBe(true)
  })
})

describe('characters that a script needs', () => {
  test.each(['❤️ 봉사팀', '👨‍👩‍👧 가족', '👩🏽‍💻', '🏳️‍🌈', '1️⃣ 단계', '😀'])('%s is a name', (name) => {
    expect(takes(personName, name)).toBe(true)
    expect(takes(fileName, `${name}.txt`)).toBe(true)
  })

  test.each(['می‌خواهم.txt', 'क्‍ष.pdf', '葛\u{e0100}飾.docx'])('%s is a file name', (name) => {
    expect(takes(fileName, name)).toBe(true)
    expect(withoutHidden(name)).toBe(name)
  })

  test.each([
    ['a joiner between syllables', '가\u200d나.txt'],
    ['a joiner between Latin letters', 'a\u200cb.txt'],
    ['a joiner behind an emoji', '😀\u200d.txt'],
    ['a joiner behind a direction mark, which is Arabic too', '\u061c\u200cب.txt'],
    ['a joiner at the end', 'می\u200c.txt'],
    ['two forms of one emoji', '❤\ufe0f\ufe0f.txt'],
    ['a form of a letter', 'a\ufe0f.txt'],
  ])('is not %s', (_, name) => {
    expect(takes(fileName, name)).toBe(false)
  })
})

test.each(['.', '..', '', ' ', '\u3000', 'a/b', 'a\\b', 'a\u0000b', 'a\nb', 'x'.repeat(256)])(
  '%j is not a file name',
  (name) => {
    expect(takes(fileName, name)).toBe(false)
  },
)

test.each(['보고서 최종.pdf', '.env', 'CON', '...', '=1+1.csv', '한'.repeat(255)])('%j is a file name', (name) => {
  expect(takes(fileName, name)).toBe(true)
})

const piece = fc.oneof(
  fc.constantFrom(...HIDDEN, '\ufe0f', '\u{e0100}', '❤', '👩', '🏽', '1', '\u20e3', '葛', 'ب', 'क', '\u094d'),
  fc.string({ unit: 'binary', maxLength: 3 }),
)

test('a file name without its invisible characters contains none', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const shown = withoutHidden(pieces.join(''))
      expect(withoutHidden(shown)).toBe(shown)
      expect(hiddenInFileName(shown)).toBe(undefined)
      expect(shown).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0001}-\u{e007f}\u3164]/u)
    }),
    { numRuns: 5000 },
  )
})
