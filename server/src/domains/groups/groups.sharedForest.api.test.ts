// Forests of a thousand groups are shared, and show every change at once.
import type { Group } from '@acc/contract/groups'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'

const { app, owner, as, admin, fetchAs } = await startTestApp()
const { db } = app
const boss = as(admin)
const { many, east } = await buildGroups(db, 'many', 'many/east')

beforeAll(() =>
  sql`insert into groups (idx, "parentIdx", name, key, path, position)
    select n, ${many.idx}, 'group' || n, 'key' || n, ${many.path}::bigint[] || n::bigint, n
    from generate_series(100001, 101000) n`.execute(db.write),
)

type Person = { idx: number }
const rowsOf = (groups: readonly Group[]): Group[] => groups.flatMap((group) => [group, ...rowsOf(group.children)])
const seenBy = async (person: Person) => rowsOf((await as(person).groups.searchAuthGroups({})).groups)
const eastOf = async (person: Person) => (await seenBy(person)).find(({ idx }) => idx === east.idx)

test('every change of groups and head counts is shown at once', async () => {
  await seenBy(admin)
  await boss.groups.update({ idx: east.idx, name: 'orient' })
  expect(await eastOf(admin)).toMatchObject({ name: 'orient', userCount: 0, isMyPolicy: 0 })
  const user = await buildUser(db, { group: east })
  expect(await eastOf(admin)).toMatchObject({ userCount: 1 })
  await boss.users.update({ idx: user.idx, groupIdx: many.idx })
  expect(await eastOf(admin)).toMatchObject({ userCount: 0 })
  await boss.users.update({ idx: user.idx, groupIdx: east.idx })
  expect(await eastOf(admin)).toMatchObject({ userCount: 1 })
  await boss.groups.setIsMyPolicy({ idx: east.idx, isMyPolicy: 1 })
  expect(await eastOf(admin)).toMatchObject({ isMyPolicy: 1 })
  await boss.groups.remove({ idx: 100_001 })
  expect((await seenBy(admin)).map(({ idx }) => idx)).not.toContain(100_001)
  await boss.groups.setIsDmsParent({ idx: many.idx })
  expect(await eastOf(admin)).toMatchObject({ isUnderDmsParent: 1 })
})

test('managers get their own levels and no keys, and nothing as soon as they have no rights', async () => {
  const editor = await buildManager(db, { groups: [many], policy: 2 })
  const reader = await buildManager(db, { groups: [many], policy: 1 })
  for (const _ of [1, 2]) {
    expect(await eastOf(admin)).toMatchObject({ maxPolicy: 2, maxUser: 2, key: east.key })
    expect(await eastOf(editor)).toMatchObject({ maxPolicy: 2, maxUser: 0 })
    expect(await eastOf(reader)).toMatchObject({ maxPolicy: 1, maxUser: 0 })
  }
  for (const manager of [editor, reader]) expect(await eastOf(manager)).not.toHaveProperty('key')
  const authorityOf = ({ idx }: Person) => sql`(select "authorityIdx" from "authorityUsers" where "userIdx" = ${idx})`
  await sql`update authorities set policy = 1, "user" = 1 where idx = ${authorityOf(editor)}`.execute(owner)
  expect(await eastOf(editor)).toMatchObject({ maxPolicy: 1, maxUser: 1 })
  expect(await eastOf(reader)).toMatchObject({ maxPolicy: 1, maxUser: 0 })
  await sql`delete from "authorityUsers" where "userIdx" = ${reader.idx}`.execute(owner)
  expect(await seenBy(reader)).toEqual([])
  expect(await eastOf(editor)).toMatchObject({ maxPolicy: 1 })
})

test('an authority that moves to another group shows that group alone', async () => {
  const manager = await buildManager(db, { groups: [many], policy: 2 })
  expect((await seenBy(manager)).length).toBeGreaterThan(1_000)
  await sql`update "authorityGroups" set "groupIdx" = ${east.idx} where "authorityIdx" =
    (select "authorityIdx" from "authorityUsers" where "userIdx" = ${manager.idx})`.execute(owner)
  expect((await seenBy(manager)).map(({ idx }) => idx)).toEqual([east.idx])
})

test('readers at the same time as changes never see an older state than before their call', async () => {
  const names = Array.from({ length: 10 }, (_, at) => `east${at}`)
  for (const name of names) {
    const before = Array.from({ length: 4 }, () => eastOf(admin))
    await boss.groups.update({ idx: east.idx, name })
    expect(await Promise.all(Array.from({ length: 4 }, () => eastOf(admin)))).toEqual(
      Array.from({ length: 4 }, () => expect.objectContaining({ name })),
    )
    await Promise.all(before)
  }
})

test('callers who accept gzip get the same groups', async () => {
  const answerIn = async (encoding: string) => {
    const response = await fetchAs(admin)('/AuthGroups', { headers: { 'accept-encoding': encoding } })
    return { encoding: response.headers.get('content-encoding'), body: await response.json() }
  }
  const plain = await answerIn('identity')
  expect(plain.encoding).toBeNull()
  expect(await answerIn('gzip')).toEqual({ encoding: 'gzip', body: plain.body })
})
