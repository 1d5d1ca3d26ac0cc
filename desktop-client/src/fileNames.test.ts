// Names of downloaded files: the server's word for them is not trusted.
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { safeName, uniqueNames } from './fileNames.ts'

test.each([
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['C:\\temp\\a.txt', 'a.txt'],
  ['/abs/olute', 'olute'],
  ['..', 'file'],
  ['.', 'file'],
  ['', 'file'],
  ['a/', 'file'],
  ['con.txt', '_con.txt'],
  ['NUL', '_NUL'],
  ['COM1 .log', '_COM1 .log'],
  ['a:b?c*.txt', 'a_b_c_.txt'],
  ['photo\u202egpj.exe', 'photogpj.exe'],
  ['line\nbreak\u0000.txt', 'linebreak.txt'],
  ['trailing. . ', 'trailing'],
  ['보고서.pdf'.normalize('NFD'), '보고서.pdf'],
  ['.profile', '.profile'],
  ['\u3164\u2800\u{e0041}a.txt', 'a.txt'],
  ['👩🏽‍💻 ❤️.png', '👩🏽‍💻 ❤️.png'],
])('%j is saved as %j', (name, safe) => {
  expect(safeName(name)).toBe(safe)
})

test('a long name keeps its ending', () => {
  const safe = safeName(`${'가'.repeat(200)}.hwpx`)
  expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(240)
  expect(safe.endsWith('.hwpx')).toBe(true)
})

test('two files of a request do not meet, in any case', () => {
  expect(uniqueNames(['a.txt', 'A.TXT', 'a.txt', 'b', 'x/a.txt'])).toEqual([
    'a.txt',
    'A (2).TXT',
    'a (3).txt',
    'b',
    'a (4).txt',
  ])
})

test('whatever the server names stays one name in the chosen folder', () => {
  const parts = [
    'a',
    '가',
    '..',
    '.',
    '/',
    '\\',
    '\u0000',
    '\ud800',
    '\u202e',
    ' ',
    ':',
    'nul',
    '😀',
    '.txt',
    'x'.repeat(130),
  ]
  const names = parts.flatMap((one) => parts.flatMap((two) => parts.map((three) => one + two + three)))
  const saved = uniqueNames(names)
  expect(new Set(saved.map((name) => name.toLowerCase())).size).toBe(names.length)
  for (const name of saved) {
    expect(name).toBe(basename(name))
    expect(name).not.toMatch(/^\.{0,2}$|[/\\\p{Cc}\p{Cs}]/u)
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
  }
})
