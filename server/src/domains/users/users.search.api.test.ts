// Searching and finding users: filters against a model in memory, coverage, fields shown to each viewer.
import type { InputOf } from '@acc/contract/core/route'
import { localDayOf } from '@acc/contract/labels/formats'
import { Suspension, suspensionLabel, UserState } from '@acc/contract/labels/users'
import type { users } from '@acc/contract/users'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildDevice } from '../../../test/build/devices.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { days, hours, later } from '../../clock.ts'

const { app, as, fetchAs, admin, clock } = await startTestApp()
const { db } = app

const groups = await buildGroups(db, '영업', '영업/동부 영업팀', '영업/서부팀', '개발', '개발/East 100%')
const { 영업, 개발, 서부팀 } = groups
const [동부, east] = [groups['동부 영업팀'], groups['East 100%']]
const NAMES = ['김민준', '이서연', '박민준', 'Kim Minjun', '민', '남궁민수', 'a_b', 'a%b', '한 민', 'İz']

type SeededUser = { idx: number; id: string; name: string; email: string; groupIdx: number; state: number }
const groupNames = new Map([영업, 개발, 서부팀, 동부, east].map((group) => [group.idx, group.name]))
const seeded: SeededUser[] = []
for (let i = 0; i < 40; i++) {
  const group = [영업, 동부, 서부팀, 개발, east][i % 5] ?? 영업
  const state = i % 4
  const email = `${i % 2 === 0 ? 'Kim' : 'lee'}.${i}@example.com`
  const user = await buildUser(db, { id: `emp-${i}.${i % 3}`, name: NAMES[i % 10] ?? '', email, group, state })
  seeded.push({ ...user, state })
}

const manager = await buildManager(db, { groups: [영업], user: 1 })

const SUBGROUPS = new Map([
  [영업.idx, [동부.idx, 서부팀.idx]],
  [개발.idx, [east.idx]],
])
type Filter = InputOf<typeof users.search>

function inMemory(filter: Filter, covered: readonly number[]): number[] {
  const has = (value: string, text: string) => value.toLowerCase().includes(text.toLowerCase())
  const below = filter.withSubgroups === 1 ? (SUBGROUPS.get(filter.groupIdx ?? 0) ?? []) : []
  return seeded
    .filter((user) => {
      const tests = [
        filter.id && has(user.id, filter.id),
        filter.name && has(user.name, filter.name),
        filter.email && has(user.email, filter.email),
        filter.groupName && has(groupNames.get(user.groupIdx) ?? '', filter.groupName),
      ].filter((test) => test !== undefined && test !== '')
      const isNamed = tests.length === 0 || (filter.filterType === 1 ? tests.every(Boolean) : tests.some(Boolean))
      const isInGroup =
        filter.groupIdx === undefined || user.groupIdx === filter.groupIdx || below.includes(user.groupIdx)
      const isInState =
        filter.state === undefined ||
        (filter.state === 0 ? user.state === 0 : (user.state & filter.state) === filter.state)
      return isNamed && isInGroup && isInState && covered.includes(user.groupIdx)
    })
    .map((user) => user.idx)
    .toSorted((a, b) => a - b)
}

const text = fc.option(
  fc.constantFrom(
    '민',
    '민준',
    '김민준',
    'MIN',
    '영업',
    '팀',
    '_',
    '%',
    '.',
    'emp-1',
    '1',
    'kim',
    'East',
    '없는이름',
    'i',
  ),
  { nil: undefined },
)
const filter: fc.Arbitrary<Filter> = fc.record({
  id: text,
  name: text,
  email: text,
  groupName: text,
  filterType: fc.constantFrom(0, 1),
  state: fc.constantFrom(undefined, undefined, 0, 1, 2, 3),
  groupIdx: fc.constantFrom(undefined, undefined, 영업.idx, 개발.idx, 서부팀.idx),
  withSubgroups: fc.constantFrom(0, 1),
})

test.each([
  ['a system administrator', admin, [...groupNames.keys()]],
  ['a manager', manager, [영업.idx, 동부.idx, 서부팀.idx]],
])('%s finds exactly the covered users who match the filters', async (_, viewer, covered) => {
  const client = as(viewer)
  await fc.assert(
    fc.asyncProperty(filter, async (input) => {
      const isNarrowed = input.id ?? input.name ?? input.email ?? input.groupName ?? input.state ?? input.groupIdx
      fc.pre(isNarrowed !== undefined)
      // Users that were not seeded are in the root and not part of the model.
      const { totalCount, items } = await client.users.search({ ...input, rowsCount: 100, sort: 'idx', sortOrder: 0 })
      const found = items.filter((user) => user.groupIdx !== 1)
      expect(found.map((user) => user.idx)).toEqual(inMemory(input, covered))
      expect(totalCount).toBe(items.length)
    }),
    { numRuns: 120 },
  )
})

