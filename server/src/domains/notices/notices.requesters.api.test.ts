// Mails to requesters: decided, canceled by others, about to be canceled; one mail for many, by a real mail server.
import { Decision } from '@acc/contract/labels/requests'
import { UserState } from '@acc/contract/labels/users'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { mailsTo } from '../../../test/mails.ts'
import { days, hours, minutes } from '../../clock.ts'
import { plainTextOf } from '../../mail/mail.fixture.ts'
import { startSmtpServer } from '../../mail/smtp.fixture.ts'
import { runMailJobs, setMailServer } from '../mails/mails.fixture.ts'
import { cancelAllAbandoned, warnOfCancel } from '../requests/requests.jobs.ts'
import { runNotices } from './notices.fixture.ts'
import { notifyRequesters } from './notices.requesters.ts'

const testApp = await startTestApp()
const { app, owner, as, admin, clock } = testApp
const { db } = app
await openExports(db)
const { sales } = await buildGroups(db, 'sales')
const employee = await buildUser(db, { group: sales, name: '김하늘' })

afterEach(async () => {
  clock.advance(days(1))
  await owner.deleteFrom('fileEximports').execute()
  await db.write.deleteFrom('mails').execute()
})

const decide = (idx: number, state: 0 | 1, purpose = '') => as(admin).requests.decide({ idx, state, purpose })
const textsTo = async ({ email }: { email: string }) =>
  (await mailsTo(app, email)).map(({ text }) => text.split('----')[0] ?? '')

test('a decision is mailed, with its reason and without purpose and file names', async () => {
  const server = await startSmtpServer()
  await setMailServer(app, server.settings)
  const { idx } = await buildRequest(app, employee, { purpose: 'SECRET purpose' })
  const { name } = await as(admin).session.find({})
  await decide(idx, Decision.REJECT, '<b>too much</b>\r\nBcc: a@evil.example')
  await runNotices(app)
  await runMailJobs(app)
  await server.stop()
  await setMailServer(app)
  const [mail] = server.received.filter(({ to }) => to.includes(employee.email))
  const source = mail?.source ?? ''
  const head = source.slice(0, source.indexOf('\r\n\r\n'))
  expect(head).not.toMatch(/evil|too much|SECRET/)
  expect(source).not.toContain('note.txt')
  expect(source.slice(source.indexOf('text/html'))).not.toContain('<b>too')
  const text = plainTextOf(source)
  expect(text).toContain(`#${idx} 반출 · 반려: ${name} - <b>too much</b> Bcc: a@evil.example`)
  expect(text).toContain(`${app.env.publicUrl}/acc/`)
  expect(text).not.toMatch(/SECRET|\?go=|^Bcc:/m)
})

test('many decisions are one mail, and the next ones follow in another after a pause', async () => {
  const requests = []
  for (let count = 0; count < 25; count++) requests.push(await buildRequest(app, employee))
  for (const { idx } of requests.slice(0, 22)) await decide(idx, Decision.APPROVE)
  await Promise.all([1, 2, 3, 4].map(() => notifyRequesters(app)))
  for (const { idx } of requests.slice(22)) {
    await decide(idx, Decision.REJECT)
    clock.advance(minutes(1))
    await runNotices(app)
  }
  const [first = '', ...others] = await textsTo(employee)
  expect(others).toEqual([])
  expect(first.match(/반출 · 승인/g)).toHaveLength(20)
  expect(first).toContain('그 밖에 2건이 더 있습니다.')
  clock.advance(minutes(7))
  await runNotices(app)
  await runNotices(app)
  const [, second = ''] = await textsTo(employee)
  expect(second.match(/반출 · 반려/g)).toHaveLength(3)
  expect(await textsTo(employee)).toHaveLength(2)
})

test('an incomplete request is announced a day before it is canceled, and again when it was, once each', async () => {
  const { idx } = await buildRequest(app, employee, { isFileUploaded: 0 })
  const completed = await buildRequest(app, employee, { isFileUploaded: 0 })
  clock.advance(days(6) - 1)
  await warnOfCancel(app)
  await runNotices(app)
  expect(await textsTo(employee)).toEqual([])
  clock.advance(1)
  await warnOfCancel(app)
  await db.write.updateTable('fileEximports').set({ isFileUploaded: 1 }).where('idx', '=', completed.idx).execute()
  for (const _ of [1, 2]) {
    await runNotices(app)
    await warnOfCancel(app)
    clock.advance(hours(12))
  }
  const [warning = '', ...others] = await textsTo(employee)
  expect(others).toEqual([])
  const day = clock.now().toISOString().slice(0, 16).replace('T', ' ')
  expect(warning).toContain(`#${idx} 반출 · 취소 예정: ${day} (UTC)까지`)
  expect(warning).not.toContain(`#${completed.idx} `)
  await cancelAllAbandoned(app)
  await runNotices(app)
  expect((await textsTo(employee))[1]).toContain(`#${idx} 반출 · 자동 취소`)
})

test('the person who canceled, an account that may not sign in, and news older than a week get no mail', async () => {
  const person = await buildUser(db, { group: sales })
  const pc = await openDesktopClient(testApp, person)
  const own = await buildRequest(app, person)
  await pc.requests.cancel({ idx: own.idx })
  const suspended = await buildUser(db, { group: sales })
  const { idx } = await buildRequest(app, suspended)
  await decide(idx, Decision.APPROVE)
  await db.write.updateTable('users').set({ state: UserState.DISABLED }).where('idx', '=', suspended.idx).execute()
  await runNotices(app)
  const late = await buildRequest(app, employee)
  await decide(late.idx, Decision.APPROVE)
  clock.advance(days(7))
  await runNotices(app)
  for (const one of [person, suspended, employee]) expect(await textsTo(one)).toEqual([])
  const pending = db.read.selectFrom('requesterNotices').select('idx').where('sentDT', 'is', null)
  expect(await pending.execute()).toEqual([])
})
