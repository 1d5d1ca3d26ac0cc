// Mails about urgent faults: to every administrator, through a real mail server, at most daily.
import { MailState } from '@acc/contract/labels/mails'
import { RequestState, Review } from '@acc/contract/labels/requests'
import { UserState } from '@acc/contract/labels/users'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { days, hours } from '../../clock.ts'
import { runDueJobs } from '../../core/job.ts'
import { startSmtpServer } from '../../mail/smtp.fixture.ts'
import { updateSetting } from '../../settings/settings.ts'
import { mailJobs } from '../mails/mails.delivery.ts'
import { setMailServer } from '../mails/mails.fixture.ts'
import { mailFaults } from './systemStatus.mails.ts'

const { app, as, admin, clock } = await startTestApp()
const smtp = await startSmtpServer()
afterAll(smtp.stop)
await setMailServer(app, smtp.settings)
const second = await buildUser(app.db, { isAdmin: 1, name: '박관리' })
await buildUser(app.db, { isAdmin: 1, state: UserState.DISABLED, email: 'suspended@example.com' })

const SECRET_PATH = '/srv/backups/secret-place'
/** Sets what the newest verification of a backup found. */
async function setFailure(failure: string | null): Promise<void> {
  const moment = clock.now().toISOString()
  await app.db.write.transaction().execute(async (tx) => {
    await updateSetting(tx, 'lastBackup', {
      id: 'b1',
      moment,
      rows: 1,
      files: 1,
      size: 7,
      missing: 0,
      isOnSameDisk: 0 as const,
    })
    await updateSetting(tx, 'lastBackupCheck', { id: 'b1', moment, failure })
  })
}
/** Runs the job on two nodes at once and returns what the mail server received. */
async function receive() {
  await Promise.all([mailFaults(app), mailFaults(app)])
  await runDueJobs(app, mailJobs)
  return smtp.received.splice(0)
}

test('an urgent fault is mailed once to each active administrator, in both languages, without details', async () => {
  expect(await receive()).toEqual([])
  await setFailure(`${SECRET_PATH} is damaged`)
  const mails = await receive()
  const admins = await app.db.read.selectFrom('users').select('email').where('isAdmin', '=', 1).execute()
  const active = admins.map(({ email }) => email).filter((email) => email !== 'suspended@example.com')
  expect(mails.flatMap(({ to }) => to).sort()).toEqual(active.sort())
  expect(active).toContain(second.email)
  const stored = await app.db.read.selectFrom('mails').select('subject').execute()
  expect(stored.map(({ subject }) => subject)).toEqual(
    active.map(() => expect.stringContaining('운영 상태 조치 필요 알림 / System status: action needed')),
  )
  for (const { source } of mails) expect(source).not.toContain(SECRET_PATH)
  clock.advance(days(3))
  expect(await receive()).toEqual([])
})

test('a fault that went and comes back is mailed again, but not within a day', async () => {
  await setFailure(null)
  expect(await receive()).toEqual([])
  await setFailure('damaged')
  expect(await receive()).toHaveLength(2)
  await setFailure(null)
  await receive()
  await setFailure('damaged')
  clock.advance(hours(23))
  expect(await receive()).toEqual([])
  clock.advance(hours(1))
  expect(await receive()).toHaveLength(2)
})

test('requests that nobody can decide are mailed every day until somebody can', async () => {
  await setFailure(null)
  await receive()
  const { far } = await buildGroups(app.db, 'far')
  const empty = await buildAuthority(app.db, { groups: [far], fileExportApprove: 2 })
  await buildRequest(app, await buildUser(app.db, { group: far }), { later: [empty], step: 2 })
  expect((await as(admin).systemStatus.find({})).faults).toContain('requestsUndecidable')
  expect(await receive()).toHaveLength(2)
  clock.advance(hours(23))
  expect(await receive()).toEqual([])
  clock.advance(hours(1))
  expect(await receive()).toHaveLength(2)
  const userIdx = (await buildUser(app.db, { group: far })).idx
  await app.db.write.insertInto('authorityUsers').values({ authorityIdx: empty.idx, userIdx }).execute()
  clock.advance(hours(24))
  expect(await receive()).toEqual([])
})

test('an overdue review of an urgent export is mailed every day until it is made', async () => {
  const { close } = await buildGroups(app.db, 'close')
  const requester = await buildUser(app.db, { group: close })
  const { idx } = await buildRequest(app, requester, { state: RequestState.ALLOWED, reviewDueDT: clock.now() })
  expect(await receive()).toEqual([])
  clock.advance(hours(24))
  expect(await receive()).toHaveLength(2)
  clock.advance(hours(24))
  expect(await receive()).toHaveLength(2)
  await as(admin).urgentExports.review({ idx, decision: Review.CONFIRM })
  await app.db.write.deleteFrom('mails').execute()
  clock.advance(hours(24))
  expect(await receive()).toEqual([])
})

test('faults that are not urgent, and mails that wait, are not mailed', async () => {
  await setFailure(null)
  await receive()
  const at = clock.now()
  const row = { receiver: 'a@b.kr', subject: 's', body: Buffer.of(0), createDT: at, nextTryDT: at }
  const states = [MailState.WAITING, MailState.FAILED]
  await app.db.write
    .insertInto('mails')
    .values(states.map((state) => ({ ...row, state })))
    .execute()
  clock.advance(hours(2))
  expect((await as(admin).systemStatus.find({})).faults).toEqual(['mailDelayed', 'mailFailed'])
  await mailFaults(app)
  expect(await app.db.read.selectFrom('mails').select('idx').where('createDT', '>', at).execute()).toEqual([])
})
