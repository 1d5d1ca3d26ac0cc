// Custom rules that run long, as if recheck had let them pass: stored past the check, used by people without a session.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'
import { updateSetting } from '../../settings/settings.ts'
import { findUnsafe } from './regexSafety.ts'

const told: string[] = []
const log: Logger = pino({ level: 'warn' }, { write: (line) => told.push(line) })
const { app, anonymous } = await startTestApp({}, log)

const BAD = [
  ['^(a+)+$', 'a'],
  ['^(a|a)*$', 'a'],
  ['^(a|aa)+$', 'a'],
  ['(.*)*x', 'a'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
  ['(x+x+)+y', 'x'],
  ['^(\\w+\\s?)*$', 'a'],
  ['^(?=(a+)+b)', 'a'],
  ['(.*a){20}b', 'a'],
  ['([a-zA-Z]+)*[0-9]', 'a'],
  ['^(a?){30}a{30}b', 'a'],
  ['(a*)*b', 'a'],
] as const

const store = (reg: string) =>
  app.db.write
    .transaction()
    .execute((tx) =>
      updateSetting(tx, 'passwordRules', { positiveRules: [{ name: `rule ${reg}`, reg }], negativeRules: [] }),
    )

test('expressions that run long are found, others are not', async () => {
  const bad = BAD.map(([reg]) => reg)
  const good = ['[0-9]', '^.{10,}$', '(.)\\1\\1', '[A-Z].*[a-z].*[0-9]', '^(?=.*[A-Z])(?=.*[0-9])', 'kim|lee|park']
  expect(await findUnsafe([...good, ...bad])).toEqual(bad)
}, 60_000)

test.each(BAD)('%s in use holds nothing up: 20 people at once are refused, others go on', async (reg, letter) => {
  await store(reg)
  const user = await buildUser(app.db, { password: 'Old#7password' })
  const newPw = `${letter.repeat(62)}!`
  const change = () => anonymous.account.changePw({ id: user.id, pw: 'Old#7password', newPw })
  // The first one starts the thread.
  await expect(change()).rejects.toMatchObject({ code: 108 })
  expect(told.join('')).toContain(JSON.stringify(`rule ${reg}`))
  const lag = monitorEventLoopDelay({ resolution: 5 })
  lag.enable()
  const timed = async (call: () => Promise<unknown>) => {
    const start = performance.now()
    const outcome = await call().then(
      () => 0,
      (error: { code?: number }) => error.code,
    )
    return { outcome, took: performance.now() - start }
  }
  const changes = Promise.all(Array.from({ length: 20 }, () => timed(change)))
  const others = []
  for (let i = 0; i < 10; i++) others.push(await timed(() => anonymous.configs.get({})))
  const refused = await changes
  lag.disable()
  expect(refused.filter(({ outcome }) => outcome !== 108 && outcome !== 503)).toEqual([])
  // One of them would take longer than the tests if it were not stopped.
  expect(Math.max(...refused.map(({ took }) => took))).toBeLessThan(3_000)
  expect(Math.max(...others.map(({ took }) => took))).toBeLessThan(2_000)
  expect(lag.max / 1e6).toBeLessThan(1_000)
})

test('a rule that comes to its end is used as written', async () => {
  await store('^[A-Z]')
  const user = await buildUser(app.db, { password: 'Old#7password' })
  const change = (newPw: string) => anonymous.account.changePw({ id: user.id, pw: 'Old#7password', newPw })
  await expect(change('new#7password')).rejects.toMatchObject({ code: 108 })
  await change('New#7password')
})
