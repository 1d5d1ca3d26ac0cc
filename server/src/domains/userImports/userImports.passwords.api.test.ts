// What follows an import: temporary passwords by mail, and the end of the personal data in its rows.
import { UserState } from '@acc/contract/labels/users'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { days, later } from '../../clock.ts'
import { fileOf, HEADER, importsOf } from './userImports.fixture.ts'
import { deleteOldRuns, KEPT_DAYS } from './userImports.jobs.ts'
import { mailPasswords, PASSWORDS_A_MINUTE } from './userImports.passwords.ts'
import { findWaitingPasswords } from './userImports.queries.ts'

const { app, as, admin, clock } = await startTestApp()
const { db } = app
const { sales } = await buildGroups(db, 'sales')
const imports = importsOf(app, as(admin))
afterEach(imports.cancelOpen)

const apply = async (ids: readonly string[], mailsPasswords: 0 | 1) => {
  const rows = ids.map((id) => [id, `Person ${id}`, `${id}@acc.kr`, 'sales'])
  const { idx } = await imports.plan(fileOf([HEADER, ...rows]), { mailsPasswords })
  await imports.apply(idx)
  return idx
}
const userOf = (id: string) => db.read.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const rowsOf = (importIdx: number) =>
  db.read.selectFrom('userImportRows').select('idx').where('importIdx', '=', importIdx).execute()
const receivers = async () =>
  (await db.read.selectFrom('mails').select('receiver').execute()).map(({ receiver }) => receiver)

test('new people get a temporary password by mail if the author chooses it', async () => {
  await apply(['without.mail'], 0)
  await apply(['with.mail'], 1)
  expect(await userOf('with.mail')).toMatchObject({ tmpPwHash: null, pwHash: null, loginType: 1 })
  await mailPasswords(app)
  expect(await receivers()).toEqual(['with.mail@acc.kr'])
  expect((await userOf('with.mail')).tmpPwHash).not.toBeNull()
  expect(await userOf('without.mail')).toMatchObject({ tmpPwHash: null, groupIdx: sales.idx, loginType: 3 })
  await mailPasswords(app)
  expect(await receivers()).toHaveLength(1)
})

test('people who are suspended, deleted or have a password by then get none', async () => {
  await apply(['suspended', 'deleted', 'by.reset', 'waiting'], 1)
  const { idx } = await userOf('suspended')
  await as(admin).users.setDisabled({ idx, state: UserState.DISABLED })
  await as(admin).users.remove({ idxes: [(await userOf('deleted')).idx] })
  await as(admin).users.resetPw({ idx: (await userOf('by.reset')).idx })
  const { tmpPwHash } = await userOf('by.reset')
  const before = await receivers()
  // Two nodes at once.
  await Promise.all([mailPasswords(app), mailPasswords(app)])
  expect((await receivers()).slice(before.length)).toEqual(['waiting@acc.kr'])
  expect((await userOf('by.reset')).tmpPwHash).toBe(tmpPwHash)
  const waiting = await db.read.selectFrom('userImportRows').select('idx').where('needsPassword', '=', 1).execute()
  expect(waiting).toEqual([])
})

test('passwords go out at a bounded rate', async () => {
  const ids = Array.from({ length: PASSWORDS_A_MINUTE + 1 }, (_, at) => `many.${at}`)
  await apply(ids, 1)
  const before = (await receivers()).length
  const waiting = async () => (await findWaitingPasswords(db.read, ids.length)).length
  // A password costs a hash, and those of deleted people count as well.
  await db.write.deleteFrom('users').where('id', 'in', ids.slice(1, -1)).execute()
  await mailPasswords(app)
  expect([await waiting(), (await receivers()).slice(before)]).toEqual([1, ['many.0@acc.kr']])
  await mailPasswords(app)
  const last = `many.${PASSWORDS_A_MINUTE}@acc.kr`
  expect([await waiting(), (await receivers()).slice(before)]).toEqual([0, ['many.0@acc.kr', last]])
})

test('the rows of a run are deleted some time after its end, and open runs remain', async () => {
  const old = await apply(['old.one'], 0)
  const open = await imports.plan(fileOf([HEADER, ['open.one', 'A', 'open@acc.kr', 'sales']]))
  const begin = clock.now()
  clock.set(later(begin, days(KEPT_DAYS)))
  await deleteOldRuns(app)
  expect(await rowsOf(old)).toHaveLength(1)
  clock.set(later(begin, days(KEPT_DAYS + 1)))
  await deleteOldRuns(app)
  clock.set(begin)
  await expect(as(admin).userImports.find({ idx: old })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  expect(await rowsOf(old)).toEqual([])
  expect(await imports.rows(open.idx)).toHaveLength(1)
  expect(await userOf('old.one')).toMatchObject({ importSource: 0 })
})
