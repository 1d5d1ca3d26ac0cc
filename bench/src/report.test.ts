// The file of figures: one table for each size, and what people write below them.
import { expect, test } from 'vitest'
import { failedRow, type Row, tableOf, withTable } from './report.ts'

const sizes = { users: 10, groups: 5, signIns: 1000, history: 500, requests: 7 }
const row = (product: string): Row => ({
  work: 'empty call',
  product,
  limit: '9/s',
  reached: '50 %',
  wanted: '>= 50 %',
})
const table = (product: string, signIns = sizes.signIns) =>
  tableOf([row(product)], { at: new Date(0), sizes: { ...sizes, signIns }, generator: 'wrk', seconds: 1 })

test('the table of a size replaces the former one of it and nothing else', () => {
  const first = withTable('', table('1/s'))
  expect(first).toMatch(
    /^# Figures\n[\s\S]*\n## 1,500 rows\n[\s\S]*\| empty call \| 1\/s \| 9\/s \| 50 % \(wanted >= 50 %\) \| {2}\|\n$/,
  )
  const both = withTable(`${first}\n## What is missed\n\nNothing.\n`, table('2/s', 9500))
  const titles = (text: string) => text.match(/^#.*$/gm)
  expect(titles(both)).toEqual(['# Figures', '## 1,500 rows', '## 10,000 rows', '## What is missed'])
  const again = withTable(both, table('3/s'))
  expect(titles(again)).toEqual(titles(both))
  expect(again).toContain('3/s')
  expect(again).not.toContain('1/s')
  expect(again).toContain('2/s')
  expect(withTable(again, table('3/s'))).toBe(again)
})

test('a scenario that fails is a row that does not break the table', () => {
  const { product } = failedRow('csv', new Error('a | b\r\nc'))
  expect(product).toBe('FAILED: a   b c')
})
