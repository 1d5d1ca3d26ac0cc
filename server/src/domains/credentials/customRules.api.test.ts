// Custom rules that run long although recheck let them pass, as used by people without a session.
import type { Logger } from 'pino'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'
import { updateSetting } from '../../settings/settings.ts'
import { findUnsafe } from './regexSafety.ts'

const logged: string[] = []
const log: Logger = pino({ level: 'warn' }, { write: (line) => logged.push(line) })
const { app, anonymous } = await startTestApp({}, log)

/** One of each kind, with a letter that they run long on: nested, overlapping, adjacent and counted repetitions. */
const BAD = [
  ['^(a+)+$', 'a'],
  ['^(a|aa)+$', 'a'],
  ['(x+x+)+y', 'x'],
  ['(.*a){8}b', 'a'],
] as const

const store = (reg: string) =>
  app.db.write
    .transaction()
    .execute((tx) =>
      updateSetting(tx, 'passwordRules', { positiveRules: [{ name: `rule ${reg}`, reg }], negativeRules: [] }),
    )

test('expressions that run long are found, others are not', async () => {
  // Steps of the cube of a password's length are few enough.
  const bad = [
    ...BAD.map(([reg]) => reg),
    '^(a|a)*$',
    '(.*)*x',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '^(\\w+\\s?)*$',
    '^(?=(a+)+b)',
    '([a-zA-Z]+)*[0-9]',
    '^(a?){30}a{30}b',
    '(a*)*b',
    '^a*a*a*a*b$',
  ]
  const good = [
    '^a*a*a*b$',
    '[0-9]',
    '^.{10,}$',
    '(.)\\1\\1',
    '[A-Z].*[a-z].*[0-9]',
    '^(?=.*[A-Z])(?=.*[0-9])',
    'kim|lee|park',
  ]
  expect(await findUnsafe([...good, ...bad])).toEqual(bad)
}, 60_000)

test('four calls wait while one is checked, and further ones end with 503', async () => {
  const calls = await Promise.allSettled(Array.from({ length: 7 }, () => findUnsafe([])))
  expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
})

/** Milliseconds of processor time that a rule may run for one password, and that the rest of a refusal may take. */
const RULE = 50
const REST = 15
const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000

/** Measures 20 changes of a password at once: the number of checks, and the processor time of a call and a check. */
async function measure(change: () => Promise<unknown>) {
  const [main, all] = [process.threadCpuUsage(), process.cpuUsage()]
  const changes = Array.from({ length: 20 }, () =>
    change().then(
      () => 0,
      (error: { code?: number }) => error.code,
    ),
  )
  for (let i = 0; i < 10; i++) await anonymous.configs.find({})
  const codes = await Promise.all(changes)
  const [ofMain, ofAll] = [milliseconds(process.threadCpuUsage(main)), milliseconds(process.cpuUsage(all))]
  expect(codes.filter((code) => code !== 108 && code !== 503)).toEqual([])
  const checked = codes.filter((code) => code === 108).length
  return { checked, ofCall: ofMain / 30, ofCheck: (ofAll - ofMain) / checked }
}

/** A thread that gets no processor time is given more tries, so that other work makes a check slower. */
const MOST_ROUNDS = 30

// Measures processor time, since durations also depend on other work of the machine. Rules run in their own thread
// only, and the main thread does too little to delay other calls.
test.each(BAD)(
  '%s in use blocks nothing: 20 people at once are refused and other calls succeed',
  async (reg, letter) => {
    await store(reg)
    const user = await buildUser(app.db, { password: 'Old#7password' })
    const newPw = `${letter.repeat(62)}!`
    const change = () => anonymous.account.changePw({ id: user.id, pw: 'Old#7password', newPw })
    // The first one starts the thread.
    await expect(change()).rejects.toMatchObject({ code: 108 })
    expect(logged.join('')).toContain(JSON.stringify(`rule ${reg}`))
    const rounds: Awaited<ReturnType<typeof measure>>[] = []
    const least = (of: (round: (typeof rounds)[number]) => number) => Math.min(...rounds.map(of))
    const isWithin = () => least(({ ofCall }) => ofCall) < REST && least(({ ofCheck }) => ofCheck) < RULE + REST
    do rounds.push(await measure(change))
    while (rounds.length < MOST_ROUNDS && !isWithin())
    // Passwords that wait longer than 350 ms end with 503, so that the last check ends within half a second.
    for (const { checked } of rounds) expect(checked * RULE).toBeLessThan(500)
    expect(least(({ ofCall }) => ofCall)).toBeLessThan(REST)
    expect(least(({ ofCheck }) => ofCheck)).toBeLessThan(RULE + REST)
  },
)

test('a rule that ends in time is used as written', async () => {
  await store('^[A-Z]')
  const user = await buildUser(app.db, { password: 'Old#7password' })
  const change = (newPw: string) => anonymous.account.changePw({ id: user.id, pw: 'Old#7password', newPw })
  await expect(change('new#7password')).rejects.toMatchObject({ code: 108 })
  await change('New#7password')
})
