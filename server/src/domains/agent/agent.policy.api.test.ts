// The policy that the desktop client receives, with exceptions and shortcuts, and its revision.
import { OwnerType } from '@acc/contract/labels/policies'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { findClientRow, findFullClientRow } from './agent.queries.ts'

const testApp = await startTestApp()
const { app, as, admin } = testApp
const { db } = app
const calls = as(admin)
const portal = {
  description: 'Portal',
  type: 0 as const,
  ip1: 'portal.example.com',
  ip2: '',
  port: 443,
  access: 1 as const,
}
const lab = { ...portal, description: 'Lab', type: 1 as const, ip1: '10.0.0.1', ip2: '10.0.0.9', port: 0 }
const browser = { description: 'Browser', processName: 'chrome.exe' }

test('the client receives the exceptions and shortcuts of its policy without idxes', async () => {
  const { sales, team } = await buildGroups(db, 'sales', 'sales/team')
  const { idx } = await buildPolicy(db, { group: sales, print: 1 })
  const pc = await openDesktopClient(testApp, await buildUser(db, { group: team }))
  const before = await pc.agent.findPolicy({})
  expect(before).toMatchObject({ policyNetworkExceptions: [], policyLoopbackExceptions: [], shortcutWebs: [] })
  const web = await calls.shortcuts.createWeb({ name: 'Wiki', url: 'https://wiki.example.com' })
  const program = await calls.shortcuts.createProgram({ name: 'CAD', path: 'C:\\cad.exe' })
  await calls.policies.update({
    idx,
    policyNetworkExceptions: [{ ...portal, idx: -1 }],
    policyLocalNetworkExceptions: [{ ...lab, idx: -1 }],
    policyLoopbackExceptions: [{ ...browser, idx: -1 }],
    shortcutWebIdxes: [web.idx],
    shortcutProgramIdxes: [program.idx],
  })
  const { policyRevision } = await pc.agent.heartbeat({})
  expect(policyRevision).not.toBe(before.revision)
  expect(await pc.agent.findPolicy({})).toEqual({
    revision: policyRevision,
    ownerName: 'sales',
    policy: expect.objectContaining({ print: 1 }),
    isSinglePC: 0,
    siteConfig: '',
    clientPolicy: '',
    policyNetworkExceptions: [portal],
    policyLocalNetworkExceptions: [lab],
    policyLoopbackExceptions: [browser],
    shortcutWebs: [{ name: 'Wiki', url: 'https://wiki.example.com', iconName: null, iconData: null }],
    shortcutPrograms: [{ name: 'CAD', path: 'C:\\cad.exe', iconName: null, iconData: null }],
  })
})

test('the revision of the heartbeat changes with every change and equals that of the policy', async () => {
  const { crew } = await buildGroups(db, 'crew')
  const { idx } = await buildPolicy(db, { group: crew })
  const user = await buildUser(db, { group: crew })
  const pc = await openDesktopClient(testApp, user)
  const seen = new Set<string>()
  const step = async (change?: Promise<unknown>) => {
    await change
    const { policyRevision } = await pc.agent.heartbeat({})
    expect(seen).not.toContain(policyRevision)
    expect((await pc.agent.findPolicy({})).revision).toBe(policyRevision)
    seen.add(policyRevision)
  }
  const web = await calls.shortcuts.createWeb({ name: 'News', url: 'https://news.example.com' })
  await step()
  await step(calls.policies.update({ idx, clipboard: 3 }))
  await step(calls.policies.update({ idx, policyNetworkExceptions: [{ ...portal, idx: -1 }] }))
  await step(calls.policies.update({ idx, policyLocalNetworkExceptions: [{ ...portal, idx: -1 }] }))
  await step(calls.policies.update({ idx, policyLoopbackExceptions: [{ ...browser, idx: -1 }] }))
  await step(calls.policies.update({ idx, shortcutWebIdxes: [web.idx] }))
  await step(calls.shortcuts.updateWeb({ idx: web.idx, name: 'Newsroom', url: 'https://news.example.com' }))
  // Otherwise the policy would equal the earlier one without the shortcut.
  await step(calls.policies.update({ idx, clipboard: 2 }))
  await step(calls.shortcuts.removeWebs({ idxes: [web.idx] }))
  await step(calls.configTexts.setSiteConfig({ siteConfig: '<site/>' }))
  await step(calls.configTexts.setClientPolicy({ clientPolicy: '{"a": 1}' }))
  await step(calls.infos.setHostServerAddress({ hostServerAddress: 'acc.example.com' }))
  await step(calls.users.setIsSinglePC({ idx: user.idx, isSinglePC: 1 }))
  await step(
    calls.users.setIsMyPolicy({ idx: user.idx, isMyPolicy: 1 }).then(async () => {
      const own = await calls.policies.find({ ownerIdx: user.idx, ownerType: OwnerType.USER })
      await calls.policies.update({
        idx: own.idx,
        policyLoopbackExceptions: [{ ...browser, processName: 'edge.exe', idx: -1 }],
      })
    }),
  )
})

test.each([
  ['single', String.raw`{"p": "C:\Program Files\x", "host": "{{HOST}}\y"}`, String.raw`C:\Program Files\x`],
  ['doubled', String.raw`{"p": "C:\\Program Files\\x", "host": "{{HOST}}\\y"}`, String.raw`C:\Program Files\x`],
  // JSON escapes are no single backslashes.
  ['escaped', String.raw`{"p": "a\tb\u0020\"", "host": "{{HOST}}\\y"}`, 'a\tb "'],
])('a client policy with %s backslashes is delivered as JSON, and stored as typed', async (_, clientPolicy, p) => {
  const pc = await openDesktopClient(testApp, await buildUser(db))
  await calls.configTexts.setClientPolicy({ clientPolicy })
  await calls.infos.setHostServerAddress({ hostServerAddress: 'acc.example.com' })
  expect(JSON.parse((await pc.agent.findPolicy({})).clientPolicy)).toEqual({ p, host: String.raw`acc.example.com\y` })
  expect((await calls.configTexts.findClientPolicy({})).clientPolicy).toBe(clientPolicy)
})

test('the client receives whether exports may be urgent, and the limits of downloads', async () => {
  const { hall } = await buildGroups(db, 'hall')
  const { idx } = await buildPolicy(db, { group: hall })
  const pc = await openDesktopClient(testApp, await buildUser(db, { group: hall }))
  const before = await pc.agent.findPolicy({})
  const change = { urgentExport: 1, urgentReviewHours: 8, downloadCount: 3, downloadDays: 30 } as const
  await calls.policies.update({ idx, ...change })
  const after = await pc.agent.findPolicy({})
  expect(after.policy).toEqual({ ...before.policy, ...change })
  expect(after.revision).not.toBe(before.revision)
})

test('a client reads nothing of a person who was deleted since the call began', async () => {
  for (const read of [findClientRow, findFullClientRow])
    await expect(read(db.read, 987_654)).rejects.toMatchObject({ error: 'SESSION_ENDED' })
})
