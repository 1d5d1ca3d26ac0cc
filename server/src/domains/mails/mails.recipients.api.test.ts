// Hostile email addresses on every call that takes one: a list, an object, two addresses, a header.
import { api } from '@acc/contract'
import type { Route } from '@acc/contract/core/route'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'

const { app, admin, fetchAs } = await startTestApp()
const victim = await buildUser(app.db, { name: 'Victim', email: 'victim@example.com' })

const server = { serverAddress: 'mail.example.com', serverPort: 25, encrypt: 0, id: '' }
const mailServer = { ...server, senderEmail: 'acc@example.com', receiverEmail: 'boss@example.com' }
/** Input that is valid but for its address, by call. */
const INPUTS: Record<string, object> = {
  'POST /Account/FindID': { name: 'Victim' },
  'POST /User': { id: 'new.user', name: 'New user', groupIdx: 1, isMortal: 0 },
  'PUT /User': { idx: victim.idx, revision: 1 },
  'POST /MailServer': mailServer,
  'POST /MailServer/Test': mailServer,
}

const writes = Object.values(api)
  .flatMap((domain): Route[] => Object.values(domain))
  .filter(({ method }) => method !== 'GET')
const FIELDS = writes.flatMap((route) =>
  Object.keys(route.input.shape)
    .filter((field) => /email$/i.test(field))
    .map((field) => [`${route.method} ${route.path}`, field] as const),
)
const HOSTILE = [
  ['victim@example.com', 'attacker@example.com'],
  { 0: 'victim@example.com', 1: 'attacker@example.com' },
  'victim@example.com,attacker@example.com',
  'victim@example.com;attacker@example.com',
  'Victim <victim@example.com>',
  'victim@example.com\r\nBcc: attacker@example.com',
  'victim@example.com\u0000attacker@example.com',
  'victim@example.com attacker@example.com',
]

test('every call with an address is tried', () => {
  expect([...new Set(FIELDS.map(([call]) => call))].toSorted()).toEqual(Object.keys(INPUTS).toSorted())
})

test.each(FIELDS)('%s refuses whatever is not one address as %s, and sends and stores nothing', async (call, field) => {
  const [method = '', path = ''] = call.split(' ')
  for (const address of HOSTILE) {
    const response = await fetchAs(admin)(path, {
      method,
      headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
      body: JSON.stringify({ ...INPUTS[call], [field]: address }),
    })
    expect(await response.json(), JSON.stringify(address)).toMatchObject({ errorCode: 983, data: { fields: [field] } })
  }
  expect(await app.db.read.selectFrom('mails').select('idx').execute()).toEqual([])
  expect(await app.db.read.selectFrom('settings').select('name').where('name', '=', 'mailServer').execute()).toEqual([])
  const emails = await app.db.read.selectFrom('users').select('email').execute()
  expect(emails.map(({ email }) => email).join()).not.toContain('attacker')
})

test('an ID in the shape of a list of addresses finds no account', async () => {
  for (const id of HOSTILE) {
    const response = await fetchAs(admin)('/Account/ResetPW', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
      body: JSON.stringify({ id }),
    })
    expect([100, 983]).toContain((await response.json()).errorCode)
  }
  expect(await app.db.read.selectFrom('mails').select('idx').execute()).toEqual([])
})
