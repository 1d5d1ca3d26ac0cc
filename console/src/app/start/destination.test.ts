import { expect, test } from 'vitest'
import { homeOf, readDestination } from './destination.ts'

test('?go= names a screen and perhaps a record, nothing else', () => {
  expect(readDestination('approvals/123')).toEqual({ screen: 'approvals', idx: 123 })
  expect(readDestination('approvals')).toEqual({ screen: 'approvals', idx: null })
  for (const bad of [null, '', '//evil.example', 'approvals/', 'approvals/x', 'a/1/2', 'approvals/9999999999999999'])
    expect(readDestination(bad)).toBeNull()
})

test('the address stays as the server has given it, and leads to the front route from anywhere else', () => {
  expect(homeOf('/acc', '/acc/')).toBe('/acc/')
  expect(homeOf('/acc', '/acc')).toBe('/acc')
  expect(homeOf('/acc', '/')).toBe('/acc/')
})
