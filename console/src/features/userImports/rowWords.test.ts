import {
  IMPORT_FIELD_NAMES,
  ImportAction,
  ImportFault,
  type ImportField,
  ImportResult,
} from '@acc/contract/labels/userImports'
import { expect, test } from 'vitest'
import { translate } from '../../kit/texts/translate.ts'
import { changeOf, faultOf, isAdopted, isFaulty, type Texts, valueText } from './rowWords.ts'
import en from './userImports.en.json'
import ko from './userImports.ko.json'

const KO: Texts = { language: 'ko', t: (key, values) => translate(ko, 'ko', key, values) }
const EN: Texts = { language: 'en', t: (key, values) => translate(en, 'en', key, values) }
const LANGUAGES = [KO, EN]
const OF_FILE = { line: 5 }
const OF_DIRECTORY = { line: null }
const fault = (field: ImportField | null, kind: ImportFault, hint = '') => ({ field, fault: kind, hint })

test.each(LANGUAGES)('every fault of every column has words ($language)', (texts) => {
  for (const field of [null, ...IMPORT_FIELD_NAMES])
    for (const kind of ImportFault.values)
      for (const hint of ['', '7'])
        for (const row of [OF_FILE, OF_DIRECTORY]) {
          const { column, text, fix } = faultOf(fault(field, kind, hint), row, texts)
          expect(text).not.toBe('')
          expect(column === '').toBe(field === null)
          // A missing text would be shown as its key, and a missing value as its place.
          expect(fix).not.toMatch(/\b(hint|fix|right)\.\w|\{\{|undefined/)
        }
})

test.each(IMPORT_FIELD_NAMES)('a value of %s that is missing or wrong says what would be right', (field) => {
  const fix = KO.t(`right.${field}`)
  for (const kind of [ImportFault.MISSING, ImportFault.FORMAT, ImportFault.NOT_CLEARABLE])
    expect(faultOf(fault(field, kind, 'a hint of the server'), OF_FILE, KO).fix).toBe(fix)
})

test('a repeated value names the other line of a file, and the other user of a directory', () => {
  expect(faultOf(fault('email', ImportFault.REPEATED, '12'), OF_FILE, KO).fix).toBe('12번째 줄과 같습니다.')
  expect(faultOf(fault('email', ImportFault.REPEATED, '12345'), OF_DIRECTORY, KO).fix).toBe('12345 사용자와 같습니다.')
  expect(faultOf(fault('email', ImportFault.REPEATED, '12'), OF_FILE, EN).fix).toBe('Same as in line 12.')
  expect(faultOf(fault('email', ImportFault.REPEATED), OF_DIRECTORY, EN).fix).toBe('')
})

test('hints come before the correction', () => {
  expect(faultOf(fault('group', ImportFault.NO_GROUP, '본사 > 영업'), OF_FILE, KO)).toEqual({
    column: '그룹',
    text: '그룹이 없습니다.',
    fix: '혹시 ‘본사 > 영업’인가요? 경로를 고치거나 ‘없는 그룹 생성’을 선택해 주세요.',
  })
  expect(faultOf(fault(null, ImportFault.CELLS, '3'), OF_FILE, EN).fix).toMatch(/3.* commas or quotes/)
})

test('values are shown as people read them', () => {
  expect(valueText('isEnabled', '0', KO)).toBe('정지')
  expect(valueText('isEnabled', '1', EN)).toBe('Enabled')
  expect(valueText('name', '0', KO)).toBe('0')
  expect(valueText('expireDT', '', KO)).toBeNull()
  expect(valueText('expireDT', null, KO)).toBeNull()
  expect(changeOf({ field: 'expireDT', old: null, new: '2027-12-31' }, EN)).toEqual({
    label: 'Expires',
    before: null,
    after: expect.stringContaining('2027'),
  })
})

test('faults of rows that are applied are remarks', () => {
  const update = { action: ImportAction.UPDATE, result: ImportResult.APPLIED }
  expect(isFaulty(update)).toBe(false)
  expect(isFaulty({ ...update, result: ImportResult.FAILED })).toBe(true)
  expect(isFaulty({ ...update, action: ImportAction.ERROR })).toBe(true)
})

test('a user is adopted if nothing changes but the source', () => {
  expect(isAdopted({ action: ImportAction.UPDATE, changes: [] })).toBe(true)
  expect(isAdopted({ action: ImportAction.UPDATE, changes: [{ field: 'name', old: 'a', new: 'b' }] })).toBe(false)
  expect(isAdopted({ action: ImportAction.UNCHANGED, changes: [] })).toBe(false)
})
