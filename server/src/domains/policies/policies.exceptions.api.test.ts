// Exceptions of policies: whole lists in one edit, their rows and history, and how they are inherited.
import { PolicyManage } from '@acc/contract/labels/history'
import { ExceptionType, OwnerType } from '@acc/contract/labels/policies'
import { type NetworkException, NO_EXCEPTIONS } from '@acc/contract/policyExceptions'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { findEffectivePolicy } from './policies.service.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const { DOMAIN, IP_RANGE, SUBNET } = ExceptionType

const ofGroup = (group: { idx: number }) => ({ ownerIdx: group.idx, ownerType: OwnerType.GROUP })
const policyOf = (group: { idx: number }) => as(admin).policies.find(ofGroup(group))
const lastOf = async (subjectIdx: number) =>
  (await historyOf(db, 'policyManage')).filter((row) => row.subjectIdx === subjectIdx)
const rowsOf = async (policyIdx: number) => ({
  network: await db.read
    .selectFrom('policyNetworkExceptions')
    .selectAll()
    .where('policyIdx', '=', policyIdx)
    .orderBy('idx')
    .execute(),
  loopback: await db.read
    .selectFrom('policyLoopbackExceptions')
    .selectAll()
    .where('policyIdx', '=', policyIdx)
    .orderBy('idx')
    .execute(),
})

type NetworkRow = Omit<NetworkException, 'idx'>
const portal: NetworkRow = {
  description: 'Portal',
  type: DOMAIN,
  ip1: 'portal.example.com',
  ip2: '',
  port: 443,
  access: 1,
} as const
const lab: NetworkRow = { description: 'Lab', type: IP_RANGE, ip1: '10.0.0.1', ip2: '10.0.0.9', port: 0, access: 1 }
const branch: NetworkRow = {
  description: 'Branch',
  type: SUBNET,
  ip1: '10.1.0.0',
  ip2: '255.255.0.0',
  port: 0,
  access: 0,
}
const browser = { description: 'Browser', processName: 'chrome.exe' }
const asNew = <T extends object>(...rows: T[]) => rows.map((row, at) => ({ ...row, idx: -1 - at }))
/** A list as it was read, without what an edit does not send. */
const withoutIdx = (rows: readonly object[]) => rows.map((row) => ({ ...row, idx: undefined, policyIdx: undefined }))

test('new exceptions get an idx, changed rows keep theirs, missing rows are deleted, lists that are not sent stay', async () => {
  const { desk } = await buildGroups(db, 'desk')
  const { idx } = await buildPolicy(db, { group: desk })
  await as(admin).policies.update({
    idx,
    revision: 1,
    policyNetworkExceptions: asNew(portal, lab),
    policyLocalNetworkExceptions: asNew(branch),
    policyLoopbackExceptions: asNew(browser),
  })
  const first = await policyOf(desk)
  expect(first).toMatchObject({
    revision: 2,
    policyNetworkExceptions: [portal, lab],
    policyLocalNetworkExceptions: [branch],
    policyLoopbackExceptions: [{ ...browser, policyIdx: idx }],
  })
  const [kept, removed] = first.policyNetworkExceptions
  const before = await rowsOf(idx)
  await as(admin).policies.update({
    idx,
    revision: 2,
    policyNetworkExceptions: [{ ...portal, idx: kept?.idx ?? 0, port: 8443 }, ...asNew(branch)],
  })
  const second = await policyOf(desk)
  expect(second.policyNetworkExceptions).toMatchObject([{ ...portal, idx: kept?.idx, port: 8443 }, branch])
  expect(second.policyNetworkExceptions.map((row) => row.idx)).not.toContain(removed?.idx)
  const after = await rowsOf(idx)
  expect(after.network.filter(({ isLocal }) => isLocal === 1)).toEqual(
    before.network.filter(({ isLocal }) => isLocal === 1),
  )
  expect(after.loopback).toEqual(before.loopback)
  await as(admin).policies.update({ idx, ...NO_EXCEPTIONS })
  expect(await rowsOf(idx)).toEqual({ network: [], loopback: [] })
})

