import { DEFAULT_POLICY, type PolicyContents } from '@acc/contract/policies'
import { type NetworkException, NO_EXCEPTIONS } from '@acc/contract/policyExceptions'
import { NO_SHORTCUTS } from '@acc/contract/policyShortcuts'
import { expect, test } from 'vitest'
import { byName, idxesOf, listChanges } from './policyLists.ts'

const EMPTY: PolicyContents = { ...DEFAULT_POLICY, ...NO_SHORTCUTS, ...NO_EXCEPTIONS, policyLoopbackExceptions: [] }
const portal: NetworkException = { idx: 1, description: 'Portal', type: 0, ip1: 'a.com', ip2: '', port: 443, access: 1 }

test('lists with equal contents have no changes, even if their idxes differ', () => {
  const own = { ...EMPTY, policyNetworkExceptions: [portal] }
  expect(listChanges(own, { ...EMPTY, policyNetworkExceptions: [{ ...portal, idx: 9 }] })).toEqual([])
})

test('lists name what inheriting takes away and brings, with the contents where only they differ', () => {
  const wiki = { idx: 1, name: 'Wiki', url: 'https://wiki' }
  const mine = { idx: 1, policyIdx: 1, description: 'Browser', processName: 'chrome.exe' }
  const both = { ...portal, idx: 2, description: 'Both' }
  const own = {
    ...EMPTY,
    policyNetworkExceptions: [portal, both],
    policyLoopbackExceptions: [mine],
    shortcutWebs: [wiki],
  }
  const above = {
    ...EMPTY,
    policyNetworkExceptions: [{ ...portal, port: 80 }, both],
    shortcutPrograms: [{ idx: 2, name: 'CAD', path: 'C:\\cad.exe' }],
  }
  expect(listChanges(own, above)).toEqual([
    { list: 'policyNetworkExceptions', lost: ['Portal (a.com:443 +)'], gained: ['Portal (a.com:80 +)'], kept: 1 },
    { list: 'policyLoopbackExceptions', lost: ['Browser'], gained: [], kept: 0 },
    { list: 'shortcutWebs', lost: ['Wiki'], gained: [], kept: 0 },
    { list: 'shortcutPrograms', lost: [], gained: ['CAD'], kept: 0 },
  ])
})

test('shortcuts are shown by name and sent in one order', () => {
  const rows = [
    { idx: 3, name: '나', target: 'x' },
    { idx: 12, name: '가 10', target: 'y' },
    { idx: 7, name: '가 2', target: 'z' },
  ]
  expect(byName(rows).map(({ name }) => name)).toEqual(['가 2', '가 10', '나'])
  expect(idxesOf(rows)).toEqual([3, 7, 12])
})
