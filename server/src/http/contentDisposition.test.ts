import { safeFileName } from '@acc/contract/core/fileName'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentDisposition } from './contentDisposition.ts'

test.each([
  ['report.pdf', `attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`],
  ['보고서.pdf', `attachment; filename="___.pdf"; filename*=UTF-8''%EB%B3%B4%EA%B3%A0%EC%84%9C.pdf`],
  ["it's (1) 100%.txt", `attachment; filename="it's (1) 100_.txt"; filename*=UTF-8''it%27s%20%281%29%20100%25.txt`],
  [
    'a"; filename="evil.exe',
    `attachment; filename="a_; filename=_evil.exe"; filename*=UTF-8''a_%3B%20filename%3D_evil.exe`,
  ],
  ['a\r\nSet-Cookie: b=c', `attachment; filename="aSet-Cookie_ b=c"; filename*=UTF-8''aSet-Cookie_%20b%3Dc`],
  ['../../x\\y.txt', `attachment; filename="y.txt"; filename*=UTF-8''y.txt`],
  ['😀.png', `attachment; filename="_.png"; filename*=UTF-8''%F0%9F%98%80.png`],
  ['', `attachment; filename="file"; filename*=UTF-8''file`],
])('the header for %j', (name, header) => {
  expect(contentDisposition(name)).toBe(header)
})

test('for every name, the header is one line of the grammar of RFC 6266 and yields the safe name', () => {
  // attr-char of RFC 8187 section 3.2.1, and quoted-string without escapes.
  const grammar = /^attachment; filename="[ !#-[\]-~]+"; filename\*=UTF-8''((?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})+)$/
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const [, encoded] = grammar.exec(contentDisposition(name)) ?? []
      expect(decodeURIComponent(encoded ?? '')).toBe(safeFileName(name))
    }),
    { numRuns: 1000 },
  )
})
