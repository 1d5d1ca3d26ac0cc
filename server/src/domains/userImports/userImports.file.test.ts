// Files as people save them, and files that nobody should have to wait for.
import { ImportFault, ImportRefusal } from '@acc/contract/labels/userImports'
import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { RefusedSource } from './source.ts'
import { checkRow } from './userImports.cells.ts'
import { readFile } from './userImports.file.ts'
import { MAX_NEW_GROUPS, openGroups } from './userImports.groups.ts'

const read = (content: string | Buffer, isAdmin = true) =>
  readFile(typeof content === 'string' ? Buffer.from(content) : content, isAdmin)
const refusalOf = (content: string | Buffer, isAdmin = true) =>
  read(content, isAdmin).then(
    () => undefined,
    (error: unknown) => (error instanceof RefusedSource ? error.refusal : Promise.reject(error)),
  )
const valuesOf = async (content: string | Buffer) => (await read(content)).rows.map(({ values }) => values)

const TEXT = '아이디,이름\r\nttom.one,똠방각\r\npyelsi,펲시\r\nmwit.two,믜은이\r\n'
const PEOPLE = [
  { id: 'ttom.one', name: '똠방각' },
  { id: 'pyelsi', name: '펲시' },
  { id: 'mwit.two', name: '믜은이' },
]

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with BOM', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16 LE', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['UTF-16 BE', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()],
  ['CP949 with syllables outside of KS X 1001', iconv.encode(TEXT, 'cp949')],
])('%s is read', async (_, bytes) => {
  expect(await valuesOf(bytes)).toEqual(PEOPLE)
})

test('a CP949 syllable that two slices share is read', async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `user${at},${at % 2 === 0 ? '' : 'x'}똠방각`)
  const values = await valuesOf(iconv.encode(`id,name\n${lines.join('\n')}`, 'cp949'))
  expect(values).toHaveLength(20_000)
  expect(new Set(values.map(({ name }) => name))).toEqual(new Set(['똠방각', 'x똠방각']))
})

test.each([
  ['semicolons', 'ID;Name;E-Mail\nabcde;Kim, A;a@b.c'],
  ['tabs', 'id\tNAME\temail\nabcde\tKim, A\ta@b.c'],
  ['quotes and spaces in headers', '" i d ",성 명,메일\r\nabcde,"Kim, A",a@b.c\r\n'],
])('%s separate cells', async (_, text) => {
  expect(await valuesOf(text)).toEqual([{ id: 'abcde', name: 'Kim, A', email: 'a@b.c' }])
})

test('lines are those of the file, with line breaks in cells, empty lines and rows of empty cells', async () => {
  const { rows } = await read('id,name\r\n\r\none11,"a\r\nb"\r\n,\r\ntwo22,c\r\nthree,d')
  expect(rows.map(({ line, values }) => [line, values.id])).toEqual([
    [3, 'one11'],
    [6, 'two22'],
    [7, 'three'],
  ])
})

test.each([
  ['a header twice', 'id,name\nid,name', undefined],
  ['keys of a manager', 'id,key\na,b', ImportRefusal.ADMIN_COLUMN],
  ['an open quote', 'id,name\n"a,b\nc,d\n', ImportRefusal.BROKEN],
  ['a quote inside of a cell', 'id,name\nabcde,a"b\n', ImportRefusal.BROKEN],
  ['only quotes', '"'.repeat(2 ** 25), ImportRefusal.BROKEN],
  ['ten million columns', ','.repeat(10_000_000), ImportRefusal.BROKEN],
  ['one long line', `id,name\n${'a'.repeat(2 ** 24)}`, ImportRefusal.BROKEN],
  ['many lines in a quoted cell', `id,name\n"${'a\n'.repeat(2 ** 18)}"`, ImportRefusal.BROKEN],
  ['NUL', 'id,name\nabcde,a\0', ImportRefusal.ENCODING],
  ['an escape', 'id,name\nabcde,\u001b[2J', ImportRefusal.ENCODING],
  ['a replacement character', 'id,name\nabcde,\ufffd', ImportRefusal.ENCODING],
  ['UTF-16 without BOM', Buffer.from('id,name\nabcde,a', 'utf16le'), ImportRefusal.ENCODING],
  ['Latin-1', Buffer.from('id,name\nabcde,Andr\xe9\n', 'latin1'), ImportRefusal.ENCODING],
  ['too many rows', `id\n${'abcde\n'.repeat(200_001)}`, ImportRefusal.TOO_MANY_ROWS],
  ['too many empty lines', `id\nabcde\n${'\n'.repeat(2 ** 25 - 9)}`, ImportRefusal.TOO_MANY_ROWS],
  ['nothing but a header', 'id,name,\r\n', ImportRefusal.UNKNOWN_COLUMN],
  ['spaces', '  \n \n', ImportRefusal.EMPTY],
])('%s', async (_, content, reason) => {
  expect((await refusalOf(content, false))?.reason).toBe(reason)
})

const OPTIONS = { addsGroups: 1, adopts: 0, isComplete: 0, mailsPasswords: 0 } as const
/** A tree of the root alone. */
function emptyTree() {
  const root = { idx: 1, path: 'root', depth: 1, isAddable: true }
  return { byPath: new Map(), byKey: new Map(), base: root }
}

test('paths of many levels hold nobody up', async () => {
  const rows = Array.from({ length: 8_000 }, (_, at) => ({
    line: at,
    values: { id: `user${at}`, group: `${'a>'.repeat(990)}${at}` },
  }))
  const checked = rows.map(checkRow)
  const groups = openGroups(emptyTree(), { options: OPTIONS, units: [] })
  await groups.enter(checked)
  expect(groups.planned).toEqual([])
  expect(checked.every(({ faults }) => faults[0]?.fault === ImportFault.NO_GROUP)).toBe(true)
})

test('a plan creates a bounded number of groups', async () => {
  const rows = Array.from({ length: MAX_NEW_GROUPS + 5 }, (_, at) => ({ line: at, values: { group: `group ${at}` } }))
  const checked = rows.map(checkRow)
  const groups = openGroups(emptyTree(), { options: OPTIONS, units: [] })
  await groups.enter(checked)
  expect(groups.planned).toHaveLength(MAX_NEW_GROUPS)
  expect(checked.filter(({ faults }) => faults[0]?.fault === ImportFault.NO_GROUP)).toHaveLength(5)
})

test.each([
  ['many rows', 200_000, (at: number) => `user${at},"User ${at}",user${at}@example.com,본사 > 영업`],
  // The parser makes an error of each, with a stack.
  ['rows of blanks', 20_000, () => ' '],
  ['rows with one cell', 20_000, () => 'abcde'],
])('the event loop turns while a file of %s is read', async (_, count, line) => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await refusalOf(`id,name,email,group\n${Array.from({ length: count }, (_, at) => line(at)).join('\n')}`)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(20)
})
