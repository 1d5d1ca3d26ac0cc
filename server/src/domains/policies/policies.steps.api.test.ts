// The later approval steps of policies.
import { Transfer } from '@acc/contract/labels/requests'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { findApprovalSteps } from './policies.steps.ts'

const { app } = await startTestApp()
const { db } = app

const stepsOf = (user: { idx: number }, type: Transfer) =>
  db.write.transaction().execute((tx) => findApprovalSteps(tx, user.idx, type))

test('a person has the steps of the nearest policy, each direction its own', async () => {
  const { plant, hall } = await buildGroups(db, 'plant', 'plant/hall')
  const security = await buildAuthority(db, { name: 'Security', groups: [plant], fileExportApprove: 2 })
  const board = await buildAuthority(db, { name: 'Board', groups: [plant], fileExportApprove: 2, fileImportApprove: 2 })
  const { idx } = await buildPolicy(db, { group: plant })
  const rows = [
    { type: Transfer.EXPORT, step: 3, authorityIdx: board.idx },
    { type: Transfer.EXPORT, step: 2, authorityIdx: security.idx },
    { type: Transfer.IMPORT, step: 2, authorityIdx: board.idx },
  ] as const
  await db.write
    .insertInto('policyApprovalSteps')
    .values(rows.map((row) => ({ policyIdx: idx, ...row })))
    .execute()
  const user = await buildUser(db, { group: hall })
  expect(await stepsOf(user, Transfer.EXPORT)).toEqual([
    { step: 2, authorityIdx: security.idx, authorityName: 'Security' },
    { step: 3, authorityIdx: board.idx, authorityName: 'Board' },
  ])
  expect(await stepsOf(user, Transfer.IMPORT)).toEqual([{ step: 2, authorityIdx: board.idx, authorityName: 'Board' }])
  await buildPolicy(db, { group: hall })
  expect(await stepsOf(user, Transfer.EXPORT)).toEqual([])
})