test('every sort of the list works in both directions, with ties in the order of idx', async () => {
  const client = as(admin)
  const sorts = ['idx', 'id', 'name', 'email', 'groupName', 'state', 'expireDT', 'lastClientLoginDT'] as const
  for (const sort of sorts) {
    const up = await client.users.search({ sort, sortOrder: 0, rowsCount: 100 })
    const down = await client.users.search({ sort, sortOrder: 1, rowsCount: 100 })
    expect(up.items.map((user) => user.idx)).toEqual(down.items.map((user) => user.idx).toReversed())
  }
  const byName = await client.users.search({ sort: 'name', sortOrder: 0, rowsCount: 100, groupIdx: 영업.idx })
  const names = byName.items.map((user) => user.name)
  expect(names).toEqual(names.toSorted(new Intl.Collator('und', { numeric: true }).compare))
})

test('users who never signed in come before those who did', async () => {
  const [early, never, late] = [
    await buildUser(db, { group: east }),
    await buildUser(db, { group: east }),
    await buildUser(db, { group: east }),
  ]
  const set = (idx: number, at: Date) =>
    db.write.updateTable('users').set({ lastClientLoginDT: at }).where('idx', '=', idx).execute()
  await set(early.idx, later(clock.now(), -hours(5)))
  await set(late.idx, later(clock.now(), -hours(1)))
  const { items } = await as(admin).users.search({ sort: 'lastClientLoginDT', sortOrder: 1, groupIdx: east.idx })
  const order = items.map((user) => user.idx).filter((idx) => [early.idx, never.idx, late.idx].includes(idx))
  expect(order).toEqual([late.idx, early.idx, never.idx])
})

test('pages are limited, and counting stops at the maximum', async () => {
  const page = await as(manager).users.search({ rowsAfter: 5, rowsCount: 3, maxCount: 9, sort: 'idx', sortOrder: 0 })
  const covered = seeded.filter((user) => [영업.idx, 동부.idx, 서부팀.idx].includes(user.groupIdx))
  expect(page.totalCount).toBe(10)
  expect(page.items.map((user) => user.idx)).toEqual(covered.slice(5, 8).map((user) => user.idx))
})

test('only system administrators see keys and sort by them', async () => {
  const seen = await as(manager).users.search({ rowsCount: 100 })
  expect(seen.items.length).toBeGreaterThan(0)
  expect(seen.items.every((user) => user.key === undefined)).toBe(true)
  const detail = await as(manager).users.find({ idx: seen.items[0]?.idx ?? 0 })
  expect(detail.key).toBeUndefined()
  expect((await as(admin).users.find({ idx: detail.idx })).key).toEqual(expect.any(String))
  const sorted = await fetchAs(admin)('/Users/Search?sort=key')
  expect(await sorted.json()).toMatchObject({ errorCode: 983 })
})

test('the CSV form has the same rows, and the key for system administrators only', async () => {
  const csv = async (viewer: { idx: number }) => {
    const headers = { accept: 'text/csv', 'accept-language': 'en' }
    const response = await fetchAs(viewer)(`/Users/Search?groupIdx=${동부.idx}&rowsCount=2147483646`, { headers })
    return (await response.text()).split('\r\n')
  }
  const [head, ...lines] = await csv(manager)
  expect(head).not.toContain('Key')
  expect(lines.filter((line) => line !== '')).toHaveLength(8)
  expect((await csv(admin))[0]).toContain('Key')
})

test('the role of a user follows from authorities and the administrator flag', async () => {
  const holder = await buildUser(db, { group: 개발 })
  await buildAuthority(db, { groups: [서부팀], log: 1, users: [holder] })
  const plain = await buildUser(db, { group: 개발 })
  const boss = await buildUser(db, { group: 개발, isAdmin: 1 })
  const { items } = await as(admin).users.search({ groupIdx: 개발.idx, rowsCount: 100 })
  const roleOf = (idx: number) => items.find((user) => user.idx === idx)?.role
  expect([boss, holder, plain].map((user) => roleOf(user.idx))).toEqual([0, 1, 2])
})

