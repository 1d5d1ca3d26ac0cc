// Reports of blocked connections: batches that the server recognizes when they are repeated.
import { MAX_BLOCKS, networkBlocks } from '@acc/contract/networkBlocks'
import { expect, test } from 'vitest'
import { batchesOf, batchId } from './commands/reportBlocks.ts'

const block = (at: number) => ({ type: 0, targetIp: `203.0.113.${at % 256}`, blockDT: '2026-01-31T09:30:00+09:00' })
const report = (count: number) => Array.from({ length: count }, (_, at) => block(at))
const ids = (blocks: unknown[], reporter = 'hong') => batchesOf(blocks, reporter).map((batch) => batch.batchId)

test('a report is cut into batches that the contract takes', () => {
  const batches = batchesOf(report(2 * MAX_BLOCKS + 1), 'hong')
  expect(batches.map(({ blocks }) => blocks.length)).toEqual([MAX_BLOCKS, MAX_BLOCKS, 1])
  for (const batch of batches) expect(networkBlocks.report.input.safeParse(batch).success).toBe(true)
})

test('the same report has the same ids, another one others', () => {
  expect(ids(report(1500))).toEqual(ids(report(1500)))
  expect(ids([{ ...block(1), extra: 1 }])).toEqual(ids([block(1)]))
  expect(ids([block(2)])).not.toEqual(ids([block(1)]))
  expect(ids([block(1)], 'kim')).not.toEqual(ids([block(1)], 'hong'))
})

test('batches of one report differ, even with the same entries in them', () => {
  expect(new Set(ids(Array.from({ length: 2 * MAX_BLOCKS }, () => block(1)))).size).toBe(2)
})

test('a batch id is a UUID of version 8', () => {
  expect(batchId('x')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a wrong entry is named by its place and field', () => {
  const blocks = [...report(MAX_BLOCKS), block(1), { ...block(2), blockDT: 'yesterday', type: 5 }]
  expect(() => batchesOf(blocks, 'hong')).toThrow(/Entry 1002 .*\(type, blockDT\)/)
  expect(() => batchesOf([7], 'hong')).toThrow('Entry 1 ')
})
