import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { safeFileName, uniqueFileNames } from './fileName.ts'
import { hiddenInFileName } from './hidden.ts'

describe('a safe file name', () => {
  test.each([
    ['보고서 최종.pdf', '보고서 최종.pdf'],
    ['.env', '.env'],
    ['archive.tar.gz', 'archive.tar.gz'],
    ['보고서.pdf'.normalize('NFD'), '보고서.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\kim\\plan.docx', 'plan.docx'],
    ['mixed/..\\x.txt', 'x.txt'],
    ['/abs/olute', 'olute'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['COM1 .log', '_COM1 .log'],
    ['D:plan.docx', 'D_plan.docx'],
    ['plan.docx:hidden', 'plan.docx_hidden'],
    ['a\r\nSet-Cookie: x.txt', 'aSet-Cookie_ x.txt'],
    ['a\u0000b\u001b[31m\u007f\u0085.txt', 'ab[31m.txt'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['\u2066a\u2069\u200f\u200b\ufeff\u2028.txt', 'a.txt'],
    ['a\ud800b.txt', 'ab.txt'],
    ['\u3164\u115f\u2800a\u{e0041}\ufe0f.txt', 'a.txt'],
    ['👩🏽‍💻 ❤️.png', '👩🏽‍💻 ❤️.png'],
    [`${'👩‍'.repeat(40)}💻`, `${'👩‍'.repeat(33)}👩`],
    ['what? "<this>" | *that*.txt', 'what_ __this__ _ _that_.txt'],
    ['CON', '_CON'],
    ['con.txt', '_con.txt'],
    ['Com1.tar.gz', '_Com1.tar.gz'],
    ['LPT²', '_LPT²'],
    ['nul .txt', '_nul .txt'],
    ['aux. ', '_aux'],
    ['console.txt', 'console.txt'],
    ['COM10', 'COM10'],
    ['  spaced .txt . . ', 'spaced .txt'],
    ['..', 'file'],
    ['.', 'file'],
    ['', 'file'],
    ['a/', 'file'],
    ['\u202e\u0000', 'file'],
    [`${'한'.repeat(200)}.docx`, `${'한'.repeat(78)}.docx`],
    ['😀'.repeat(100), '😀'.repeat(60)],
  ])('of %j is %j', (name, safe) => {
    expect(safeFileName(name)).toBe(safe)
  })

  test('of any text is one that every system takes, and stays the same when made safe again', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const safe = safeFileName(name)
        expect(safe).toMatch(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}<>:"|?*/\\]+$/u)
        expect(hiddenInFileName(safe)).toBe(undefined)
        expect(safe).not.toMatch(/^\s|[\s.]$/u)
        expect(safe).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\s*(\.|$)/i)
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(241)
        expect(safe.isWellFormed()).toBe(true)
        expect(safeFileName(safe)).toBe(safe)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('names side by side', () => {
  test('get a number, also if only the case or the path differs', () => {
    expect(uniqueFileNames(['a.txt', 'A.TXT', 'x/a.txt', 'a (2).txt', 'b', 'B', 'straße', 'STRASSE'])).toEqual([
      'a.txt',
      'A (2).TXT',
      'a (3).txt',
      'a (2) (2).txt',
      'b',
      'B (2)',
      'straße',
      'STRASSE (2)',
    ])
  })

  test('are all different, in the order given, and fit a file system', () => {
    const few = fc.constantFrom('a.txt', 'A.txt', 'a (2).txt', 'CON', '', '가.pdf', '가.pdf'.normalize('NFD'))
    fc.assert(
      fc.property(fc.array(fc.oneof(few, anyName), { maxLength: 40 }), (names) => {
        const unique = uniqueFileNames(names)
        expect(unique).toHaveLength(names.length)
        expect(new Set(unique.map((name) => name.toLowerCase())).size).toBe(names.length)
        expect(new Set(unique.map((name) => name.toUpperCase())).size).toBe(names.length)
        for (const name of unique) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
      }),
    )
  })

  test('are found quickly for 10,000 files of one name', () => {
    const unique = uniqueFileNames(Array.from({ length: 10_000 }, () => 'report.pdf'))
    expect(unique.at(-1)).toBe('report (10000).pdf')
    expect(new Set(unique).size).toBe(10_000)
  })
})

const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ maxLength: 20 }),
  fc
    .array(fc.constantFrom(...'. /\\:"a한\r\n', 'con', 'NUL', 'lpt1', '\u202e', '\u200d', '👩', '\ud83d'))
    .map((parts) => parts.join('')),
)
