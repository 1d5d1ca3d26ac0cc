// Topics that a call announces beside its first one, which the runner itself requires (http/conformance.ts).
import { expect, test, vi } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { buildGroups } from '../../test/build/groups.ts'
import { buildRequest } from '../../test/build/requests.ts'
import { buildUser } from '../../test/build/users.ts'

const { app, as, admin } = await startTestApp()
const { sales, team, target } = await buildGroups(app.db, 'sales', 'sales/team', 'target')
const employee = await buildUser(app.db, { group: sales })
const member = await buildUser(app.db, { group: team })
await buildRequest(app, member)
const calls = as(admin)
const { idx: server } = await calls.bim.createServer({ pcName: 'BIM-1', ip: '10.1.2.3' })

test.each([
  ['a removed BIM server', () => calls.bim.removeServers({ idxes: [server] }), { topic: 'bimConnections' }],
  [
    'other hours until a request is overdue',
    () => calls.notices.setOverdue({ overdueHours: 6 }),
    { topic: 'requests' },
  ],
  [
    'a moved user, to those of the new group',
    () => calls.users.update({ idx: employee.idx, groupIdx: target.idx }),
    { topic: 'users', groupIdx: target.idx },
  ],
  [
    'a deleted group with requests',
    () => calls.groups.remove({ idx: team.idx }),
    { topic: 'requests', groupIdx: sales.idx },
  ],
])('%s', async (_, call, event) => {
  const events: object[] = []
  const stop = app.events.subscribe((one) => void events.push(one))
  await call()
  await vi.waitFor(() => expect(events).toContainEqual(expect.objectContaining(event)))
  stop()
})
