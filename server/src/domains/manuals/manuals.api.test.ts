// The manuals: languages, names of the installation, pictures, who may read them, and hostile parameters.

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'
import type { Language } from '../../core/context.ts'
import { renderPage } from './manuals.page.ts'
import { MANUALS, type ManualSource, readManual, readPictures } from './manuals.source.ts'

const config = join(tmpdir(), `acc-manuals-${process.pid}.json`)
writeFileSync(
  config,
  JSON.stringify({ product: { clientName: '<b>Klient</b> & *Co*', serverName: 'Srv_1_', short: 'ACC K' } }),
)
const { app, anonymous, as, fetchAs } = await startTestApp({
  ACC_CONSOLE_CONFIG: config,
  ACC_MAX_LOGIN_FAILS: '7',
})
const person = await buildUser(app.db)
const languages: readonly Language[] = ['ko', 'en']

const facts = {
  clientName: 'Client',
  serverName: 'Server',
  maxLoginFails: 5,
  sessionMinutes: 30,
  requiredRules: 'At least 8 characters',
  forbiddenRules: 'none',
}
const source = (name: ManualSource['name'], language: Language) =>
  readFile(join(MANUALS, `${name}.${language}.md`), 'utf8')

describe.each(['otp', 'user'] as const)('the %s manual', (name) => {
  test('has the same shape and pictures in both languages', async () => {
    const [ko, en] = await Promise.all(languages.map((language) => readManual({ name, language, facts })))
    const shape = (manual: typeof ko) => manual?.tokens.map(({ type }) => type)
    expect(shape(ko)).toEqual(shape(en))
    const paths = await Promise.all([ko, en].map(async (manual) => manual && [...(await readPictures(manual)).keys()]))
    expect(paths[0]?.map((path) => path.replace('.ko.', '.en.'))).toEqual(paths[1])
  })

  test.each(languages)('leaves no mark of Markdown in the text (%s)', async (language) => {
    const { html } = await renderPage({ name, language, facts })
    expect(html.replaceAll(/<style>[\s\S]*<\/style>|src="[^"]*"/g, '')).not.toMatch(/\*\*|\{\{|!\[|\]\(/)
  })

  test.each(languages)('names only facts that exist (%s)', async (language) => {
    const named = [...(await source(name, language)).matchAll(/\{\{(.*?)\}\}/g)].map(([, key]) => key)
    expect(Object.keys(facts)).toEqual(expect.arrayContaining([...new Set(named)]))
  })
})

test('the OTP manual is readable before signing in, in the language that is asked for', async () => {
  const read = async (input: { language?: Language }, header: string) =>
    (await anonymous.manuals.otp(input, { headers: { 'Accept-Language': header } })).text()
  expect(await read({}, 'ko-KR')).toContain('<html lang="ko">')
  expect(await read({}, 'en-US,en')).toContain('<html lang="en">')
  const english = await read({ language: 'en' }, 'ko-KR')
  expect(english).toContain('<h1>One-time password manual</h1>')
  expect(english).toContain('suspended after 7 failed attempts')
  expect(english).not.toMatch(/\{\{|undefined/)
})

test('the page carries its own style, and its policy allows nothing else', async () => {
  const response = await anonymous.manuals.otp({})
  const style = /<style>([\s\S]*)<\/style>/.exec(await response.text())?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})

test('the user manual is a PDF with a name of the product, made once', async () => {
  const read = (language: Language) => as(person).manuals.user({ type: 1, language })
  const [first, again, english] = await Promise.all([read('ko'), read('ko'), read('en')])
  expect(first.headers.get('content-type')).toBe('application/pdf')
  expect(decodeURIComponent(first.headers.get('content-disposition') ?? '')).toContain("UTF-8''ACC K 사용자 설명서.pdf")
  expect(english.headers.get('content-disposition')).toContain('filename="ACC K User manual.pdf"')
  const bytes = Buffer.from(await first.arrayBuffer())
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(Buffer.from(await again.arrayBuffer())).toEqual(bytes)
  expect(Buffer.from(await english.arrayBuffer())).not.toEqual(bytes)
})

test('the user manual follows the password rules', async () => {
  const admin = as(await buildUser(app.db, { isAdmin: 1 }))
  const read = async () => Buffer.from(await (await as(person).manuals.user({ type: 1, language: 'en' })).arrayBuffer())
  const before = await read()
  const { pwRules } = await admin.loginPolicy.findPasswordRules({})
  const longer = { name: 'At least 12 characters', reg: '^.{12,}$' }
  await admin.loginPolicy.setPasswordRules({ ...pwRules, positiveRules: [...pwRules.positiveRules, longer] })
  const after = await read()
  expect(after).not.toEqual(before)
  expect(await read()).toEqual(after)
  const { html } = await renderPage({ name: 'user', language: 'en', facts: { ...facts, requiredRules: longer.name } })
  expect(html).toContain('A new password must meet these rules: At least 12 characters.')
})

test('names of the operator are text, also those with markup', async () => {
  const hostile: ManualSource = {
    name: 'user',
    language: 'en',
    facts: { ...facts, clientName: '<b>K</b> & *Co* [x](y)' },
  }
  const manual = await readManual(hostile)
  expect(manual.title).toBe('<b>K</b> & *Co* [x](y) user manual')
  const { html } = await renderPage(hostile)
  expect(html).toContain('<h1>&lt;b&gt;K&lt;/b&gt; &amp; *Co* [x](y) user manual</h1>')
  expect(html).not.toContain('<b>')
})

test.each(['type=../../../etc/passwd', 'type=1&language=../ko', 'type=1&language=__proto__'])(
  'no other manual is reached by "%s"',
  async (query) => {
    const response = await fetchAs(person)(`/Account/AccManual?${query}`)
    expect(await response.json()).toMatchObject({ errorCode: 983 })
  },
)
