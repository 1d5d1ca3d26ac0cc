// Mails about requests with several steps: to the people of the present step alone.
import { NoticeChoice } from '@acc/contract/notices'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { mailsTo } from '../../../test/mails.ts'
import { hours } from '../../clock.ts'
import { choose, runNotices } from './notices.fixture.ts'

const { app, as, admin, clock } = await startTestApp()
const { db } = app
await openExports(db)
const { sales, far } = await buildGroups(db, 'sales', 'far')
const employee = await buildUser(db, { group: sales, name: '김하늘' })
const lead = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
const [guard, late] = [await buildUser(db, { group: far }), await buildUser(db, { group: far })]
const both = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
const security = await buildAuthority(db, { groups: [far], users: [guard, both], fileExportApprove: 2 })

/** Runs the jobs after the pause of mails at once, and returns whose mails name the request. */
async function namedTo(people: readonly { email: string }[], idx: number): Promise<number[]> {
  clock.advance(hours(2))
  await runNotices(app)
  const counts = []
  for (const { email } of people)
    counts.push((await mailsTo(app, email)).filter(({ text }) => text.includes(`?go=approvals/${idx}\n`)).length)
  return counts
}

test('each step is mailed to those who decide it now, once', async () => {
  const people = [lead, guard, both, admin].map((person) => ({ email: '', ...person }))
  for (const person of people) await choose(app, person, NoticeChoice.AT_ONCE)
  const { email } = await db.read
    .selectFrom('users')
    .select('email')
    .where('idx', '=', admin.idx)
    .executeTakeFirstOrThrow()
  const named = people.map((person) => (person.idx === admin.idx ? { email } : person))
  const { idx } = await buildRequest(app, employee, { later: [security] })
  expect(await namedTo(named, idx)).toEqual([1, 0, 1, 1])
  await as(lead).requests.decide({ idx, state: 1 })
  // An administrator who is no member decides no later step.
  expect(await namedTo(named, idx)).toEqual([1, 1, 2, 1])
  const [mail] = await mailsTo(app, guard.email)
  expect(mail?.text).toContain('5 B · 승인 2/2단계')
  expect(await namedTo(named, idx)).toEqual([1, 1, 2, 1])
})

test('a decider of an earlier step and the requester get no mail about a later one', async () => {
  const own = await buildUser(db, { group: sales })
  await choose(app, own, NoticeChoice.AT_ONCE)
  const mixed = await buildAuthority(db, { groups: [far], users: [both, own, guard], fileExportApprove: 2 })
  const { idx } = await buildRequest(app, own, { later: [mixed] })
  await as(both).requests.decide({ idx, state: 1 })
  expect(await namedTo([both, own, guard], idx)).toEqual([0, 0, 1])
})

test('somebody who joins the authority of a step is mailed what waits there', async () => {
  await choose(app, late, NoticeChoice.AT_ONCE)
  const { idx } = await buildRequest(app, employee, { later: [security], step: 2 })
  expect(await namedTo([guard, late], idx)).toEqual([1, 0])
  await db.write.insertInto('authorityUsers').values({ authorityIdx: security.idx, userIdx: late.idx }).execute()
  expect(await namedTo([guard, late], idx)).toEqual([1, 1])
})
