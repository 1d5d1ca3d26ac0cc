// A simulated year with holidays, forgotten substitutes and leavers: at each hour, every waiting request can be decided
// by an enabled person, or it is in the list "nobody can decide" and mailed to the administrators that day.
import { faultEntry } from '@acc/contract/labels/systemStatus'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { shown, undecidable } from '../../../test/approval/model.ts'
import { apply, type Operation } from '../../../test/approval/operations.ts'
import { openWorld } from '../../../test/approval/server.ts'
import { beginDay, liveHour, organization, settle } from '../../../test/approval/year.ts'
import { buildUser } from '../../../test/build/users.ts'
import { withImports } from '../../../test/consoleConfig.ts'
import { mailsTo } from '../../../test/mails.ts'
import { days, later, today } from '../../clock.ts'
import { findSetting, updateSetting } from '../../settings/settings.ts'
import { mailFaults } from '../systemStatus/systemStatus.mails.ts'
import { findUndecidable } from './requestDeciders.queries.ts'

/** `npm run drill -- year`: 365 and 1000. */
const DAYS = Number(process.env.ACC_TEST_DAYS ?? 20)
const PEOPLE = Number(process.env.ACC_TEST_PEOPLE ?? 50)
const SEED = Number(process.env.ACC_TEST_SEED ?? 21)

const testApp = await startTestApp({ ACC_CONSOLE_CONFIG: await withImports() })
const { app, admin, clock } = testApp
clock.set(new Date())
const chief = await buildUser(app.db, { isAdmin: 1 })

const FAULT = 'requestsUndecidable'
const faultMails = async () => (await findSetting(app.db.read, 'faultMails')) ?? {}
/** A day passes for the mails, too. */
async function age(): Promise<void> {
  const mailed = Object.entries(await faultMails()).map(([name, { mailDT, isGone }]) => {
    return [name, { mailDT: later(new Date(mailDT), -days(1)).toISOString(), isGone }] as const
  })
  await app.db.write.transaction().execute((tx) => updateSetting(tx, 'faultMails', Object.fromEntries(mailed)))
}

const w = organization(PEOPLE)
const server = await openWorld(testApp, w, { operator: admin.idx, chief: chief.idx })
const figures = { requests: 0, decisions: 0, substitutes: 0, absences: 0, hours: 0, alarms: 0, days: 0 }

/** Whether something was done since the last check. Otherwise an hour is as the previous one. */
let isTouched = true
/** Does an operation on both sides, which must answer the same. */
async function run(operation: Operation): Promise<string> {
  isTouched = true
  const answer = await server.run(operation)
  expect([operation, answer]).toEqual([operation, apply(w, operation)])
  if (operation.do === 'leave' && answer === 'ok') figures.absences++
  return answer
}

/** Compares the requests that nobody can decide with the model. Returns whether there are some. */
async function checkHour(): Promise<boolean> {
  if (isTouched) {
    const listed = (await findUndecidable(app.db.read, today(clock))).map(server.rows.requests.name)
    expect(listed.sort()).toEqual(undecidable(w).sort())
    hasAlarm = listed.length > 0
  }
  isTouched = false
  figures.hours++
  if (hasAlarm) figures.alarms++
  return hasAlarm
}
let hasAlarm = false

test(`${DAYS} days of ${PEOPLE} people: each waiting request can be decided, or is reported`, {
  timeout: 7_200_000,
}, async () => {
  const life = settle(w, run, SEED)
  for (let day = 0; day < DAYS; day++) {
    let isReported = false
    await beginDay(life)
    for (let no = 0; no < 24; no++) {
      await liveHour(life, no, (1 + PEOPLE / 100) / 12)
      if (!(await checkHour()) || isReported) continue
      isReported = true
      await mailFaults(app)
      expect((await faultMails())[FAULT]).toEqual({ mailDT: clock.now().toISOString(), isGone: 0 })
    }
    if (isReported) figures.days++
    await run({ do: 'pass', days: 1 })
    await age()
  }
  expect(await server.read(w.day)).toEqual(shown(w))
  // A mail on each day with such requests, and no second one.
  const mails = (await mailsTo(app, chief.email)).filter(({ text }) => text.includes(faultEntry(FAULT).ko))
  expect(mails).toHaveLength(figures.days)
  const requests = Object.values(w.requests)
  const decisions = requests.flatMap((request) => request.decisions)
  Object.assign(figures, { requests: requests.length, decisions: decisions.length })
  figures.substitutes = decisions.filter(({ absent }) => absent !== null).length
  if (process.env.ACC_TEST_DAYS !== undefined) console.log(figures)
})
