import { expect, test } from 'vitest'
import { readDestination } from './destination.ts'

test('?go= names a screen and perhaps a record, nothing else', () => {
  expect(readDestination('approvals/123')).toEqual({ screen: 'approvals', idx: 123 })
  expect(readDestination('approvals')).toEqual({ screen: 'approvals', idx: null })
  for (const bad of [null, '', '//evil.example', 'approvals/', 'approvals/x', 'a/1/2', 'approvals/9999999999999999'])
    expect(readDestination(bad)).toBeNull()
})
