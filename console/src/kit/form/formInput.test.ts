import { api } from '@acc/contract'
import { ApiError } from '@acc/contract/core/client'
import { expect, test } from 'vitest'
import { fieldsOf, maxLengthOf, only, withoutEmpty, withPlaceholders } from './formInput.ts'

test('an empty optional field is not sent, an empty required one is, so that it is missed', () => {
  const { shape } = api.users.create.input
  expect(withoutEmpty({ id: '', name: 'x', key: '', expireDT: null }, shape)).toEqual({
    id: undefined,
    name: 'x',
    key: undefined,
    expireDT: null,
  })
})

test('a description may be sent empty, since that is a value of its own', () => {
  expect(withoutEmpty({ description: '' }, api.groups.update.input.shape)).toEqual({ description: '' })
})

test('an error finds its field by name, 983 by its list, others find none', () => {
  const names = ['id', 'email']
  const byName = { DUPLICATE_ID: 'id' }
  expect(fieldsOf(new ApiError('server', 120, ''), names, byName)).toEqual(['id'])
  expect(fieldsOf(new ApiError('server', 983, '', { fields: ['email', 'secret'] }), names, byName)).toEqual(['email'])
  expect(fieldsOf(new ApiError('server', 983, '', { fields: ['user.email'] }), names, byName)).toEqual(['email'])
  expect(fieldsOf(new ApiError('server', 983, '', { fields: { id: 'too long' } }), names, byName)).toEqual(['id'])
  expect(fieldsOf(new ApiError('server', 980, '', { fields: ['id'] }), names, byName)).toEqual([])
})

test('only the requested values are kept', () => expect(only({ a: 1, b: 2 }, (name) => name === 'b')).toEqual({ b: 2 }))

test('the longest text comes from the schema', () => {
  const { shape } = api.users.create.input
  expect(maxLengthOf(shape.name)).toBe(30)
  expect(maxLengthOf(shape.key)).toBe(100)
  expect(maxLengthOf(shape.groupIdx)).toBeUndefined()
  expect(maxLengthOf(undefined)).toBeUndefined()
})

test('empty texts are sent as their placeholders, others as they are', () => {
  expect(withPlaceholders({ id: '', name: 'x', count: 0 }, { id: 'generated' })).toEqual({
    id: 'generated',
    name: 'x',
    count: 0,
  })
  expect(withPlaceholders({ id: 'typed', name: '' }, { id: 'generated' })).toEqual({ id: 'typed', name: '' })
})
