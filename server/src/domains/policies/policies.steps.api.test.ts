// The later approval steps of policies: who may be named, what an edit stores, how they are inherited and explained.
import { PolicyManage } from '@acc/contract/labels/history'
import { FileExport, OwnerType } from '@acc/contract/labels/policies'
import { Transfer } from '@acc/contract/labels/requests'
import { UserState } from '@acc/contract/labels/users'
import type { StepChoice } from '@acc/contract/policySteps'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { findEffectivePolicy } from './policies.service.ts'
import { findApprovalSteps } from './policies.steps.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const { IMPORT, EXPORT } = Transfer
const BOTH = { fileExportApprove: 2, fileImportApprove: 2 } as const

const { office } = await buildGroups(db, 'office')
const member = await buildUser(db, { group: office })
/** An authority with a member that may decide both directions. */
const buildDeciders = (name: string) => buildAuthority(db, { name, groups: [office], users: [member], ...BOTH })
const security = await buildDeciders('Security')
const board = await buildDeciders('Board')

const exportStep = (step: 2 | 3, { idx }: { idx: number }): StepChoice => ({ type: EXPORT, step, authorityIdx: idx })
const importStep = (step: 2 | 3, { idx }: { idx: number }): StepChoice => ({ type: IMPORT, step, authorityIdx: idx })
const policyOf = ({ idx }: { idx: number }) => as(admin).policies.find({ ownerIdx: idx, ownerType: OwnerType.GROUP })
const rowsOf = (policyIdx: number) =>
  db.read
    .selectFrom('policyApprovalSteps')
    .select(['type', 'step', 'authorityIdx'])
    .where('policyIdx', '=', policyIdx)
    .orderBy('type')
    .orderBy('step')
    .execute()
const logOf = async (subjectIdx: number) =>
  (await historyOf(db, 'policyManage')).filter((row) => row.subjectIdx === subjectIdx)
const stepsOf = (user: { idx: number }, type: Transfer) =>
  db.write.transaction().execute((tx) => findApprovalSteps(tx, user.idx, type))

test('a list with wrong places is refused, with the name of the field', async () => {
  const { odd } = await buildGroups(db, 'odd')
  const { idx } = await buildPolicy(db, { group: odd })
  const lists: unknown[] = [
    [{ ...exportStep(2, security), step: 1 }],
    [exportStep(2, security), exportStep(3, board), { ...exportStep(3, board), step: 4 }],
    [{ ...exportStep(2, security), type: 2 }],
    [{ ...exportStep(2, security), authorityIdx: 0 }],
    [{ type: EXPORT, step: 2 }],
    [exportStep(3, security)],
    [importStep(2, board), exportStep(3, security)],
    [exportStep(2, security), exportStep(2, board)],
    [exportStep(2, security), exportStep(3, security)],
    Array.from({ length: 5 }, () => exportStep(2, security)),
    'Security',
  ]
  for (const approvalSteps of lists) {
    const update = as(admin).policies.update({ idx, approvalSteps: approvalSteps as StepChoice[] })
    await expect(update).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  }
  expect(await rowsOf(idx)).toEqual([])
  expect(await logOf(odd.idx)).toEqual([])
})

test('an authority that cannot decide the direction, or that nobody can use, is refused and nothing changes', async () => {
  const { strict } = await buildGroups(db, 'strict')
  const { idx } = await buildPolicy(db, { group: strict })
  const away = await buildUser(db, { group: office, state: UserState.DISABLED })
  const over = await buildUser(db, { group: office, isMortal: 1, expireDT: '2020-01-01' })
  const gone = await buildDeciders('Gone')
  await as(admin).authorities.remove({ idx: gone.idx })
  const build = (columns: Partial<Parameters<typeof buildAuthority>[1]>) =>
    buildAuthority(db, { groups: [office], users: [member], ...columns })
  const unfit = [
    gone,
    await build({ fileExportApprove: 1, policy: 2 }),
    await build({ fileImportApprove: 2 }),
    await build({ ...BOTH, groups: [] }),
  ]
  for (const authority of unfit) {
    const approvalSteps = [exportStep(2, security), exportStep(3, authority)]
    const update = as(admin).policies.update({ idx, approvalSteps, print: 1 })
    await expect(update).rejects.toMatchObject({ error: 'UNFIT_AUTHORITY' })
  }
  const empty = await build({ ...BOTH, users: [] })
  const idle = await build({ ...BOTH, users: [away, over] })
  for (const authority of [empty, idle]) {
    const update = as(admin).policies.update({ idx, approvalSteps: [exportStep(2, authority)], print: 1 })
    await expect(update).rejects.toMatchObject({ error: 'NO_DECIDER' })
  }
  expect(await rowsOf(idx)).toEqual([])
  expect(await policyOf(strict)).toMatchObject({ print: 0, revision: 1, approvalSteps: [] })
  expect(await logOf(strict.idx)).toEqual([])
})

