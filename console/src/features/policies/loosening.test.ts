import { type NetworkException, NO_EXCEPTIONS } from '@acc/contract/policyExceptions'
import { NO_SHORTCUTS } from '@acc/contract/policyShortcuts'
import { DEFAULT_POLICY } from '@acc/contract/policyValues'
import { expect, test } from 'vitest'
import { loosenedIn } from './loosening.ts'
import type { Contents } from './policyLists.ts'

const EMPTY: Contents = { ...DEFAULT_POLICY, approvalSteps: [], ...NO_SHORTCUTS, ...NO_EXCEPTIONS }
const changed = (before: Partial<Contents>, after: Partial<Contents>) => [
  ...loosenedIn({ ...EMPTY, ...before }, { ...EMPTY, ...after }),
]
const host: NetworkException = { idx: 1, description: 'a', type: 0, ip1: 'a.com', ip2: '', port: 443, access: 1 }
const blocked: NetworkException = { ...host, access: 0 }

test('a value is loosened by its order, not by its number', () => {
  expect(changed({ fileExport: 2 }, { fileExport: 1 })).toEqual(['fileExport'])
  expect(changed({ fileExport: 1 }, { fileExport: 2 })).toEqual([])
  expect(changed({ encryption: 1 }, { encryption: 0 })).toEqual(['encryption'])
  expect(changed({ clipboard: 3, print: 0 }, { clipboard: 0, print: 1 })).toEqual(['print'])
})

test('more days offline count only while offline use is allowed, and capacity never', () => {
  expect(changed({ offline: 1, offlineDays: 7 }, { offline: 1, offlineDays: 8 })).toEqual(['offlineDays'])
  expect(changed({ offline: 0, offlineDays: 7 }, { offline: 0, offlineDays: 8 })).toEqual([])
  expect(changed({ offline: 0, offlineDays: 7 }, { offline: 1, offlineDays: 8 })).toEqual(['offline', 'offlineDays'])
  expect(changed({}, { encryptionMaxCapacity: 5_000 })).toEqual([])
})

test('0 downloads and 0 days are no limit, and so the loosest', () => {
  expect(changed({ downloadCount: 3 }, { downloadCount: 0 })).toEqual(['downloadCount'])
  expect(changed({ downloadCount: 3 }, { downloadCount: 4 })).toEqual(['downloadCount'])
  expect(changed({ downloadCount: 0 }, { downloadCount: 100 })).toEqual([])
  expect(changed({ downloadDays: 7 }, { downloadDays: 0 })).toEqual(['downloadDays'])
  expect(changed({ downloadDays: 0 }, { downloadDays: 7 })).toEqual([])
})

test('a longer review counts only while exports may be urgent', () => {
  expect(changed({ urgentExport: 0 }, { urgentExport: 1 })).toEqual(['urgentExport'])
  expect(changed({ urgentReviewHours: 24 }, { urgentReviewHours: 48 })).toEqual([])
  const on = { urgentExport: 1 }
  expect(changed({ ...on, urgentReviewHours: 24 }, { ...on, urgentReviewHours: 48 })).toEqual(['urgentReviewHours'])
  expect(changed({ ...on, urgentReviewHours: 48 }, { ...on, urgentReviewHours: 24 })).toEqual([])
})

test('an exception loosens if it allows something or no longer blocks it; a new description does not', () => {
  const of = (policyNetworkExceptions: NetworkException[]) => ({ policyNetworkExceptions })
  const LOOSENED = ['policyNetworkExceptions']
  expect(changed(of([]), of([host]))).toEqual(LOOSENED)
  expect(changed(of([blocked]), of([]))).toEqual(LOOSENED)
  expect(changed(of([blocked]), of([host]))).toEqual(LOOSENED)
  expect(changed(of([host]), of([{ ...host, port: 0 }]))).toEqual(LOOSENED)
  expect(changed(of([host]), of([]))).toEqual([])
  expect(changed(of([host]), of([blocked]))).toEqual([])
  expect(changed(of([host]), of([{ ...host, description: 'b' }]))).toEqual([])
})

test('an allowed target loosens by a later end, a blocked one by an earlier end', () => {
  const until = (row: NetworkException, endDT: string | null) => ({ policyNetworkExceptions: [{ ...row, endDT }] })
  const [early, late] = ['2026-12-01T00:00:00.000Z', '2026-12-08T00:00:00.000Z']
  const LOOSENED = ['policyNetworkExceptions']
  expect(changed(until(host, early), until(host, late))).toEqual(LOOSENED)
  expect(changed(until(host, late), until(host, null))).toEqual(LOOSENED)
  expect(changed(until(host, late), until(host, early))).toEqual([])
  expect(changed(until(blocked, null), until(blocked, early))).toEqual(LOOSENED)
  expect(changed(until(blocked, early), until(blocked, null))).toEqual([])
})

test('a new process loosens, a removed one does not', () => {
  const policyLoopbackExceptions = [{ idx: 1, description: 'a', processName: 'chrome.exe' }]
  expect(changed({}, { policyLoopbackExceptions })).toEqual(['policyLoopbackExceptions'])
  expect(changed({ policyLoopbackExceptions }, {})).toEqual([])
})

test('shortcuts loosen nothing', () => {
  expect(changed({}, { shortcutWebs: [{ idx: 1, name: 'a', url: 'https://a.com' }] })).toEqual([])
})

test('an authority that no longer has to agree loosens; another order or one more does not', () => {
  const at = (type: 0 | 1, step: 2 | 3, authorityIdx: number) => ({ type, step, authorityIdx, authorityName: 'A' })
  const of = (...approvalSteps: Contents['approvalSteps']) => ({ approvalSteps })
  const LOOSENED = ['approvalSteps']
  expect(changed(of(at(1, 2, 7), at(1, 3, 8)), of(at(1, 2, 7)))).toEqual(LOOSENED)
  expect(changed(of(at(1, 2, 7)), of(at(1, 2, 8)))).toEqual(LOOSENED)
  expect(changed(of(at(1, 2, 7)), of(at(0, 2, 7)))).toEqual(LOOSENED)
  expect(changed(of(at(1, 2, 7)), of(at(1, 2, 8), at(1, 3, 7)))).toEqual([])
  expect(changed(of(at(1, 2, 7), at(1, 3, 8)), of(at(1, 2, 8), at(1, 3, 7)))).toEqual([])
  expect(changed(of(), of(at(1, 2, 7)))).toEqual([])
})
