// Formats of the configurations: hostile documents are refused at once, and the host cannot break out of its place.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { ConfigKind, configForClients, isConfigText } from './configTexts.format.ts'

const MIB = 1024 * 1024
const isSite = (text: string) => isConfigText(ConfigKind.SITE_CONFIG, text)
const isPolicy = (text: string) => isConfigText(ConfigKind.CLIENT_POLICY, text)
const attributes = (count: number) => Array.from({ length: count }, (_, i) => `a${i}=""`).join(' ')

let hits = 0
const canary = createServer((_request, response) => {
  hits++
  response.end('')
}).listen(0, '127.0.0.1')
await once(canary, 'listening')
const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/x`
afterAll(() => canary.close())

test.each([
  '',
  ' \n',
  '<site/>',
  '<?xml version="1.0" encoding="UTF-8"?>\n<site host="{{HOST}}"><!-- 주석 --><name>본사 &amp; 지사 &#44032;</name></site>\n',
  '<a><![CDATA[<b>]]></a>',
  '<a:b xmlns:a="urn:x"/>',
])('%j is a siteConfig', async (text) => {
  expect(await isSite(text)).toBe(true)
})

test.each([
  ['no document', 'text'],
  ['two documents', '<a/><b/>'],
  ['an open element', '<a><b></a>'],
  ['an attribute twice', '<a x="1" x="2"/>'],
  ['an unknown entity', '<a>&nbsp;</a>'],
  ['a control character', '<a>\u0000</a>'],
  ['a document type', '<!DOCTYPE a><a/>'],
  ['an external entity', `<!DOCTYPE a [<!ENTITY x SYSTEM "${url}">]><a>&x;</a>`],
  ['a file', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
  ['a parameter entity', `<!DOCTYPE a [<!ENTITY % x SYSTEM "${url}"> %x;]><a/>`],
  ['an external document type', `<!DOCTYPE a SYSTEM "${url}"><a/>`],
  ['a billion laughs', `<!DOCTYPE a [<!ENTITY x "${'ha'.repeat(1000)}"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>`],
  ['deep nesting', '<a>'.repeat(300) + '</a>'.repeat(300)],
  ['many attributes', `<a ${attributes(2000)}/>`],
])('%s is no siteConfig, and nothing is fetched', async (_, text) => {
  expect(await isSite(text)).toBe(false)
  expect(hits).toBe(0)
})

test.each([
  ['elements', '<a>'.repeat(700_000)],
  ['attributes', `<a ${attributes(150_000)}/>`],
  ['open markup', '<'.repeat(2 * MIB)],
  ['a comment', `<!--${'-'.repeat(2 * MIB)}`],
  ['a long name', `<${'a'.repeat(2 * MIB)}`],
  ['entities', `<a>${'&amp;'.repeat(400_000)}</b>`],
])('2 MiB of %s delay no other call', async (_, text) => {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  expect(await isSite(text)).toBe(false)
  clearInterval(timer)
  expect(longest).toBeLessThan(200)
})

test.each(['', '{}', '[]', 'null', '{"path": "C:\\\\acc"}', '{"path": "C:\\acc"}', '{"__proto__": {"x": 1}}'])(
  '%j is a clientPolicy',
  async (text) => {
    expect(await isPolicy(text)).toBe(true)
  },
)

test.each(['['.repeat(201) + ']'.repeat(201), '{', "{'a': 1}", '{"a": 1,}', '\\', '// no\n{}', '{"a": "\u0000"}'])(
  '%j is no clientPolicy',
  async (text) => {
    expect(await isPolicy(text)).toBe(false)
  },
)

test('deep and hostile JSON pollutes nothing and ends at once', async () => {
  const text = `${'['.repeat(MIB)}${']'.repeat(MIB)}`
  const before = performance.now()
  expect(await isPolicy(text)).toBe(false)
  expect(performance.now() - before).toBeLessThan(50)
  expect(await isPolicy(`${'['.repeat(200)}"${'['.repeat(MIB)}\\""${']'.repeat(200)}`)).toBe(true)
  await isPolicy('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}')
  expect('polluted' in {}).toBe(false)
})

test('the host is put in once, escaped for its format', () => {
  const hostile = '"<&\'>{{HOST}}\\'
  expect(configForClients(ConfigKind.SITE_CONFIG, '<a b="{{HOST}}">{{HOST}}</a>', hostile)).toBe(
    '<a b="&quot;&lt;&amp;&apos;&gt;{{HOST}}\\">&quot;&lt;&amp;&apos;&gt;{{HOST}}\\</a>',
  )
  const filled = configForClients(ConfigKind.CLIENT_POLICY, '{"host": "{{HOST}}"}', hostile)
  expect(JSON.parse(filled)).toEqual({ host: hostile })
  expect(configForClients(ConfigKind.CLIENT_POLICY, '"{{HOST}}"', '$&$1')).toBe('"$&$1"')
})
