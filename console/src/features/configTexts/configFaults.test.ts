// Faults of configurations as the editor marks them.
import { expect, test } from 'vitest'
import { faultsOf } from './configFaults.ts'

test.each([
  ['xml', '', null],
  ['xml', '<a>&amp;</a>\n', null],
  ['xml', '<a><b></a>', 'xmlFault'],
  ['xml', '<!DOCTYPE a><a/>', 'doctype'],
  ['json', ' ', null],
  ['json', '{"path": "C:\\\\acc"}', null],
  ['json', '{"path": "C:\\acc"}', 'backslash'],
  ['json', '{"path": "C:\\acc",}', 'jsonFault'],
  ['json', '{"a": 1,}', 'jsonFault'],
] as const)('%s %j: %s', (language, text, kind) => {
  expect(faultsOf(language, text)[0]?.kind ?? null).toBe(kind)
})

test('the place of a fault is within the text', () => {
  for (const text of ['<', '<a', '{', '"'])
    for (const language of ['xml', 'json'] as const)
      for (const { at } of faultsOf(language, text)) expect(at).toBeLessThanOrEqual(text.length)
})

test('every single backslash is marked', () => {
  const text = String.raw`{"path": "C:\Program Files\acc"}`
  expect(faultsOf('json', text).map(({ at }) => text[at])).toEqual(['\\', '\\'])
})
