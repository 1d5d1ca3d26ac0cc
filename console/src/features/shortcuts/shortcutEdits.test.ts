import { expect, test } from 'vitest'
import { changed, changedByOthers, type Edits, isChangedIn, rebased, valuesIn } from './useShortcutEdits.ts'

const icon = { iconName: null, iconData: null, policyCount: 0 }
const row = { ...icon, idx: 1, name: 'Wiki', target: 'https://wiki.example.com/', revision: 'a' }
const newer = { ...row, target: 'https://wiki2.example.com/', revision: 'b' }
const NONE: Edits = new Map()
const refused = (edits: Edits): Edits => new Map([...edits].map(([idx, edit]) => [idx, { ...edit, isRefused: true }]))

test('a cell that is as it was is not edited', () => {
  const edits = changed(NONE, row, { name: 'Wiki 2' })
  expect(isChangedIn(edits, row, 'name')).toBe(true)
  expect(isChangedIn(edits, row, 'target')).toBe(false)
  expect(changed(edits, row, { name: 'Wiki' })).toEqual(NONE)
})

test('typed values stay on the version that they were typed over, while other cells follow the server', () => {
  const edits = changed(changed(NONE, row, { name: 'W' }), newer, { name: 'Wi' })
  expect(edits.get(1)).toMatchObject({ base: { revision: 'a' }, typed: { name: 'Wi' } })
  expect(valuesIn(edits, newer)).toEqual({ name: 'Wi', target: newer.target })
})

test('a refused edit names what others changed, and continues over the version that it shows', () => {
  const edits = refused(changed(NONE, row, { name: 'Mine' }))
  const edit = edits.get(1)
  if (edit === undefined) throw new Error('no edit')
  expect(changedByOthers(edit, newer)).toEqual(['target'])
  expect(changedByOthers(edit, { ...row, revision: 'c' })).toEqual([])
  expect(rebased(edit, newer)).toMatchObject({ base: { revision: 'b' }, typed: { name: 'Mine' }, isRefused: false })
  expect(changed(edits, newer, { name: 'Mine 2' }).get(1)).toMatchObject({ base: { revision: 'b' }, isRefused: false })
})

test('an edit that is not refused yet is never based on a newer version', () => {
  const [edit] = changed(NONE, row, { name: 'Mine' }).values()
  expect(edit && rebased(edit, newer).base.revision).toBe('a')
})