test('an edit replaces all steps, and its history row has those before and after', async () => {
  const { desk } = await buildGroups(db, 'desk')
  const { idx } = await buildPolicy(db, { group: desk })
  await as(admin).policies.update({ idx, revision: 1, approvalSteps: [exportStep(3, board), exportStep(2, security)] })
  const both = [
    { ...exportStep(2, security), authorityName: 'Security' },
    { ...exportStep(3, board), authorityName: 'Board' },
  ]
  expect(await policyOf(desk)).toMatchObject({ revision: 2, approvalSteps: both })
  const stale = as(admin).policies.update({ idx, revision: 1, approvalSteps: [] })
  await expect(stale).rejects.toMatchObject({ error: 'CHANGED_MEANWHILE' })
  // The same steps in another order, and an edit of something else, are no change of them.
  await as(admin).policies.update({ idx, approvalSteps: [exportStep(2, security), exportStep(3, board)] })
  await as(admin).policies.update({ idx, network: 0 })
  await as(admin).policies.update({ idx, print: 1, approvalSteps: [exportStep(2, board), importStep(2, board)] })
  expect(await rowsOf(idx)).toEqual([importStep(2, board), exportStep(2, board)])
  const { UPDATE_DESKTOP_ENVIRONMENT, UPDATE_NETWORK } = PolicyManage
  const entry = (name: string, type: Transfer, step: number, isOld: 0 | 1) => ({
    authorityName: name,
    ...{ type, step, isOld },
  })
  const [first, second, third, ...others] = await logOf(desk.idx)
  expect(first).toMatchObject({
    type: UPDATE_DESKTOP_ENVIRONMENT,
    detail: { policyApprovalSteps: [entry('Security', EXPORT, 2, 0), entry('Board', EXPORT, 3, 0)] },
  })
  expect(second).toMatchObject({ type: UPDATE_NETWORK })
  expect(second?.detail).not.toHaveProperty('policyApprovalSteps')
  expect(third).toMatchObject({
    type: UPDATE_DESKTOP_ENVIRONMENT,
    detail: {
      policyPrint: 1,
      policyApprovalSteps: [
        entry('Security', EXPORT, 2, 1),
        entry('Board', EXPORT, 3, 1),
        entry('Board', IMPORT, 2, 0),
        entry('Board', EXPORT, 2, 0),
      ],
    },
  })
  expect(others).toEqual([])
})

test('a step whose last member has left may stay, and clients do not fetch their policy again because of steps', async () => {
  const { crew } = await buildGroups(db, 'crew')
  const { idx } = await buildPolicy(db, { group: crew })
  const person = await buildUser(db, { group: crew })
  const revision = (await findEffectivePolicy(db.read, person.idx))?.revision
  const leaving = await buildUser(db, { group: office })
  const audit = await buildAuthority(db, { name: 'Audit', groups: [office], users: [leaving], ...BOTH })
  await as(admin).policies.update({ idx, approvalSteps: [exportStep(2, audit)] })
  await as(admin).users.remove({ idxes: [leaving.idx] })
  await as(admin).policies.update({ idx, approvalSteps: [exportStep(2, board), exportStep(3, audit)] })
  expect(await rowsOf(idx)).toEqual([exportStep(2, board), exportStep(3, audit)])
  const added = as(admin).policies.update({
    idx,
    approvalSteps: [exportStep(2, board), exportStep(3, audit), importStep(2, audit)],
  })
  await expect(added).rejects.toMatchObject({ error: 'NO_DECIDER' })
  expect((await findEffectivePolicy(db.read, person.idx))?.revision).toBe(revision)
})

