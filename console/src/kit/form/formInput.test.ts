import { api } from '@acc/contract'
import { ApiError } from '@acc/contract/core/client'
import type { Route } from '@acc/contract/core/route'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { draftSubject, fieldsOf, maxLengthOf, only, secretsIn, withoutEmpty, withPlaceholders } from './formInput.ts'

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

const FORMS = Object.values(api).flatMap((routes): Route[] => Object.values(routes))

/** The names of all texts of an input, at any depth. */
function textsIn(schema: z.core.$ZodType, name = ''): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return textsIn(schema.unwrap(), name)
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, field]) => textsIn(field as z.ZodType, key))
  return schema instanceof z.ZodString ? [name] : []
}

test.each(FORMS.map((route) => [`${route.method} ${route.path}`, route] as const))(
  'the secrets of %s are known as such, so that no draft keeps them',
  (_, { input }) => {
    const secrets = textsIn(input).filter((name) => /pw|password|secret|^otp$/i.test(name))
    expect(secretsIn(input)).toEqual(expect.arrayContaining(secrets))
  },
)

test('the secrets of forms are found, below optional parts too', () => {
  expect(secretsIn(api.mailServer.test.input)).toEqual(['pw'])
  expect(secretsIn(api.userSync.set.input)).toEqual(['bindPw'])
  expect(secretsIn(api.bim.updateServer.input)).toEqual(['id'])
  expect(secretsIn(api.users.create.input)).toEqual([])
})

test('all revisions of a record have one draft', () => {
  expect(draftSubject(api.users.update, { idx: 3, revision: 7 })).toBe('PUT /User {"idx":3}')
  expect(draftSubject(api.users.create)).toBe('POST /User {}')
})
