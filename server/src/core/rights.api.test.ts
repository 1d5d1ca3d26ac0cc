// 982: a call that is denied because the caller's groups are out of date says so.
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { buildManager } from '../../test/build/authorities.ts'
import { buildGroups } from '../../test/build/groups.ts'

const { app, as, admin, fetchAs } = await startTestApp()
const { sales, rnd } = await buildGroups(app.db, 'sales', 'rnd')
const manager = await buildManager(app.db, { groups: [sales], policy: 2 })

const policyOf = async (groupIdx: number, revision?: number) => {
  const headers: Record<string, string> = revision === undefined ? {} : { 'x-rights-revision': String(revision) }
  const response = await fetchAs(manager)(`/Policy?ownerIdx=${groupIdx}&ownerType=0`, { headers })
  return ((await response.json()) as { errorCode: number }).errorCode
}

test('denied with the rights as they are is 980, with older ones 982, and allowed is allowed', async () => {
  const { rightsRevision } = await as(manager).groups.searchAuthGroups({})
  expect(await policyOf(rnd.idx, rightsRevision)).toBe(980)
  await as(admin).groups.create({ parentIdx: rnd.idx, name: 'another' })
  expect(await policyOf(rnd.idx, rightsRevision)).toBe(982)
  expect(await policyOf(rnd.idx)).toBe(980)
  expect(await policyOf(sales.idx, rightsRevision)).toBe(0)
})
