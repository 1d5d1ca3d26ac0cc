import { LOGS, type LogName } from '@acc/contract/history/kinds'
import { BimManage, SettingManage } from '@acc/contract/labels/history'
import { ProtectionSetting } from '@acc/contract/labels/protection'
import { expect, test } from 'vitest'
import { isLinked, linkOf, wordsOf } from './logs.ts'

const { passwordRules, protection } = LOGS.settingManage.lists

test('a preset rule is named in the reader’s language, a custom one as it was typed', () => {
  const { ruleName } = passwordRules.fields
  expect(wordsOf(ruleName, '숫자 1자 이상', 'en')).toBe('One or more digits')
  expect(wordsOf(ruleName, '숫자 1자 이상', 'ko')).toBe('숫자 1자 이상')
  expect(wordsOf(ruleName, '회사 이름 금지', 'en')).toBe('회사 이름 금지')
})

test('a number means what the setting beside it says', () => {
  const { protectionValue } = protection.fields
  const words = (protectionName: number, value: number) => wordsOf(protectionValue, value, 'en', { protectionName })
  expect(words(ProtectionSetting.COMMON_PASSWORDS, 1)).toBe('On')
  expect(words(ProtectionSetting.EXPIRY_REMINDERS, 0)).toBe('Off')
  expect(words(ProtectionSetting.DORMANT_DAYS, 1)).toBe('1')
})

test('a link leads to the screen of what the row is about, and to none without an idx', () => {
  expect(linkOf('userManage', { targetIdx: 3, actorIdx: null }, 'target')).toEqual({
    screen: 'users',
    view: { idx: 3 },
  })
  expect(linkOf('userManage', { targetIdx: 3, actorIdx: null }, 'actor')).toBeUndefined()
  expect(linkOf('policyManage', { targetIdx: 4, targetType: 0 }, 'target')?.view).toEqual({ groupIdx: 4 })
  expect(linkOf('policyManage', { targetIdx: 4, targetType: 1 }, 'target')?.screen).toBe('users')
  expect(linkOf('fileEximport', { idx: 7, type: 1 }, 'target')).toEqual({
    screen: 'approvals',
    view: { idx: 7, tab: 'all' },
  })
  expect(linkOf('fileEximport', { idx: 7, type: 1 }, 'actor')).toBeUndefined()
  expect(linkOf('fileDownload', { idx: 9, targetIdx: 7, type: 0 }, 'target')?.screen).toBe('imports')
})

test('a setting, a client version and a record of BIM lead to their place, to the record as long as it is there', () => {
  const target = (log: LogName, type: number, targetIdx: number | null = null) =>
    linkOf(log, { idx: 1, type, targetIdx }, 'target')
  const isOfBackups = (event: number) => event >= SettingManage.MAKE_BACKUP
  for (const event of SettingManage.values)
    expect(target('settingManage', event) === undefined, String(event)).toBe(isOfBackups(event))
  expect(target('settingManage', SettingManage.SET_OVERDUE_HOURS)?.view).toEqual({ menu: 'mailServer', tab: 'notices' })
  expect(target('clientManage', 1)?.screen).toBe('clientVersions')
  expect(target('bimManage', BimManage.UPDATE_EXCEPTION, 4)?.view).toEqual({ menu: 'bimExceptions', idx: 4 })
  expect(target('bimManage', BimManage.UPDATE_SERVER, 4)?.view).toEqual({ menu: undefined, idx: 4 })
  expect(target('bimManage', BimManage.DELETE_SERVER)?.view).toEqual({ menu: undefined, idx: undefined })
  expect(isLinked('bimManage', 'type') && isLinked('userManage', 'targetName')).toBe(true)
  expect(isLinked('bimManage', 'targetName') || isLinked('userManage', 'type')).toBe(false)
})
