import { ProtectionSetting } from '@acc/contract/accountProtection'
import { LOGS, type LogName } from '@acc/contract/history/kinds'
import { BimManage, SettingManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { importOf, isLinked, linkOf, wordsOf } from './logs.ts'

const { passwordRules, protection } = LOGS.settingManage.lists

test('a preset rule is named in the reader’s language, a custom one as it was typed', () => {
  const { ruleName } = passwordRules.fields
  expect(wordsOf(ruleName, '숫자 1자 이상', 'en')).toBe('One or more digits')
  expect(wordsOf(ruleName, '숫자 1자 이상', 'ko')).toBe('숫자 1자 이상')
  expect(wordsOf(ruleName, '회사 이름 금지', 'en')).toBe('회사 이름 금지')
})

test('the setting in a row decides what its number means', () => {
  const { protectionValue } = protection.fields
  const words = (protectionName: number, value: number) => wordsOf(protectionValue, value, 'en', { protectionName })
  expect(words(ProtectionSetting.COMMON_PASSWORDS, 1)).toBe('On')
  expect(words(ProtectionSetting.EXPIRY_REMINDERS, 0)).toBe('Off')
  expect(words(ProtectionSetting.DORMANT_DAYS, 1)).toBe('1')
})

test('what a setting was and is appears in words, and as it was written where there are none', () => {
  const { targetName, targetValue } = LOGS.settingManage.fields
  const words = (type: number, text: string) =>
    [wordsOf(targetValue, text, 'ko', { type }), wordsOf(targetValue, text, 'en', { type })].join(' | ')
  expect(words(SettingManage.SET_SITE_CONFIG, '#5 (224 B)')).toBe('버전 5 (224 B) | Version 5 (224 B)')
  expect(words(SettingManage.SET_OVERDUE_HOURS, '24')).toBe('24시간 | 24 hours')
  expect(words(SettingManage.SET_OVERDUE_HOURS, '0')).toBe('사용 안 함 | Off')
  expect(words(SettingManage.SET_FILE_RETENTION, '1')).toBe('1일 | 1 day')
  expect(words(SettingManage.SET_DEVICES_PER_USER, '2')).toBe('2대 | 2 PCs')
  expect(words(SettingManage.REGISTER_LICENSE, '1000 (2027-11-30)')).toBe(
    'PC 1,000대, 2027-11-30까지 | 1,000 PCs, until 2027-11-30',
  )
  expect(words(SettingManage.REGISTER_LICENSE, '1')).toBe('PC 1대 | 1 PC')
  expect(words(SettingManage.MAKE_BACKUP, '1204 / 1')).toBe('행 1,204개, 파일 1개 | 1,204 rows, 1 file')
  expect(words(SettingManage.VERIFY_BACKUP, 'OK')).toBe('정상 | Intact')
  expect(words(SettingManage.VERIFY_BACKUP, 'chunk 3 is missing')).toBe('chunk 3 is missing | chunk 3 is missing')
  expect(words(SettingManage.RESTORE_FILE, 'request 7 of Kim')).toBe('Kim의 요청 7 | Request 7 of Kim')
  expect(words(SettingManage.RESTORE_FILE, 'client version 1.2')).toBe('클라이언트 버전 1.2 | Client version 1.2')
  expect(words(SettingManage.SET_HOST_ADDRESS, '24')).toBe('24 | 24')
  expect(words(SettingManage.SET_MAIL_SERVER, 'localhost : 25 (None), acc@example.com')).toBe(
    'localhost : 25 (없음), acc@example.com | localhost : 25 (None), acc@example.com',
  )
  const moment = '2026-11-23T00:10:00.000Z'
  for (const type of [SettingManage.MAKE_BACKUP, SettingManage.VERIFY_BACKUP, SettingManage.RESTORE_BACKUP])
    expect(wordsOf(targetName, moment, 'en', { type })).toMatch(/^2026-11-2\d \d{2}:10:00$/)
})

test('a link leads to the screen of what the row is about, and to none without an idx', () => {
  expect(linkOf('userManage', { targetIdx: 3, actorIdx: null }, 'target')).toEqual({
    screen: 'users',
    view: { idx: 3 },
  })
  expect(linkOf('userManage', { targetIdx: 3, actorIdx: null }, 'actor')).toBeUndefined()
  expect(linkOf('policyManage', { targetIdx: 4, targetType: 0 }, 'target')?.view).toEqual({
    groupIdx: 4,
    isExplained: true,
  })
  expect(linkOf('policyManage', { targetIdx: 4, targetType: 1 }, 'target')?.screen).toBe('users')
  expect(linkOf('fileEximport', { idx: 7, type: 1 }, 'target')).toEqual({
    screen: 'approvals',
    view: { idx: 7, tab: 'all' },
  })
  expect(linkOf('fileEximport', { idx: 7, type: 1 }, 'actor')).toBeUndefined()
  expect(linkOf('fileDownload', { idx: 9, targetIdx: 7, type: 0 }, 'target')?.screen).toBe('imports')
})

test('an import is opened from its own row, and from those of the users that it changed', () => {
  const run = { screen: 'users', view: { part: 'imports', importIdx: 5 } }
  expect(linkOf('userImport', { targetIdx: 5, actorIdx: 1 }, 'target')).toEqual(run)
  expect(importOf({ targetIdx: 3, importIdx: 5 })).toEqual(run)
  expect(importOf({ targetIdx: 3, importIdx: null })).toBeUndefined()
  expect(isLinked('userImport', 'fileName') && !isLinked('userImport', 'actorName')).toBe(true)
  expect(linkOf('settingManage', { type: SettingManage.SET_USER_SYNC }, 'target')?.view).toMatchObject({
    menu: 'userSync',
  })
})

test('a setting, a client version and a record of BIM lead to their place, to the record as long as it is there', () => {
  const target = (log: LogName, type: number, targetIdx: number | null = null) =>
    linkOf(log, { idx: 1, type, targetIdx }, 'target')
  const isOfBackups = (event: number) => event >= SettingManage.MAKE_BACKUP && event < SettingManage.SET_USER_SYNC
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
