import type { PolicyContents } from '@acc/contract/policies'
import { NO_EXCEPTIONS } from '@acc/contract/policyExceptions'
import { NO_SHORTCUTS } from '@acc/contract/policyShortcuts'
import type { PolicyStep } from '@acc/contract/policySteps'
import { DEFAULT_POLICY } from '@acc/contract/policyValues'
import { expect, test } from 'vitest'
import { byName, idxesOf, listChanges, replaceStep } from './policyLists.ts'

const EMPTY: PolicyContents = {
  ...DEFAULT_POLICY,
  approvalSteps: [],
  ...NO_SHORTCUTS,
  ...NO_EXCEPTIONS,
  policyLoopbackExceptions: [],
}
const stepText = ({ step, authorityName }: PolicyStep) => `${step} ${authorityName}`
const portal = {
  idx: 1,
  description: 'Portal',
  type: 0,
  ip1: 'a.com',
  ip2: '',
  port: 443,
  access: 1,
  endDT: null,
  endReason: null,
} as const

test('lists with equal contents have no changes, even if their idxes differ', () => {
  const own = { ...EMPTY, policyNetworkExceptions: [portal] }
  expect(listChanges(own, { ...EMPTY, policyNetworkExceptions: [{ ...portal, idx: 9 }] }, stepText)).toEqual([])
})

test('lists name what inheriting takes away and brings, with the contents where only they differ', () => {
  const wiki = { idx: 1, name: 'Wiki', url: 'https://wiki' }
  const mine = { idx: 1, policyIdx: 1, description: 'Browser', processName: 'chrome.exe' }
  const both = { ...portal, idx: 2, description: 'Both' }
  const board = { type: 1, step: 2, authorityIdx: 4, authorityName: 'Board' } as const
  const own = {
    ...EMPTY,
    approvalSteps: [board],
    policyNetworkExceptions: [portal, both],
    policyLoopbackExceptions: [mine],
    shortcutWebs: [wiki],
  }
  const above: PolicyContents = {
    ...EMPTY,
    approvalSteps: [
      { ...board, authorityIdx: 5, authorityName: 'Audit' },
      { ...board, step: 3 },
    ],
    policyNetworkExceptions: [{ ...portal, port: 80 }, both],
    shortcutPrograms: [{ idx: 2, name: 'CAD', path: 'C:\\cad.exe' }],
  }
  expect(listChanges(own, above, stepText)).toEqual([
    { list: 'approvalSteps', lost: ['2 Board'], gained: ['2 Audit', '3 Board'], kept: 0 },
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

test('a step is chosen, replaced and dropped; the next one moves up', () => {
  const at = (step: 2 | 3, authorityIdx: number) =>
    ({ type: 1, step, authorityIdx, authorityName: `A${authorityIdx}` }) as const
  const authority = (idx: number) => ({ idx, name: `A${idx}` })
  const second = { type: 1, step: 2 } as const
  expect(replaceStep([], second, authority(7))).toEqual([at(2, 7)])
  expect(replaceStep([at(2, 7)], { ...second, step: 3 }, authority(8))).toEqual([at(2, 7), at(3, 8)])
  expect(replaceStep([at(2, 7), at(3, 8)], second, authority(9))).toEqual([at(2, 9), at(3, 8)])
  expect(replaceStep([at(2, 7), at(3, 8)], second, undefined)).toEqual([at(2, 8)])
  expect(replaceStep([at(2, 7)], second, undefined)).toEqual([])
})
