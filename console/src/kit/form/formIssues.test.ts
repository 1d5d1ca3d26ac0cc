import { api } from '@acc/contract'
import { expect, test } from 'vitest'
import { issuesByField } from './formIssues.ts'

const t = (key: string, values: Record<string, string | number> = {}) => [key, ...Object.values(values)].join(' ')
const issuesIn = (values: Record<string, unknown>, own: Record<string, string> = {}) => {
  const read = api.users.create.input.safeParse(values)
  return read.success ? {} : issuesByField(read.error.issues, values, own, t)
}
const user = { id: 'gildong', name: '홍길동', email: 'a@b.c', groupIdx: 3, isMortal: 0 }

test('valid values have no issues', () => expect(issuesIn(user)).toEqual({}))

test('an empty field is required, regardless of other rules of the schema', () => {
  expect(issuesIn({ ...user, id: '', groupIdx: null })).toEqual({ id: 'form.required', groupIdx: 'form.required' })
})

test('messages about limits contain the number', () => {
  expect(issuesIn({ ...user, id: 'abc' })).toEqual({ id: 'form.tooShort 5' })
  expect(issuesIn({ ...user, name: '가'.repeat(31) })).toEqual({ name: 'form.tooLong 30' })
})

test('an invisible character is named, even if the field has a text of its own', () => {
  expect(issuesIn({ ...user, name: '홍\u200b길동' }, { name: 'one line' })).toEqual({ name: 'form.hidden U+200B' })
  expect(issuesIn({ ...user, name: '👩‍👩‍👧 \u202egpj' })).toEqual({ name: 'form.hidden U+202E' })
})

test('a wrong format shows the text of the field, if it has one', () => {
  expect(issuesIn({ ...user, id: 'Gildong' })).toEqual({ id: 'form.format' })
  expect(issuesIn({ ...user, id: 'Gildong' }, { id: 'lower-case only' })).toEqual({ id: 'lower-case only' })
})
