// Accidents that synchronizations of other products had, or that spreadsheets cause, each with the sentence that the
// administrator reads. Nothing is applied in any of them.
import { ImportFault, ImportRefusal, ImportState } from '@acc/contract/labels/userImports'
import type { UserImport } from '@acc/contract/userImports'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { fileOf, importsOf } from './userImports.fixture.ts'

const { app, as, admin, fetchAs } = await startTestApp()
const { db } = app
const { sales } = await buildGroups(db, 'sales', 'sales/east')
const imports = importsOf(app, as(admin))
afterEach(imports.cancelOpen)

const COUNT = 600
const HEADER = ['key', 'id', 'name', 'email', 'group']
type Line = [key: string, id: string, name: string, email: string, group: string]
const lineOf = (at: number): Line => [
  `00${at + 100}`,
  `person.${at}`,
  `Person ${at}`,
  `person${at}@acc.kr`,
  'sales > east',
]
const LINES = Array.from({ length: COUNT }, (_, at) => lineOf(at))
const east = await db.read.selectFrom('groups').select('idx').where('name', '=', 'east').executeTakeFirstOrThrow()
await db.write
  .insertInto('users')
  .values(LINES.map(([key, id, name, email]) => ({ key, id, name, email, groupIdx: east.idx, importSource: 0 })))
  .execute()
await buildUser(db, { id: 'by.hand', email: 'by.hand@acc.kr', group: sales })

/** Everybody, with the cells of some lines replaced. */
const everybody = (changes: Record<number, string[]> = {}) => [HEADER, ...LINES.map((line, at) => changes[at] ?? line)]
const text = (rows: readonly (readonly string[])[]) => rows.map((cells) => cells.join(',')).join('\r\n')
const replaced = (at: number, cells: Partial<Record<0 | 1 | 2 | 3 | 4, string>>): Record<number, string[]> => ({
  [at]: Object.assign([...lineOf(at)], cells),
})
/** Every line with one cell computed. */
const withCell = (place: 0 | 1 | 2 | 3 | 4, cell: (at: number) => string) => [
  HEADER,
  ...LINES.map((line, at) => Object.assign([...line], { [place]: cell(at) })),
]
const [NOBODY_CHANGES, ALL] = [{ create: 0, update: 0, move: 0, disable: 0, error: 0, unchanged: COUNT }, COUNT]