test('steps are inherited, copied to an own policy, and lost when it is dropped; the history says so', async () => {
  const { plant, hall } = await buildGroups(db, 'plant', 'plant/hall')
  const { idx } = await buildPolicy(db, { group: plant, fileExport: FileExport.APPROVAL })
  await as(admin).policies.update({ idx, approvalSteps: [exportStep(2, security)] })
  expect(await policyOf(hall)).toMatchObject({ isMyPolicy: 0, approvalSteps: [{ authorityName: 'Security' }] })
  await as(admin).groups.setIsMyPolicy({ idx: hall.idx, isMyPolicy: 1 })
  const own = await policyOf(hall)
  expect(await rowsOf(own.idx)).toEqual([exportStep(2, security)])
  await as(admin).policies.update({ idx: own.idx, approvalSteps: [] })
  expect(await policyOf(hall)).toMatchObject({
    approvalSteps: [],
    above: { approvalSteps: [{ ...exportStep(2, security), authorityName: 'Security' }] },
  })
  await as(admin).policies.update({ idx: own.idx, approvalSteps: [exportStep(2, board)] })
  await as(admin).groups.setIsMyPolicy({ idx: hall.idx, isMyPolicy: 0 })
  expect(await rowsOf(own.idx)).toEqual([])
  const log = await logOf(hall.idx)
  expect(log[0]).toMatchObject({
    type: PolicyManage.SEPARATE,
    detail: { policyApprovalSteps: [{ authorityName: 'Security' }, { authorityName: 'Security' }] },
  })
  expect(log.at(-1)).toMatchObject({
    type: PolicyManage.INHERIT,
    detail: {
      policyApprovalSteps: [
        { authorityName: 'Board', isOld: 1 },
        { authorityName: 'Security', isOld: 0 },
      ],
    },
  })
})

test('it is explained since when the steps apply and who set them', async () => {
  const { lab } = await buildGroups(db, 'lab')
  const { idx } = await buildPolicy(db, { group: lab })
  const originOf = async () => {
    const { origins } = await as(admin).policies.findOrigins({ ownerIdx: lab.idx, ownerType: OwnerType.GROUP })
    return origins.find(({ name }) => name === 'approvalSteps')
  }
  await as(admin).policies.update({ idx, print: 1 })
  expect(await originOf()).toBeUndefined()
  await as(admin).policies.update({ idx, approvalSteps: [exportStep(2, security)] })
  const set = await originOf()
  expect(set).toMatchObject({ copiedFrom: null, actorName: expect.any(String), logIdx: expect.any(Number) })
  await as(admin).policies.update({ idx, print: 0 })
  expect(await originOf()).toEqual(set)
})

test('people who may edit policies see which authorities can decide, with their usable members', async () => {
  const manager = await buildManager(db, { groups: [office], policy: 2 })
  const suspended = await buildUser(db, { group: office, state: UserState.DISABLED })
  const users = [member, suspended, await buildUser(db, { group: office, state: UserState.NEW })]
  const imports = await buildAuthority(db, { name: 'Imports', groups: [office], users, fileImportApprove: 2 })
  await buildAuthority(db, { name: 'Readers', groups: [office], users, fileImportApprove: 1, fileExportApprove: 1 })
  await buildAuthority(db, { name: 'Nowhere', groups: [], users, ...BOTH })
  const listOf = async (type: Transfer) => (await as(manager).policies.findStepAuthorities({ type })).authorities
  expect(await listOf(IMPORT)).toContainEqual({ idx: imports.idx, name: 'Imports', memberCount: 2 })
  const names = (await listOf(EXPORT)).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['Security', 'Board']))
  for (const name of ['Imports', 'Readers', 'Nowhere']) expect(names).not.toContain(name)
})

test('a person has the steps of the nearest policy, each direction its own', async () => {
  const { site, room } = await buildGroups(db, 'site', 'site/room')
  const { idx } = await buildPolicy(db, { group: site })
  const approvalSteps = [exportStep(2, security), exportStep(3, board), importStep(2, board)]
  await as(admin).policies.update({ idx, approvalSteps })
  const user = await buildUser(db, { group: room })
  expect(await stepsOf(user, EXPORT)).toEqual([
    { ...exportStep(2, security), authorityName: 'Security' },
    { ...exportStep(3, board), authorityName: 'Board' },
  ])
  expect(await stepsOf(user, IMPORT)).toEqual([{ ...importStep(2, board), authorityName: 'Board' }])
  await buildPolicy(db, { group: room })
  expect(await stepsOf(user, EXPORT)).toEqual([])
})
