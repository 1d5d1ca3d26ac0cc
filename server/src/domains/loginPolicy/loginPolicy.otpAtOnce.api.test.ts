// The default OTP setting is turned on while people sign in or leave a list of exceptions.
import { SignInType } from '@acc/contract/labels/history'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'
import { callsWithToken, openDesktopClient } from '../../../test/desktopClients.ts'
import { setDefaultOtp } from '../../../test/otp.ts'
import { overtake } from '../../../test/overtake.ts'
import { days, later } from '../../clock.ts'
import { lockSetting, updateSetting } from '../../settings/settings.ts'
import { lockAccount } from '../credentials/credentials.queries.ts'
import { limitSessionsUnless } from '../session/session.service.ts'
import { WITH_FACTOR } from '../users/users.signIn.ts'

const started = await startTestApp()
const { app, as, admin, anonymous, baseUrl, clock } = started
const { db } = app
const PASSWORD = 'Qa9!zebra-Lm'
const PC = { deviceId: 'pc-1', deviceName: 'PC', clientVersion: '1.0.0' }
const turnOn = () => as(admin).loginPolicy.setDefaultOtp({ defaultOtp: 1 })
const sessionsOf = (userIdx: number) =>
  db.read.selectFrom('sessions').select(['kind', 'limitDT']).where('userIdx', '=', userIdx).execute()
const signInsOf = (userIdx: number) =>
  db.read.selectFrom('signIns').select('type').where('userIdx', '=', userIdx).execute()
afterEach(() => setDefaultOtp(app, 0))

const ways = [
  ['a browser', (id: string) => anonymous.session.login({ id, pw: PASSWORD })],
  ['a client', (id: string) => anonymous.agent.login({ id, pw: PASSWORD, ...PC })],
] as const

test.each(ways)(
  'a sign-in from %s without a code starts over if codes become required during it',
  async (_, signIn) => {
    const user = await buildUser(db, { password: PASSWORD })
    const tried = await overtake(db, {
      lock: (tx) => lockAccount(tx, user.idx),
      call: () => signIn(user.id),
      change: turnOn,
    })
    expect(tried).toMatchObject({ error: 'OTP_EXPIRED' })
    expect(await sessionsOf(user.idx)).toEqual([])
    expect(await signInsOf(user.idx)).toEqual([{ type: SignInType.REFUSED }])
    await expect(signIn(user.id)).rejects.toMatchObject({ error: 'OTP_NOT_REGISTERED' })
  },
)

test('a session that opens during the change ends within a day, as older ones do', async () => {
  const user = await buildUser(db, { password: PASSWORD })
  const waiting = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(db.write)
    return rows.length
  }
  const turned: Promise<unknown>[] = []
  const signedIn = await overtake(db, {
    lock: (tx) => sql`lock table sessions in share mode`.execute(tx),
    call: () => anonymous.agent.login({ id: user.id, pw: PASSWORD, ...PC, deviceId: 'pc-2' }),
    change: async () => {
      turned.push(turnOn())
      await expect.poll(waiting).toBe(2)
    },
  })
  await Promise.all(turned)
  expect(signedIn).toMatchObject({ token: expect.any(String) })
  expect(await sessionsOf(user.idx)).toEqual([{ kind: 'client', limitDT: later(clock.now(), days(1)) }])
})

test('a user who leaves an exception while codes become required is signed out', async () => {
  const user = await buildUser(db, { useOtp: 0 })
  const { token } = await openDesktopClient(started, user)
  const removed = await overtake(db, {
    lock: async (tx) => {
      await lockSetting(tx, 'defaultOtp')
      await updateSetting(tx, 'defaultOtp', 1)
      await limitSessionsUnless(tx, app, WITH_FACTOR)
    },
    call: () => as(admin).loginPolicy.removeOtpExceptions({ userIdxes: [user.idx] }),
  })
  expect(removed).toEqual({})
  await expect(callsWithToken(baseUrl, token).session.find({})).rejects.toMatchObject({ error: 'SESSION_ENDED' })
})
