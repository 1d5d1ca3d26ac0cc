// Faults of configurations as the editor marks them.
import { expect, test } from 'vitest'
import { faultOf } from './configFaults.ts'

test.each([
  ['xml', '', null],
  ['xml', '<a>&amp;</a>\n', null],
  ['xml', '<a><b></a>', 'xmlFault'],
  ['xml', '<!DOCTYPE a><a/>', 'doctype'],
  ['json', ' ', null],
  ['json', '{"path": "C:\\acc"}', null],
  ['json', '{"a": 1,}', 'jsonFault'],
] as const)('%s %j: %s', (language, text, kind) => {
  expect(faultOf(language, text)?.kind ?? null).toBe(kind)
})

test('the place of a fault is within the text', () => {
  for (const text of ['<', '<a', '{', '"'])
    for (const language of ['xml', 'json'] as const)
      expect(faultOf(language, text)?.at).toBeLessThanOrEqual(text.length)
})