test('a user is shown with the reason why the account cannot be used', async () => {
  const yesterday = localDayOf(later(clock.now(), -days(1)))
  const expired = await buildUser(db, { isMortal: 1, expireDT: yesterday })
  const wrongPw = await buildUser(db, { state: 2, loginFails: app.env.maxLoginFails })
  const wrongOtp = await buildUser(db, { state: 3, otpFails: app.env.maxLoginFails })
  const suspended = await buildUser(db, { state: 2 })
  const tried = await buildUser(db, { loginFails: app.env.maxLoginFails - 1 })
  const flags = async ({ idx }: { idx: number }) => (await as(admin).users.find({ idx })).description
  const none = { expired: 0, loginFailsExceeded: 0, otpFailsExceeded: 0, managed: 0 }
  expect(await flags(expired)).toEqual({ ...none, expired: 1 })
  expect(await flags(wrongPw)).toEqual({ ...none, loginFailsExceeded: 1 })
  expect(await flags(wrongOtp)).toEqual({ ...none, otpFailsExceeded: 1 })
  expect(await flags(suspended)).toEqual({ ...none, managed: 1 })
  expect(await flags(tried)).toEqual(none)
})

test('the list is filtered by the reason of a suspension', async () => {
  const { maxLoginFails: loginFails } = app.env
  const otpFails = loginFails
  const { 정지: group } = await buildGroups(db, '정지')
  const suspended = [{ loginFails }, { otpFails }, { loginFails, otpFails }, {}]
  for (const fails of suspended) await buildUser(db, { group, state: UserState.DISABLED, ...fails })
  await buildUser(db, { group, loginFails })
  const { items } = await as(admin).users.search({ groupIdx: group.idx })
  const labels = items.map(({ description }) => suspensionLabel(description)?.en).filter((label) => label !== undefined)
  const counts = Suspension.values.map(async (shownState) => {
    const { totalCount } = await as(admin).users.search({ groupIdx: group.idx, shownState })
    return [Suspension.labels[shownState].en, totalCount]
  })
  expect(await Promise.all(counts)).toEqual([
    ['Suspended (password)', 2],
    ['Suspended (OTP)', 1],
    ['Suspended (admin)', 1],
  ])
  expect(labels.sort()).toEqual([
    'Suspended (OTP)',
    'Suspended (admin)',
    'Suspended (password)',
    'Suspended (password)',
  ])
})

test('one user is returned with devices, sessions and the visible groups above', async () => {
  const someone = await buildUser(db, { group: 동부 })
  await as(someone).session.find({})
  await buildDevice(app, someone, { deviceName: 'PC-1', ip: '10.0.0.9' })
  const seen = await as(manager).users.find({ idx: someone.idx })
  expect(seen).toMatchObject({ id: someone.id, groupPath: ['영업', '동부 영업팀'], isEditable: 0 })
  expect(seen.usingDevices).toMatchObject([{ deviceName: 'PC-1', ip: '10.0.0.9' }])
  expect(seen.sessions).toMatchObject([{ kind: 'web', isCurrent: 0 }])
  const byAdmin = await as(admin).users.find({ idx: someone.idx })
  expect(byAdmin).toMatchObject({ groupPath: ['전체 조직', '영업', '동부 영업팀'], isEditable: 1 })
  expect(JSON.stringify(byAdmin)).not.toMatch(/hash|secret/i)
})

test('a user is editable by level, group and rank together', async () => {
  const editor = await buildManager(db, { groups: [서부팀], user: 2, as: { group: 서부팀 } })
  await buildAuthority(db, { groups: [영업], user: 1, users: [editor] })
  const rival = await buildManager(db, { groups: [개발], user: 1, as: { group: 서부팀 } })
  const boss = await buildUser(db, { group: 서부팀, isAdmin: 1 })
  const [below, aside] = [await buildUser(db, { group: 서부팀 }), await buildUser(db, { group: 영업 })]
  const editable = async ({ idx }: { idx: number }) => (await as(editor).users.find({ idx })).isEditable
  expect([await editable(below), await editable(editor)]).toEqual([1, 1])
  expect([await editable(rival), await editable(boss), await editable(aside)]).toEqual([0, 0, 0])
})

test('a group above the coverage looks nonexistent, although its subtree contains users who are covered', async () => {
  expect(await as(manager).users.search({ groupIdx: 1, withSubgroups: 1 })).toEqual({ totalCount: 0, items: [] })
})

test.each([
  ['rowsCount=100000', 983],
  ['sortOrder=2', 983],
  ['filterType=7', 983],
  ['state=9', 983],
  [`name=${'x'.repeat(31)}`, 983],
  ['name=%00', 983],
  ['groupIdx=0', 983],
])('bad input is refused: %s', async (query, code) => {
  const response = await fetchAs(admin)(`/Users/Search?${query}`)
  expect(await response.json()).toMatchObject({ errorCode: code })
})
