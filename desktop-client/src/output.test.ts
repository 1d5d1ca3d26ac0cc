// Text for a terminal: sizes, columns, progress, and no control characters.
import { expect, test } from 'vitest'
import { displayWidth, fit, plain, table } from './output.ts'
import { openProgress, progressLine } from './progress.ts'

test('control characters and direction marks of others do not reach the terminal', () => {
  expect(plain('a\u001b[2Jb\r\nc\u202egpj.exe\u0007')).toBe('a [2Jb c gpj.exe')
  expect(plain('보고서 2026.pdf')).toBe('보고서 2026.pdf')
})

test('columns stay in line with Korean in them', () => {
  const lines = table([
    ['1', '승인', 'x'],
    ['12', 'ok', 'y'],
  ])
  expect(lines).toEqual(['1   승인  x', '12  ok    y'])
  expect(displayWidth('승인a')).toBe(5)
})

test('a text is cut to its cells', () => {
  expect(fit('report.pdf', 10)).toBe('report.pdf')
  expect(fit('report.pdf', 6)).toBe('repor…')
  expect(displayWidth(fit('가나다라마바사', 8))).toBeLessThanOrEqual(8)
})

test('a progress line shows bytes, share and rate', () => {
  const shown = { name: 'report.pdf', from: 0, since: 0 }
  const bytes = { done: 12 * 1024 ** 2, total: 30 * 1024 ** 2 }
  expect(progressLine(shown, bytes, 2000, 80)).toBe('report.pdf  12.00 MB / 30.00 MB  40%  6.00 MB/s')
  expect(displayWidth(progressLine({ ...shown, name: '가'.repeat(80) }, bytes, 2000, 60))).toBeLessThanOrEqual(60)
  expect(progressLine(shown, { done: 0, total: 0 }, 0, 80)).toBe('report.pdf  0 B / 0 B  100%')
})

test('the rate counts what this run has sent, not what the server held before', () => {
  expect(progressLine({ name: 'a', from: 1024, since: 0 }, { done: 2048, total: 4096 }, 1000, 80)).toContain(
    '1.00 KB/s',
  )
})

test('progress is drawn over one line, not more often than the eye needs, and taken away', () => {
  let now = 0
  const written: string[] = []
  const progress = openProgress({ write: (text) => written.push(text), columns: 80 }, true, () => now)
  progress.start('a')
  for (now = 0; now < 250; now += 10) progress.reach(now, 250)
  progress.end()
  expect(written).toHaveLength(4)
  expect(written.every((text) => text.startsWith('\r\u001b[K') && !text.includes('\n'))).toBe(true)
  expect(written.at(-1)).toBe('\r\u001b[K')
})

test('without a terminal nothing is drawn', () => {
  const written: string[] = []
  const progress = openProgress({ write: (text) => written.push(text) }, false)
  progress.start('a')
  progress.reach(1, 2)
  progress.end()
  expect(written).toEqual([])
})
