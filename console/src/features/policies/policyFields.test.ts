import { DEFAULT_POLICY, POLICY_FIELDS, PolicyValues } from '@acc/contract/policies'
import { expect, test } from 'vitest'
import { AMOUNTS, choicesOf, differences, SHOWN_FIELDS, valuesOf } from './policyFields.ts'

test('every value of a policy stands in the panel, each once', () => {
  expect([...SHOWN_FIELDS].sort()).toEqual([...POLICY_FIELDS].sort())
})

test.each(SHOWN_FIELDS.filter((field) => AMOUNTS[field] === undefined))(
  '%s offers every value it can have',
  (field) => {
    const schema = PolicyValues.shape[field]
    const offered = choicesOf(field).map((_, value) => value)
    expect(offered.every((value) => schema.safeParse(value).success)).toBe(true)
    expect(schema.safeParse(offered.length).success).toBe(false)
  },
)

test.each(Object.entries(AMOUNTS))('%s has the bounds of the contract', (field, { max }) => {
  const schema = PolicyValues.shape[field as keyof PolicyValues]
  expect([1, max].every((value) => schema.safeParse(value).success)).toBe(true)
  expect([0, max + 1].some((value) => schema.safeParse(value).success)).toBe(false)
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