test('the history row of the network has all lists, old and new, and an edit that changes nothing leaves no trace', async () => {
  const { yard } = await buildGroups(db, 'yard')
  const { idx } = await buildPolicy(db, { group: yard })
  const lists = { policyNetworkExceptions: asNew(portal), policyLoopbackExceptions: asNew(browser) }
  await as(admin).policies.update({ idx, ...lists, print: 1 })
  const { policyNetworkExceptions: stored, policyLoopbackExceptions: processes } = await policyOf(yard)
  const { UPDATE_DESKTOP_ENVIRONMENT, UPDATE_NETWORK } = PolicyManage
  const [environment, network] = await lastOf(yard.idx)
  expect(environment).toMatchObject({ type: UPDATE_DESKTOP_ENVIRONMENT, detail: { policyPrint: 1, policyOldPrint: 0 } })
  expect(environment?.detail).not.toHaveProperty('policyNetworkExceptions')
  expect(network).toMatchObject({ type: UPDATE_NETWORK, groupIdx: yard.idx, actorIdx: admin.idx })
  expect(network?.detail).toMatchObject({
    policyPrint: 1,
    policyOldPrint: 1,
    policyNetworkExceptions: [{ ...portal, idx: stored[0]?.idx, isOld: 0 }],
    policyLocalNetworkExceptions: [],
    policyLoopbackExceptions: [{ ...browser, isOld: 0 }],
  })
  await as(admin).policies.update({
    idx,
    policyNetworkExceptions: stored,
    policyLoopbackExceptions: processes,
    print: 1,
  })
  expect(await lastOf(yard.idx)).toHaveLength(2)
  expect(await policyOf(yard)).toMatchObject({ revision: 2 })
  const renamed = stored.map((row) => ({ ...row, description: 'Renamed', endReason: 'Needed' }))
  await as(admin).policies.update({ idx, policyNetworkExceptions: renamed })
  expect((await lastOf(yard.idx)).slice(2)).toMatchObject([
    {
      type: UPDATE_NETWORK,
      detail: {
        policyNetworkExceptions: [
          { ...portal, isOld: 1 },
          { ...portal, description: 'Renamed', isOld: 0 },
        ],
        policyLoopbackExceptions: [
          { ...browser, isOld: 1 },
          { ...browser, isOld: 0 },
        ],
      },
    },
  ])
  const { items } = await as(admin).history.policyManage({ targetName: 'yard', type: UPDATE_NETWORK })
  expect(items.map((item) => item.policyNetworkExceptions?.length)).toEqual([2, 1])
})

test('an own policy starts with copies of the inherited exceptions, which are dropped with it', async () => {
  const { plant, hall } = await buildGroups(db, 'plant', 'plant/hall')
  const { idx } = await buildPolicy(db, { group: plant })
  const lists = {
    policyNetworkExceptions: asNew(portal, lab),
    policyLocalNetworkExceptions: asNew(branch),
    policyLoopbackExceptions: asNew(browser),
  }
  await as(admin).policies.update({ idx, ...lists })
  const above = await policyOf(plant)
  expect(await policyOf(hall)).toMatchObject({
    isMyPolicy: 0,
    policyNetworkExceptions: above.policyNetworkExceptions,
    above: null,
  })
  await as(admin).groups.setIsMyPolicy({ idx: hall.idx, isMyPolicy: 1 })
  const own = await policyOf(hall)
  for (const list of ['policyNetworkExceptions', 'policyLocalNetworkExceptions', 'policyLoopbackExceptions'] as const) {
    expect(withoutIdx(own[list])).toEqual(withoutIdx(above[list]))
    expect(own.above?.[list]).toEqual(above[list])
    expect(own[list].map((row) => row.idx)).not.toEqual(above[list].map((row) => row.idx))
  }
  const both = (row: object) => [
    { ...row, isOld: 1 },
    { ...row, isOld: 0 },
  ]
  expect(await lastOf(hall.idx)).toMatchObject([
    { type: PolicyManage.SEPARATE, detail: { policyLoopbackExceptions: both(browser), diffOwnerName: 'plant' } },
  ])
  await as(admin).policies.update({
    idx: own.idx,
    ...NO_EXCEPTIONS,
    policyLoopbackExceptions: own.policyLoopbackExceptions,
  })
  expect(await rowsOf(idx)).toMatchObject({ network: [portal, lab, branch], loopback: [browser] })
  await as(admin).groups.setIsMyPolicy({ idx: hall.idx, isMyPolicy: 0 })
  expect(await rowsOf(own.idx)).toEqual({ network: [], loopback: [] })
  expect((await lastOf(hall.idx)).at(-1)).toMatchObject({
    type: PolicyManage.INHERIT,
    detail: {
      policyNetworkExceptions: [
        { ...portal, isOld: 0 },
        { ...lab, isOld: 0 },
      ],
      policyLoopbackExceptions: both(browser),
    },
  })
  expect((await policyOf(hall)).policyNetworkExceptions).toEqual(above.policyNetworkExceptions)
})