type Content = Parameters<typeof fileOf>[0]
type Expected = {
  refusal?: number
  fault?: number
  brake?: UserImport['brake']
  counts?: Partial<UserImport['counts']>
  sentence?: string
}
const ACCIDENTS: [name: string, content: Content, expected: Expected][] = [
  ['an empty answer suspended everybody', '', { refusal: ImportRefusal.EMPTY, sentence: 'It contains nobody.' }],
  ['a header alone suspended everybody', text([HEADER]), { refusal: ImportRefusal.EMPTY }],
  [
    'a misspelt header was ignored, and so its column',
    text([['key', 'id', 'name', 'emial', 'group'], ...LINES]),
    { refusal: ImportRefusal.UNKNOWN_COLUMN, sentence: 'A column is unknown.' },
  ],
  [
    'a header occurred twice, and the last one won',
    text([['key', 'id', 'name', 'name', 'group'], ...LINES]),
    { refusal: ImportRefusal.REPEATED_COLUMN, sentence: 'A column occurs twice.' },
  ],
  [
    'a column was missing, and everybody was new',
    text([['name', 'email'], ...LINES.map(([, , name, email]) => [name, email])]),
    { refusal: ImportRefusal.MISSING_COLUMN, sentence: 'A required column is missing.' },
  ],
  [
    'columns were read by their place, after somebody had moved one',
    text([['group', 'email', 'name', 'id', 'key'], ...LINES.map((line) => line.toReversed())]),
    { counts: NOBODY_CHANGES },
  ],
  [
    'a transfer ended in the middle of a quoted cell',
    `${text(everybody())}\r\n9,"new.pers`,
    { refusal: ImportRefusal.BROKEN, sentence: 'The file is cut off or no CSV.' },
  ],
  [
    'a transfer ended at the end of a line, and half of the people were suspended',
    text(everybody().slice(0, 301)),
    { brake: { people: COUNT, disables: 300 } },
  ],
  [
    'a wrong base returned one department',
    text([HEADER, ...LINES.slice(0, 12)]),
    { brake: { people: COUNT, disables: 588 } },
  ],
  [
    '6 % were missing, and nobody looked',
    text([HEADER, ...LINES.slice(36)]),
    { brake: { people: COUNT, disables: 36 } },
  ],
  [
    'a flag was inverted, and everybody was disabled',
    text([[...HEADER, 'enabled'], ...LINES.map((line) => [...line, '0'])]),
    { brake: { people: COUNT, disables: ALL } },
  ],
  [
    'a workbook was renamed to .csv',
    Buffer.from([0x50, 0x4b, 3, 4, 0x14, 0, 6, 0, 8, 0, 0xff, 0xfe, 0, 0]),
    { refusal: ImportRefusal.ENCODING, sentence: 'The encoding is unknown. Save it as UTF-8.' },
  ],
  [
    'Excel dropped the zeros at the front of employee numbers: everybody was new, and everybody else left',
    text(withCell(0, (at) => String(at + 100))),
    { fault: ImportFault.TAKEN, counts: { error: ALL, create: 0, disable: 0 } },
  ],
  [
    'Excel wrote employee numbers as 2.02E+07',
    text(withCell(0, () => '2.02E+07')),
    { fault: ImportFault.REPEATED, counts: { error: ALL, disable: 0 }, sentence: 'Another row has the same value.' },
  ],
  [
    'one column was sorted without the others, and everybody had the address of somebody else',
    text(withCell(3, (at) => `person${(at + 1) % COUNT}@acc.kr`)),
    { fault: ImportFault.TAKEN, counts: { error: ALL, update: 0 }, sentence: 'Another user has this value.' },
  ],
  [
    'two people had one employee number, and the second took the account of the first',
    text(everybody(replaced(1, { 0: '00100' }))),
    { fault: ImportFault.REPEATED, counts: { error: 2, disable: 0 } },
  ],
  [
    'an ID in capitals was a second account',
    text(everybody(replaced(2, { 1: 'Person.2' }))),
    { counts: NOBODY_CHANGES },
  ],
  [
    'an ID was the address of somebody else',
    text(everybody(replaced(2, { 1: 'person3@acc.kr' }))),
    { fault: ImportFault.FORMAT, counts: { error: 1 }, sentence: 'The format is wrong.' },
  ],
  [
    'a row took over the account of an administrator',
    text([HEADER, [...lineOf(700).slice(0, 1), 'admin', 'Intruder', 'intruder@acc.kr', 'sales']]),
    { fault: ImportFault.ADMIN, counts: { error: 1 }, sentence: 'System administrators cannot be changed.' },
  ],
  [
    'accounts made by hand were overwritten by those of the same ID',
    text([HEADER, ['00999', 'by.hand', 'Other', 'other@acc.kr', 'sales']]),
    { fault: ImportFault.OTHER_SOURCE, sentence: 'This source does not manage the user.' },
  ],
  [
    'a department was renamed, and its people were moved to the root',
    text(withCell(4, () => 'sales > eastern')),
    { fault: ImportFault.NO_GROUP, counts: { error: ALL, move: 0, disable: 0 }, sentence: 'There is no such group.' },
  ],
  [
    'a new person got the address of somebody who had left, and with it the account',
    text([HEADER, ...LINES.slice(1), ['00998', 'newcomer', 'New', 'person0@acc.kr', 'sales']]),
    { fault: ImportFault.TAKEN, counts: { error: 1, create: 0, disable: 0 } },
  ],
  [
    'two people exchanged their addresses, and both lost them',
    text(everybody({ ...replaced(4, { 3: 'person5@acc.kr' }), ...replaced(5, { 3: 'person4@acc.kr' }) })),
    { counts: { update: 2, error: 0 } },
  ],
  [
    'a last day was in another format, and accounts ended at once',
    text([[...HEADER, 'expires'], [...lineOf(6), '12/31/27'], ...LINES.slice(7).map((line) => [...line, ''])]),
    { fault: ImportFault.FORMAT, counts: { error: 1 } },
  ],
  [
    'a last day of years ago ended accounts',
    text([[...HEADER, 'expires'], [...lineOf(6), '1999-12-31'], ...LINES.slice(7).map((line) => [...line, ''])]),
    { fault: ImportFault.EXPIRY, sentence: 'This last day is not allowed.' },
  ],
  [
    'a name with a comma moved all cells behind it',
    text([HEADER, ['00107', 'person.7', 'Kim', 'Jr.', 'person7@acc.kr', 'sales']]),
    { fault: ImportFault.CELLS, sentence: 'The row does not have as many cells as the header.' },
  ],
  [
    'an invisible character made a second account of the same name',
    text(everybody(replaced(8, { 2: 'Per\u200bson 8' }))),
    { fault: ImportFault.FORMAT, counts: { error: 1 } },
  ],
  [
    'blanks around cells changed everybody',
    text(withCell(3, (at) => ` person${at}@acc.kr `)),
    { counts: NOBODY_CHANGES },
  ],
]

test.each(ACCIDENTS)('%s', async (_, content, { refusal, fault, brake = null, counts = {}, sentence }) => {
  // Complete, unless the file says something about a few people alone.
  const isAboutFew = typeof content === 'string' && content.split('\r\n').length < 3
  const run = await imports.plan(fileOf(content), { isComplete: isAboutFew ? 0 : 1 })
  expect(run).toMatchObject({
    state: refusal === undefined ? ImportState.PLANNED : ImportState.REFUSED,
    brake,
    counts: refusal === undefined ? counts : {},
  })
  expect(run.refusal?.reason).toBe(refusal)
  const rows = await imports.rows(run.idx)
  const faults = rows.flatMap((row) => row.faults.map((one) => one.fault))
  if (fault !== undefined) expect(faults).toContain(fault)
  const reason = refusal === undefined ? undefined : ImportRefusal.labels[refusal as ImportRefusal]
  const words = reason ?? (fault === undefined ? undefined : ImportFault.labels[fault as ImportFault])
  if (sentence !== undefined) expect(words?.en).toBe(sentence)
})

test('a formula in a name is a text in the file with the results', async () => {
  const row = ['00100', 'person.0', "=cmd|' /C calc'!A0", 'person0@acc.kr', 'sales > east']
  const run = await imports.plan(fileOf([HEADER, row]))
  const headers = { accept: 'text/csv', 'accept-language': 'en' }
  const csv = await (await fetchAs(admin)(`/Users/Import/Rows/Search?importIdx=${run.idx}`, { headers })).text()
  expect(csv).toContain(",'=cmd|' /C calc'!A0,")
})
