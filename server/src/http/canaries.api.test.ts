// Secrets where they must not work or appear: a cookie that somebody else chose, a stored hash as a cookie, a temporary
// token in addresses, referrers and the log, and all of them in the tables of the database.
import { OtpRegistration } from '@acc/contract/account'
import type { ApiError } from '@acc/contract/core/client'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, startTestApp } from '../../test/app.ts'
import { buildUser } from '../../test/build/users.ts'
import { mailsTo, temporaryPasswordIn } from '../../test/mails.ts'
import { registered, SECRET } from '../../test/otp.ts'
import { updateSetting } from '../settings/settings.ts'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
const { app, owner, as, admin, anonymous, baseUrl } = await startTestApp({ ACC_LOG_LEVEL: 'trace' }, log)

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest', ...headers },
    body: JSON.stringify(body),
    redirect: 'manual',
  })
const codeWith = async (cookie: string) => {
  const response = await fetch(`${baseUrl}/Account/Session`, { headers: { cookie } })
  return ((await response.json()) as { errorCode: number }).errorCode
}
const hashes = () =>
  app.db.read.selectFrom('sessions').select('tokenHash').where('userIdx', '=', admin.idx).orderBy('idx').execute()

test('a cookie that was there before the sign-in opens nothing, before or after', async () => {
  const preset = `acc=${'A'.repeat(43)}`
  expect(await codeWith(preset)).toBe(960)
  const response = await post('/Account/Login', { id: admin.id, pw: ADMIN_PASSWORD }, { cookie: preset })
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(cookie).toMatch(/^acc=.{43}$/)
  expect(cookie).not.toBe(preset)
  expect(await codeWith(preset)).toBe(960)
  expect(await codeWith(cookie)).toBe(0)
  expect(await codeWith(`${preset}; ${cookie}`)).toBeOneOf([0, 960])
})

test('what the database stores of a session is no cookie', async () => {
  await as(admin).session.find({})
  const stored = (await hashes()).at(-1)?.tokenHash ?? Buffer.alloc(0)
  expect(stored).toHaveLength(32)
  for (const text of [
    stored.toString('base64url'),
    stored.toString('hex'),
    stored.toString('base64'),
    stored.toString('latin1'),
  ])
    expect(await codeWith(`acc=${encodeURIComponent(text)}`)).toBe(960)
})

test('a temporary token in an address reaches no other site, no cache and no log', async () => {
  const { tmpToken } = await as(admin).session.createTmpToken({})
  const addresses = ['/', '/acc', '/acc/', '/acc/users', '/No/Such/Call', '/Account/Session', '/%'].map(
    (path) => `${path}?tmpToken=${tmpToken}`,
  )
  for (const address of addresses) {
    const response = await fetch(baseUrl + address, { redirect: 'manual', headers: { referer: baseUrl + address } })
    expect(response.headers.get('referrer-policy'), address).toBe('no-referrer')
    expect(response.headers.get('cache-control'), address).toMatch(/^no-(store|cache)$/)
    expect(await response.text(), address).not.toContain(tmpToken)
    // Only to the front route of this server.
    expect(response.headers.get('location') ?? '/acc/').toMatch(/^\/acc\//)
  }
  await post('/Account/ConsumeTmpToken', { tmpToken: `${tmpToken}x` })
  await post('/Account/ConsumeTmpToken', { tmpToken })
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => line.includes(tmpToken))).toEqual([])
})

/** Every row of every table as text; bytes are hexadecimal digits. */
async function dump(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`select c.oid::regclass::text as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`.execute(owner)
  const texts = tables.map(async ({ name }) => {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(owner)
    return rows.map(({ row }) => row).join('\n')
  })
  return (await Promise.all(texts)).join('\n')
}

test('no table holds a secret that people or other servers know', async () => {
  const signedIn = await post('/Account/Login', { id: admin.id, pw: ADMIN_PASSWORD })
  const cookie = /^acc=([^;]+)/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1] ?? ''
  const { tmpToken } = await as(admin).session.createTmpToken({})
  const person = { id: 'canary.one', name: 'Canary', email: 'canary.one@acc.test', groupIdx: 1, isMortal: 0 } as const
  const { idx } = await as(admin).users.create(person)
  const temporary = temporaryPasswordIn((await mailsTo(app, person.email))[0]?.text ?? '')
  const pw = 'Zq4!copper-Wt'
  await anonymous.account.changePw({ id: person.id, pw: temporary, newPw: pw })
  await as(admin).users.update({ idx, useOtp: 1 })
  const unregistered = await anonymous.session.login({ id: person.id, pw }).catch((error: unknown) => error)
  const { otpSecret: waiting } = OtpRegistration.parse((unregistered as ApiError).data)
  const holder = await buildUser(app.db, {})
  await registered(app, holder, SECRET)
  const mailPw = 'smtp-canary-7Q'
  const mailServer = { serverAddress: 'localhost', serverPort: 2525, encrypt: 0, id: 'acc', pw: mailPw } as const
  const setting = { ...mailServer, senderEmail: 'acc@acc.test', receiverEmail: 'it@acc.test' }
  await app.db.write.transaction().execute((tx) => updateSetting(tx, 'mailServer', setting, app.key))

  const stored = await dump()
  expect(stored).toContain(person.email)
  for (const secret of [cookie, tmpToken, temporary, pw, ADMIN_PASSWORD, waiting, SECRET, mailPw]) {
    expect(secret.length).toBeGreaterThan(7)
    const bytes = Buffer.from(secret)
    for (const form of [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')])
      expect(stored.includes(form), secret).toBe(false)
    expect(
      lines.some((line) => line.includes(secret)),
      secret,
    ).toBe(false)
  }
})
