// Mail for the administrator: waiting, sent and failed mail, resending, choosing the outbox.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingManage } from '@acc/contract/labels/history'
import { MailState, ShownMailState } from '@acc/contract/labels/mails'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { historyOf } from '../../../test/history.ts'
import { later, minutes } from '../../clock.ts'
import type { HubEvent } from '../../events/eventHub.ts'
import { plainTextOf } from '../../mail/mail.fixture.ts'
import { startSmtpServer } from '../../mail/smtp.fixture.ts'
import {
  enqueued,
  passwordChanged,
  rowOf,
  runMailJobs,
  SECRET,
  setMailServer,
  temporaryPassword,
} from './mails.fixture.ts'
import { enqueueMail } from './mails.service.ts'

const { app, as, admin, baseUrl, clock } = await startTestApp()
const { mails } = as(admin)
const outbox = join(app.env.dataDir, 'outbox')

afterEach(async () => {
  await app.db.write.deleteFrom('mails').execute()
  await setMailServer(app)
})

test('a mail is committed or rolled back with its transaction', async () => {
  const rolledBack = app.db.write.transaction().execute(async (tx) => {
    await enqueueMail(tx, app, 'passwordChanged', { to: 'a@example.com', ...passwordChanged })
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  await runMailJobs(app)
  expect(await mails.search({})).toEqual({ totalCount: 0, items: [] })
  expect(await readdir(outbox).catch(() => [])).toEqual([])
})

test('a mail waits sealed, goes into the outbox, and is read there by the administrator', async () => {
  const idx = await enqueued(app, 'temporaryPassword', { to: 'gildong@example.com', ...temporaryPassword })
  const waiting = await rowOf(app, idx)
  expect(waiting.body?.includes(SECRET)).toBe(false)
  expect(await mails.find({ idx })).toMatchObject({ state: MailState.WAITING, sentDT: null, text: null })

  await runMailJobs(app)
  const now = clock.now().toISOString()
  const sent = { idx, receiver: 'gildong@example.com', state: MailState.SENT, tries: 1, isInOutbox: 1, lastError: null }
  expect(await mails.search({})).toMatchObject({ totalCount: 1, items: [{ ...sent, createDT: now, sentDT: null }] })
  const { text } = await mails.find({ idx })
  expect(await mails.find({ idx })).toMatchObject({ text })
  const rows = (await historyOf(app.db, 'settingManage')).filter(({ subjectIdx }) => subjectIdx === idx)
  const detail = { targetName: 'gildong@example.com', targetValue: expect.stringContaining('임시 비밀번호 안내') }
  expect(rows).toMatchObject([{ type: SettingManage.READ_MAIL, actorIdx: admin.idx, detail }])
  expect(JSON.stringify(rows)).not.toContain(SECRET)
  // Another sign-in reads it once more.
  await as(admin).mails.find({ idx })
  expect((await historyOf(app.db, 'settingManage')).filter(({ subjectIdx }) => subjectIdx === idx)).toHaveLength(2)
  expect(text).toContain(`임시 비밀번호: ${SECRET}\n접속 주소: ${app.env.publicUrl}/acc\n`)
  const file = (await readdir(outbox)).find((name) => name.endsWith(`-${idx}.eml`)) ?? ''
  expect(
    plainTextOf(await readFile(join(outbox, file), 'utf8'))
      .replaceAll('\r', '')
      .trim(),
  ).toBe(text?.trim())
})

test('mail that a mail server took is not kept, and cannot be sent again', async () => {
  const server = await startSmtpServer()
  await setMailServer(app, server.settings)
  const idx = await enqueued(app, 'temporaryPassword', { to: 'gildong@example.com', ...temporaryPassword })
  await runMailJobs(app)
  await server.stop()
  expect(server.received).toMatchObject([{ from: 'acc@example.com', to: ['gildong@example.com'] }])
  expect(plainTextOf(server.received[0]?.source ?? '')).toContain(SECRET)
  expect(await mails.find({ idx })).toMatchObject({ state: MailState.SENT, isInOutbox: 0, text: null })
  expect((await rowOf(app, idx)).body).toBeNull()
  await expect(mails.resend({ idx })).rejects.toMatchObject({ error: 'MAIL_FAILED' })
})

test('resending a failed mail is logged without its text', async () => {
  const before = (await historyOf(app.db, 'settingManage')).length
  const refusing = await startSmtpServer({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no mailbox'), { responseCode: 550 })),
  })
  await setMailServer(app, refusing.settings)
  const idx = await enqueued(app, 'temporaryPassword', { to: 'gildong@example.com', ...temporaryPassword })
  await runMailJobs(app)
  await refusing.stop()
  const failed = {
    state: MailState.FAILED,
    tries: 1,
    lastError: 'the mail server refused the receiver: 550 no mailbox',
  }
  expect(await mails.find({ idx })).toMatchObject({ ...failed, nextTryDT: null, text: null })

  await setMailServer(app)
  await mails.resend({ idx })
  expect(await mails.find({ idx })).toMatchObject({ state: MailState.WAITING, tries: 0, lastError: null })
  await runMailJobs(app)
  expect((await mails.search({})).items).toMatchObject([{ state: MailState.SENT, tries: 1, isInOutbox: 1 }])
  const history = (await historyOf(app.db, 'settingManage')).slice(before)
  expect(history).toMatchObject([
    {
      type: SettingManage.RESEND_MAIL,
      subject: 'gildong@example.com',
      subjectIdx: idx,
      actorIdx: admin.idx,
      groupIdx: null,
    },
  ])
  expect(JSON.stringify(history)).not.toContain(SECRET)
})

test('a code that ran out is not sent again; a mail that is being sent is left to it', async () => {
  const before = await historyOf(app.db, 'settingManage')
  const code = { name: '홍길동', code: '012345', validMinutes: 5 }
  const idx = await enqueued(app, 'otpCode', { to: 'gildong@example.com', ...code })
  const claim = { tries: 1, nextTryDT: later(clock.now(), 1000) }
  await app.db.write.updateTable('mails').set(claim).where('idx', '=', idx).execute()
  await mails.resend({ idx })
  expect(await rowOf(app, idx)).toMatchObject(claim)
  clock.advance(minutes(5))
  await expect(mails.resend({ idx })).rejects.toMatchObject({ error: 'MAIL_FAILED' })
  expect(await historyOf(app.db, 'settingManage')).toEqual(before)
})

test('a mail that does not exist is neither read nor sent', async () => {
  await expect(mails.find({ idx: 999_999 })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await expect(mails.resend({ idx: 999_999 })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
})

test('the list filters, sorts and pages; its filter means what it says', async () => {
  for (const to of ['a_b@example.com', 'axb@example.com', 'B@example.com']) {
    await enqueued(app, 'passwordChanged', { to, ...passwordChanged })
  }
  const receivers = async (input: Parameters<typeof mails.search>[0]) =>
    (await mails.search(input)).items.map(({ receiver }) => receiver)
  expect(await receivers({ receiver: 'A_B' })).toEqual(['a_b@example.com'])
  expect(await receivers({ state: MailState.SENT })).toEqual([])
  expect(await receivers({ sort: 'receiver', sortOrder: 1, rowsCount: 1, rowsAfter: 1 })).toEqual(['a_b@example.com'])
  expect(await mails.search({ maxCount: 1, rowsCount: 1 })).toMatchObject({ totalCount: 2 })
})

test('mail in the outbox is filtered apart from mail that a mail server took', async () => {
  const setSent = (idx: number, isInOutbox: 0 | 1) =>
    app.db.write.updateTable('mails').set({ state: MailState.SENT, isInOutbox }).where('idx', '=', idx).execute()
  const receivers = async (shownState: ShownMailState) =>
    (await mails.search({ shownState, receiver: '@apart.example.com' })).items.map(({ receiver }) => receiver)
  const kept = 'kept@apart.example.com'
  await setSent(await enqueued(app, 'passwordChanged', { to: kept, ...passwordChanged }), 1)
  const delivered = 'delivered@apart.example.com'
  await setSent(await enqueued(app, 'passwordChanged', { to: delivered, ...passwordChanged }), 0)
  expect(await receivers(ShownMailState.IN_OUTBOX)).toEqual([kept])
  expect(await receivers(ShownMailState.SENT)).toEqual([delivered])
  expect(await receivers(ShownMailState.FAILED)).toEqual([])
})

test('open screens hear of a mail and of what became of it', async () => {
  const events: HubEvent[] = []
  const unsubscribe = app.events.subscribe((event) => void events.push(event))
  const idx = await enqueued(app, 'passwordChanged', { to: 'a@example.com', ...passwordChanged })
  await runMailJobs(app)
  await expect
    .poll(() => events.filter((event) => event.idx === idx))
    .toEqual([
      { topic: 'mails', idx },
      { topic: 'mails', idx },
    ])
  unsubscribe()
})

test('choosing the evaluation outbox counts as a mail server, once', async () => {
  const configs = async () => (await (await fetch(`${baseUrl}/Configs`)).json()).data
  expect(await configs()).toMatchObject({ hasMailServer: 0, usesOutbox: 1 })
  const before = (await historyOf(app.db, 'settingManage')).length
  await mails.chooseOutbox({})
  await mails.chooseOutbox({})
  expect(await configs()).toMatchObject({ hasMailServer: 1, usesOutbox: 1 })
  const history = (await historyOf(app.db, 'settingManage')).slice(before)
  expect(history).toMatchObject([
    { type: SettingManage.CHOOSE_OUTBOX, subject: 'evaluationOutbox', actorIdx: admin.idx },
  ])
})
