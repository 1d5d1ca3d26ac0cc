// Mails that wait when a node starts.
import { MailState } from '@acc/contract/labels/mails'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { startJobs } from '../../core/job.ts'
import { mailJobs } from './mails.delivery.ts'
import { enqueued, passwordChanged } from './mails.fixture.ts'

const { app } = await startTestApp()

test('what waits at a start is delivered at once', async () => {
  for (let n = 0; n < 40; n++)
    await enqueued(app, 'passwordChanged', { to: `user${n}@example.com`, ...passwordChanged })
  const waiting = async () => {
    const mails = app.db.read.selectFrom('mails').select((eb) => eb.fn.countAll<number>().as('count'))
    return (await mails.where('state', '=', MailState.WAITING).executeTakeFirstOrThrow()).count
  }
  expect(await waiting()).toBe(40)
  await startJobs(app, mailJobs)
  await expect.poll(waiting, { timeout: 20_000 }).toBe(0)
})
