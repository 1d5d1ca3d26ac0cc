// The extension of a name stays visible, since it shows an approver the kind of file.
import { expect, test } from 'vitest'
import { splitFileName } from './FileName.tsx'

test.each([
  ['plan.exe', '', 'plan.exe'],
  ['연간 사업 계획 최종본 v2.hwpx', '연간 사업 계획 최', '종본 v2.hwpx'],
  [`plan${' '.repeat(40)}.exe`, `plan${' '.repeat(34)}`, `${' '.repeat(6)}.exe`],
  ['invoice.pdf.configuration', 'invoice.pdf', '.configuration'],
  [`archive.${'x'.repeat(60)}`, `archive.${'x'.repeat(46)}`, 'x'.repeat(14)],
  ['a name without any ending at all', 'a name without any end', 'ing at all'],
  ['가족 사진 모음 12345👨‍👩‍👧.jpeg', '가족 사진 모음 1', '2345👨‍👩‍👧.jpeg'],
])('%s', (name, head, tail) => {
  expect(splitFileName(name)).toEqual([head, tail])
  expect(head + tail).toBe(name)
})
