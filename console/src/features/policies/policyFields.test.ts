import { DEFAULT_POLICY, POLICY_FIELDS } from '@acc/contract/policyValues'
import { expect, test } from 'vitest'
import { differences, SHOWN_FIELDS, valuesOf } from './policyFields.ts'

test('the panel shows every value of a policy exactly once', () => {
  expect([...SHOWN_FIELDS].sort()).toEqual([...POLICY_FIELDS].sort())
})

test('differences come in the order of the panel', () => {
  expect(differences(DEFAULT_POLICY, { ...DEFAULT_POLICY, network: 0, fileExport: 2 })).toEqual([
    'fileExport',
    'network',
  ])
})

test('values leave everything else of a policy behind', () => {
  expect(valuesOf({ ...DEFAULT_POLICY, ...{ ownerName: 'x' } })).toEqual(DEFAULT_POLICY)
})
