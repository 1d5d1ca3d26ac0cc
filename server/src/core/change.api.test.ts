// Transactions that wait for each other: one of them is repeated, and the log says which locks met.
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { buildUser } from '../../test/build/users.ts'
import { causeOf } from '../db/constraints.ts'
import type { Tx } from '../db/open.ts'
import { transact } from './change.ts'

const logged: Record<string, unknown>[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
const { app } = await startTestApp({}, log)
const { db } = app
const [one, other] = [await buildUser(db), await buildUser(db)]
const rename = (tx: Tx, { idx }: { idx: number }) =>
  tx.updateTable('users').set({ name: 'Renamed' }).where('idx', '=', idx).execute()

/** Renames two people, the second one after `meet`. */
const renameBoth = (first: typeof one, second: typeof one, meet: () => Promise<void>) => async (tx: Tx) => {
  await rename(tx, first)
  await meet()
  await rename(tx, second)
}

test('a deadlock is repeated, and logged with its locks', async () => {
  let met = 0
  const both = Promise.withResolvers<void>()
  const meet = () => {
    if (++met >= 2) both.resolve()
    return both.promise
  }
  await Promise.all([transact(db, renameBoth(one, other, meet)), transact(db, renameBoth(other, one, meet))])
  // The repeated one may be faster once more.
  expect(met).toBe(2 + logged.length)
  expect(logged[0]).toMatchObject({
    msg: 'a transaction is repeated',
    tried: 1,
    code: '40P01',
    where: expect.stringContaining('relation "users"'),
    detail: expect.stringContaining('blocked by process'),
  })
})

test('the cause of an error names its constraint and no value of a row', async () => {
  const insert = transact(db, async (tx) => {
    await sql`insert into "otpCodes" ("userIdx", purpose, "codeHash", "sendDT", "expireDT")
      values (987654, 'login', 'x', now(), now())`.execute(tx)
  })
  const cause = causeOf(await insert.catch((error: unknown) => error))
  expect(cause).toMatchObject({ code: '23503', constraint: 'otpCodes_userIdx_fkey', table: 'otpCodes' })
  expect(JSON.stringify(cause)).not.toContain('987654')
})
