import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { expect, test } from 'vitest'
import { ApprovalsView, filterOf, isNarrowed, placeOf, TABS, tabsOf } from './approvals.ts'

const view = (given: object) => ApprovalsView.parse(given)

test('each tab asks for one state, and imports have none that a policy allowed', () => {
  const states = TABS.map((tab) => filterOf(view({ tab }), Transfer.EXPORT, true).state)
  const { REQUESTED, APPROVED, REJECTED, CANCELED, ALLOWED } = RequestState
  expect(states).toEqual([REQUESTED, ALLOWED, APPROVED, REJECTED, CANCELED, ALLOWED, undefined])
  expect(tabsOf(Transfer.EXPORT)).toEqual(TABS)
  expect(tabsOf(Transfer.IMPORT)).toEqual(TABS.filter((tab) => tab !== 'allowed' && tab !== 'urgent'))
})

test('chosen groups count in the detailed search alone, which shows them', () => {
  const groups = { groups: [3, 4] }
  expect(filterOf(view({ isMulti: true, ...groups }), Transfer.EXPORT, true)).toMatchObject({ groupIdxes: [3, 4] })
  expect(filterOf(view(groups), Transfer.EXPORT, true)).not.toHaveProperty('groupIdxes')
  expect([isNarrowed(view({ isMulti: true, ...groups })), isNarrowed(view(groups))]).toEqual([true, false])
})

test('the waiting tab asks for what the viewer decides, unless they ask for the rest or decide nothing', () => {
  const asked = (given: object, decides = true) => filterOf(view(given), Transfer.EXPORT, decides).isDecidable
  expect([asked({}), asked({ showsAll: true }), asked({}, false), asked({ tab: 'all' })]).toEqual([1, 0, 0, 0])
})

test('the urgent tab asks for reviews, and a request is found in the tab where it is decided', () => {
  const asked = (given: object) => filterOf(view(given), Transfer.EXPORT, true)
  expect(asked({ tab: 'urgent' })).toMatchObject({ isToReview: 1, isDecidable: 1, overdueFirst: 1 })
  expect(asked({ tab: 'urgent', isUndecidable: true })).toMatchObject({ isDecidable: 0, isUndecidable: 1 })
  expect(asked({ tab: 'allowed' })).toMatchObject({ isToReview: 0, isDecidable: 0 })
  const request = { idx: 1, type: Transfer.EXPORT, isFileUploaded: 1, reviewDueDT: '2026-01-31T00:30:00.000Z' } as const
  const tabOf = (state: RequestState) => placeOf({ ...request, state }).view.tab
  expect([tabOf(RequestState.ALLOWED), tabOf(RequestState.APPROVED)]).toEqual(['urgent', 'approved'])
})
