import { expect, test } from 'vitest'
import { mergeValues } from './mergedForm.ts'

const BASE = { name: 'Kim', email: 'kim@example.com', isMortal: 0, expireDT: null, groups: [1, 2] }
const merge = (mine: object, theirs: object, units: string[][] = []) =>
  mergeValues(BASE, { ...BASE, ...mine }, { ...BASE, ...theirs }, units)

test('fields that only one side changed take the change of that side', () => {
  const { values, collided } = merge({ name: 'Lee' }, { email: 'lee@example.com' })
  expect(values).toEqual({ ...BASE, name: 'Lee', email: 'lee@example.com' })
  expect(collided).toEqual([])
})

test('a field that both changed keeps the typed value and is named', () => {
  expect(merge({ name: 'Lee' }, { name: 'Park' })).toEqual({ values: { ...BASE, name: 'Lee' }, collided: ['name'] })
})

test('the same change on both sides is no collision', () => {
  const both = { name: 'Lee', groups: [2, 3] }
  expect(merge(both, both)).toEqual({ values: { ...BASE, ...both }, collided: [] })
})

test('lists are compared by their content', () => {
  expect(merge({ groups: [1, 2] }, { groups: [3] }).values.groups).toEqual([3])
  expect(merge({ groups: [1] }, { groups: [3] }).collided).toEqual(['groups'])
})

test('a unit is merged as one value, so that a switch keeps its date', () => {
  const mine = { isMortal: 1, expireDT: '2027-01-01' }
  const theirs = { isMortal: 1, expireDT: '2027-06-30' }
  const { values, collided } = merge(mine, theirs, [['isMortal', 'expireDT']])
  expect(values).toMatchObject(mine)
  expect(collided).toEqual(['isMortal', 'expireDT'])
})

test('a value that is not sent differs from an empty one', () => {
  const base = { icon: undefined }
  expect(mergeValues(base, { icon: null }, base, []).values).toEqual({ icon: null })
  expect(mergeValues(base, { icon: null }, { icon: 'new' }, []).collided).toEqual(['icon'])
})

test('fields that the form no longer has are dropped, and those that others removed from a unit', () => {
  const { values } = mergeValues({ gone: 1 }, { gone: 2, name: 'Lee' }, { name: 'Kim' }, [['gone', 'name']])
  expect(values).toEqual({ name: 'Lee' })
})