test('an idx of another policy is refused as one that does not exist, and changes neither', async () => {
  const { mine, theirs } = await buildGroups(db, 'mine', 'theirs')
  const [own, foreign] = [await buildPolicy(db, { group: mine }), await buildPolicy(db, { group: theirs })]
  for (const { idx } of [own, foreign])
    await as(admin).policies.update({
      idx,
      policyNetworkExceptions: asNew(portal),
      policyLocalNetworkExceptions: asNew(lab),
      policyLoopbackExceptions: asNew(browser),
    })
  const [ours, others] = [await policyOf(mine), await policyOf(theirs)]
  const manager = await buildManager(db, { groups: [mine], policy: 2 })
  const stored = async () => JSON.stringify([await rowsOf(own.idx), await rowsOf(foreign.idx), await lastOf(mine.idx)])
  const before = await stored()
  const foreignNetwork = others.policyNetworkExceptions.map((row) => ({ ...row, access: 0 as const }))
  const foreignLoopback = others.policyLoopbackExceptions.map((row) => ({ ...row, processName: 'other.exe' }))
  for (const change of [
    { policyNetworkExceptions: foreignNetwork },
    { policyLocalNetworkExceptions: foreignNetwork },
    // The same policy's row, but of its other list.
    { policyLocalNetworkExceptions: ours.policyNetworkExceptions },
    { policyLoopbackExceptions: foreignLoopback },
    { policyNetworkExceptions: [{ ...portal, idx: 987_654 }] },
    {
      policyNetworkExceptions: [
        ...ours.policyNetworkExceptions.map((row) => ({ ...row, port: 1, endReason: 'Needed' })),
        { ...lab, idx: 987_654 },
      ],
    },
  ]) {
    await expect(as(manager).policies.update({ idx: own.idx, ...change })).rejects.toMatchObject({
      error: 'NOT_ALLOWED',
    })
    expect(await stored()).toBe(before)
  }
})

test('without a revision the last complete lists win, and deleted rows are not restored', async () => {
  const { loose } = await buildGroups(db, 'loose')
  const { idx } = await buildPolicy(db, { group: loose })
  await as(admin).policies.update({ idx, policyNetworkExceptions: asNew(portal) })
  const { policyNetworkExceptions } = await policyOf(loose)
  await Promise.all([
    as(admin).policies.update({ idx, policyLoopbackExceptions: asNew(browser) }),
    as(admin).policies.update({ idx, policyLocalNetworkExceptions: asNew(lab) }),
  ])
  expect(await rowsOf(idx)).toMatchObject({ network: [portal, lab], loopback: [browser] })
  await as(admin).policies.update({ idx, policyNetworkExceptions: [] })
  await expect(as(admin).policies.update({ idx, policyNetworkExceptions })).rejects.toMatchObject({
    error: 'NOT_ALLOWED',
  })
})

test('the exceptions of a deleted group and user go with their policies', async () => {
  const { temporary } = await buildGroups(db, 'temporary')
  const user = await buildUser(db)
  const policies = [await buildPolicy(db, { group: temporary }), await buildPolicy(db, { user })]
  for (const { idx } of policies) await as(admin).policies.update({ idx, policyNetworkExceptions: asNew(portal) })
  await as(admin).groups.remove({ idx: temporary.idx })
  await as(admin).users.remove({ idxes: [user.idx] })
  for (const { idx } of policies) expect(await rowsOf(idx)).toEqual({ network: [], loopback: [] })
})

test('the revision that clients compare follows each field of each exception, and not its owner', async () => {
  const { squad, mirror } = await buildGroups(db, 'squad', 'mirror')
  const [{ idx }, other] = [await buildPolicy(db, { group: squad }), await buildPolicy(db, { group: mirror })]
  const [user, twin] = [await buildUser(db, { group: squad }), await buildUser(db, { group: mirror })]
  const revision = async ({ idx: userIdx } = user) => (await findEffectivePolicy(db.read, userIdx))?.revision
  const seen = new Set([await revision()])
  const step = async (lists: object) => {
    await as(admin).policies.update({ idx, ...lists })
    const next = await revision()
    expect(seen).not.toContain(next)
    seen.add(next)
  }
  await step({ policyNetworkExceptions: asNew(lab) })
  const [stored] = (await policyOf(squad)).policyNetworkExceptions
  const row = { ...lab, idx: stored?.idx }
  for (const field of [{ description: 'y' }, { ip1: '10.0.0.2' }, { ip2: '10.0.0.8' }, { port: 1 }, { access: 0 }])
    await step({ policyNetworkExceptions: [{ ...row, ...field }] })
  await step({ policyNetworkExceptions: [{ ...row, type: SUBNET, ip2: '255.255.255.255' }] })
  await step({ policyNetworkExceptions: [], policyLocalNetworkExceptions: asNew(lab) })
  await step({ policyLoopbackExceptions: asNew(browser) })
  await step({ policyLoopbackExceptions: asNew({ ...browser, processName: 'edge.exe' }) })
  await step({ policyLoopbackExceptions: asNew({ description: 'y', processName: 'edge.exe' }) })
  expect(await revision(twin)).not.toBe(await revision())
  const { policyLocalNetworkExceptions, policyLoopbackExceptions } = await policyOf(squad)
  await as(admin).policies.update({
    idx: other.idx,
    policyLocalNetworkExceptions: asNew(
      ...policyLocalNetworkExceptions.map((one) => ({ ...one, endReason: 'Needed' })),
    ),
    policyLoopbackExceptions: asNew(...policyLoopbackExceptions),
  })
  expect(await revision(twin)).toBe(await revision())
})
