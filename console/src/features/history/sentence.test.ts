import { UserState } from '@acc/contract/labels/users'
import { expect, test } from 'vitest'
import { tellingOf } from './sentence.ts'

const policy = { type: 2, policyFileExport: 2, policyOldFileExport: 0, policyPrint: 1, policyOldPrint: 1 }

test('a change is named by the words of its detail, with old and new value', () => {
  expect(tellingOf('policyManage', policy, 'ko')).toEqual(['파일 반출: 차단 → 승인 필요'])
  expect(tellingOf('policyManage', policy, 'en')).toEqual(['File export: Blocked → Approval required'])
  const days = { ...policy, policyOfflineDays: 1, policyOldOfflineDays: 7 }
  expect(tellingOf('policyManage', days, 'en')).toEqual([
    'File export: Blocked → Approval required',
    'Offline period: 7 days → 1 day',
  ])
})

test('values that contain an arrow are in quotes', () => {
  const clipboard = { policyClipboard: 3, policyOldClipboard: 1 }
  expect(tellingOf('policyManage', clipboard, 'ko')).toEqual(['클립보드: ‘로컬 → 가상’ → 양방향'])
})

test('lists name how many entries were added and removed, not those that remain', () => {
  const entry = (processName: string, isOld: 0 | 1) => ({ description: '', processName, isOld })
  const policyLoopbackExceptions = [entry('a', 1), entry('b', 1), entry('a', 0), entry('c', 0), entry('d', 0)]
  expect(tellingOf('policyManage', { policyLoopbackExceptions }, 'ko')).toEqual(['루프백 예외 +2 −1'])
  expect(tellingOf('policyManage', { policyLoopbackExceptions: [entry('a', 1), entry('a', 0)] }, 'ko')).toEqual([])
  const groups = [{ groupIdx: 1, groupName: '영업', isOld: 0 }]
  expect(tellingOf('authManage', { targetName: 'a', targetOldName: null, groups }, 'en')).toEqual(['Managed groups +1'])
})

test('creations, moves and deletions name the place and the number', () => {
  const user = { targetName: '김', targetOldName: '김', targetGroupName: '영업팀', targetOldGroupName: '연구팀' }
  expect(tellingOf('userManage', user, 'ko')).toEqual(['그룹: 연구팀 → 영업팀'])
  const created = { targetName: '김', targetOldName: null, targetGroupName: '영업팀', targetEmail: 'a@b.c' }
  expect(tellingOf('userManage', created, 'ko')).toEqual(['그룹: 영업팀', '이메일: a@b.c'])
  const deleted = { targetName: '팀', parentName: '본부', movedGroups: '', userCount: 3, requestCount: 0 }
  expect(tellingOf('groupManage', deleted, 'ko')).toEqual(['상위 그룹: 본부', '이동한 사용자 수: 3'])
})

test('a copied policy names its former owner, and a password reset has no sentence', () => {
  const copied = { policyPrint: 1, policyOldPrint: 1, diffOwnerName: '연구소' }
  expect(tellingOf('policyManage', copied, 'ko')).toEqual(['정책 소유자: 연구소'])
  const reset = { targetName: '김', targetOldName: '김', targetEmail: 'a@b.c', targetOldEmail: 'a@b.c' }
  expect(tellingOf('userManage', reset, 'ko')).toEqual([])
})

test('an emptied value is a dash; a flag is its label; a row that changed nothing has no sentence', () => {
  const expiry = { targetName: '김', targetOldName: '김', targetExpireDT: null, targetOldExpireDT: '2026-01-31' }
  expect(tellingOf('userManage', expiry, 'en')).toEqual(['Expires: 2026-01-31 → -'])
  const state = { targetOldName: '김', targetName: '김', targetState: UserState.DISABLED, targetOldState: 0 }
  expect(tellingOf('userManage', state, 'ko')[0]).toMatch(/^상태: .* → 정지$/)
  expect(
    tellingOf(
      'userManage',
      { targetName: '김', targetOldName: '김', targetGroupName: '팀', targetOldGroupName: '팀' },
      'ko',
    ),
  ).toEqual([])
  expect(tellingOf('clientLogin', { userName: '김' }, 'ko')).toEqual([])
  expect(tellingOf('licenseUse', { userName: '김' }, 'ko')).toEqual([])
})
