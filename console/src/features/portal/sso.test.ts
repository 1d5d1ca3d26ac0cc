import { expect, test } from 'vitest'
import { readSsoReturn } from './sso.ts'

test.each([
  ['', undefined, false],
  ['?go=users/3', undefined, false],
  ['?ssoError=182', 'SSO_REFUSED', true],
  ['?ssoError=103', 'ACCOUNT_EXPIRED', true],
  ['?ssoError=nonsense', 'SSO_UNAVAILABLE', true],
  ['?sso=done', undefined, true],
  ['?sso=off', undefined, true],
])('%s', (query, error, staysHere) => {
  expect(readSsoReturn(new URLSearchParams(query))).toEqual({ error, staysHere })
})
