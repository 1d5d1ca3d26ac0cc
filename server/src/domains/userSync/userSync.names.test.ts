// Distinguished names with their escapes (RFC 4514 §4), and the units between a base and an entry.
import { expect, test } from 'vitest'
import { nameKey, parseName, unitsBetween } from './userSync.names.ts'

const read = (text: string) => parseName(text) ?? []

test.each([
  ['UID=jsmith,DC=example,DC=net', ['jsmith', 'example', 'net']],
  ['OU=Sales+CN=J.  Smith,DC=example,DC=net', ['Sales', 'J.  Smith', 'example', 'net']],
  [String.raw`CN=James \"Jim\" Smith\, III,DC=net`, ['James "Jim" Smith, III', 'net']],
  [String.raw`CN=Before\0dAfter,DC=net`, ['Before\rAfter', 'net']],
  [String.raw`CN=Lu\C4\8Di\C4\87`, ['Lučić']],
  [String.raw`OU=\EC\98\81\EC\97\85,DC=a`, ['영업', 'a']],
  [String.raw`CN=back\\ab\5Ccd`, [String.raw`back\ab\cd`]],
  [String.raw`CN=\ leading and trailing\ ,DC=a`, [' leading and trailing ', 'a']],
  ['cn = spaces around , dc = b ', ['spaces around', 'b']],
  [String.raw`CN=a\+b\=c\;d\<e\>f\#g`, ['a+b=c;d<e>f#g']],
])('%s', (text, values) => {
  expect(read(text).flatMap((part) => part.map(({ value }) => value))).toEqual(values)
})

test.each(['cn', 'cn=a,', '=a', 'cn=a,,dc=b', String.raw`cn=a\ `.slice(0, -1), 'a b=c'])('%s is no name', (text) => {
  expect(parseName(text)).toBeUndefined()
})

test('names are the same in any case, order of a part and spacing', () => {
  const one = nameKey(read('OU=Team  1+CN=x,DC=Example'))
  expect(nameKey(read('cn=X + ou=team 1,dc=EXAMPLE'))).toBe(one)
  expect(nameKey(read('cn=X,ou=team 1,dc=EXAMPLE'))).not.toBe(one)
  expect(nameKey(read(String.raw`ou=a\,dc=b`))).not.toBe(nameKey(read('ou=a,dc=b')))
})

test('the units between base and entry are found, the outermost first', () => {
  const base = read('OU=People,DC=example,DC=com')
  const between = (text: string) => unitsBetween(base, read(text))?.map(({ name }) => name)
  expect(between(String.raw`CN=Kim\, A,OU=Team 1,OU=영업,ou=people,dc=EXAMPLE,dc=com`)).toEqual(['영업', 'Team 1'])
  expect(between('CN=Kim,CN=Users,OU=East,OU=People,DC=example,DC=com')).toEqual(['East'])
  expect(between('CN=Kim,OU=People,DC=example,DC=com')).toEqual([])
  expect(between('OU=People,DC=example,DC=com')).toEqual([])
  expect(between('CN=Kim,OU=Other,DC=example,DC=com')).toBeUndefined()
})
