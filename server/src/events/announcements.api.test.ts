// Announcements besides those of the written rows, which the runner requires (http/conformance.ts): whose screens they
// concern, and other changes for them.
import { localDayOf } from '@acc/contract/labels/formats'
import { UserState } from '@acc/contract/labels/users'
import { expect, test } from 'vitest'
import { announced } from '../../test/announced.ts'
import { startTestApp } from '../../test/app.ts'
import { buildManager } from '../../test/build/authorities.ts'
import { buildGroups } from '../../test/build/groups.ts'
import { buildRequest } from '../../test/build/requests.ts'
import { buildUser } from '../../test/build/users.ts'
import { days, later } from '../clock.ts'

const { app, as, admin, clock } = await startTestApp()
const { sales, team, target } = await buildGroups(app.db, 'sales', 'sales/team', 'target')
const employee = await buildUser(app.db, { group: sales })
const colleague = await buildUser(app.db, { group: sales })
const member = await buildUser(app.db, { group: team })
await buildRequest(app, member)
const manager = await buildManager(app.db, { groups: [sales], user: 1 })
const calls = as(admin)
const { idx: server } = await calls.bim.createServer({ pcName: 'BIM-1', ip: '10.1.2.3' })

test.each([
  ['a removed BIM server', () => calls.bim.removeServers({ idxes: [server] }), [{ topic: 'bimConnections' }]],
  [
    'other hours until a request is overdue, to the approvers of those that wait',
    () => calls.notices.setOverdue({ overdueHours: 6 }),
    [{ topic: 'requests', groupIdx: team.idx }],
  ],
  [
    'users suspended together',
    () => calls.users.setDisabledOfMany({ idxes: [member.idx], state: UserState.DISABLED }),
    [{ topic: 'users', idx: member.idx, groupIdx: team.idx }],
  ],
  [
    'users with another last day',
    () =>
      calls.users.setExpiry({ idxes: [member.idx], isMortal: 1, expireDT: localDayOf(later(clock.now(), days(5))) }),
    [{ topic: 'users', idx: member.idx, groupIdx: team.idx }],
  ],
  [
    'a moved user, to those of both groups',
    () => calls.users.update({ idx: employee.idx, groupIdx: target.idx }),
    [
      { topic: 'users', groupIdx: target.idx },
      { topic: 'users', groupIdx: sales.idx },
    ],
  ],
  [
    'users moved together, to those of both groups',
    () => calls.users.move({ idxes: [colleague.idx], groupIdx: target.idx }),
    [
      { topic: 'users', groupIdx: target.idx },
      { topic: 'users', groupIdx: sales.idx },
    ],
  ],
  ['a deleted user with an authority', () => calls.users.remove({ idxes: [manager.idx] }), [{ topic: 'authorities' }]],
  [
    'a deleted group with users and requests',
    () => calls.groups.remove({ idx: team.idx }),
    [
      { topic: 'requests', groupIdx: sales.idx },
      { topic: 'users', groupIdx: sales.idx },
    ],
  ],
])('%s', async (_, call, expected) => {
  const matching = expected.map((event) => expect.objectContaining(event))
  expect(await announced(app, call)).toEqual(expect.arrayContaining(matching))
})
