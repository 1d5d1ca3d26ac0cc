// Shortcuts: who reads and who edits them, refused input, icons, history, and the effect on policies that use them.
import { randomFillSync } from 'node:crypto'
import { ShortcutManage } from '@acc/contract/labels/history'
import { MAX_ICON } from '@acc/contract/shortcuts'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { historyOf } from '../../../test/history.ts'
import { makePng } from '../../files/png.fixture.ts'
import { readPng } from '../../files/png.ts'

const { app, as, fetchAs, admin } = await startTestApp()
const { db } = app
const api = as(admin).shortcuts

const rowsOf = (idx: number) => db.read.selectFrom('shortcuts').selectAll().where('idx', '=', idx).execute()
const countRows = async () =>
  Number(
    (
      await db.read
        .selectFrom('shortcuts')
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )
const logOf = async (idx: number) =>
  (await historyOf(db, 'shortcutManage')).filter(({ subjectIdx }) => subjectIdx === idx)

function icoOf(image: Buffer, count = 1): Buffer {
  const head = Buffer.alloc(6 + 16 * count)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(count, 4)
  for (let entry = 6; entry < head.length; entry += 16) {
    head.writeUInt32LE(image.length, entry + 8)
    head.writeUInt32LE(head.length, entry + 12)
  }
  return Buffer.concat([head, image])
}
const PNG = makePng(16, 16)
const png = PNG.toString('base64')
const MAX_SIDES = { width: 1024, height: 1024 }
/** An image that cannot be packed, of more than 64 KiB. */
const noise = randomFillSync(Buffer.alloc(160 * 160 * 5))
const TOO_LARGE = makePng(160, 160, (at) => noise[at] ?? 0)

test('a web and a program shortcut are created, found, changed and deleted, each with its history row', async () => {
  const web = await api.createWeb({ name: '그룹웨어', url: 'https://gw.example.com/login' })
  const program = await api.createProgram({ name: 'Editor', path: 'C:\\Program Files\\Editor\\editor.exe' })
  await api.updateWeb({ ...web, name: '그룹웨어', url: 'https://gw.example.com/' })
  await api.updateProgram({ ...program, name: 'Word editor', path: '%ProgramFiles%\\Editor\\editor.exe' })
  const empty = { iconName: null, iconData: null, policyCount: 0, revision: expect.any(String) }
  expect(await api.searchWebs({ keyword: '그룹' })).toEqual({
    totalCount: 1,
    items: [{ ...web, name: '그룹웨어', url: 'https://gw.example.com/', ...empty }],
  })
  expect(await api.searchPrograms({ keyword: 'PROGRAMFILES' })).toEqual({
    totalCount: 1,
    items: [{ ...program, name: 'Word editor', path: '%ProgramFiles%\\Editor\\editor.exe', ...empty }],
  })
  await api.removeWebs({ idxes: [web.idx] })
  await api.removePrograms({ idxes: [program.idx] })
  expect([await rowsOf(web.idx), await rowsOf(program.idx)]).toEqual([[], []])
  const actor = { actorIdx: admin.idx, groupIdx: null }
  const old = (name: string | null, data: string | null) => ({ targetOldName: name, targetOldData: data })
  const gw = { targetName: '그룹웨어' }
  const [path, newPath] = ['C:\\Program Files\\Editor\\editor.exe', '%ProgramFiles%\\Editor\\editor.exe']
  expect(await logOf(web.idx)).toMatchObject([
    { ...actor, type: ShortcutManage.CREATE_WEB, detail: { ...gw, ...old(null, null) } },
    {
      type: ShortcutManage.UPDATE_WEB,
      subject: '그룹웨어',
      detail: { ...gw, targetData: 'https://gw.example.com/', ...old('그룹웨어', 'https://gw.example.com/login') },
    },
    { type: ShortcutManage.DELETE_WEB, detail: { ...gw, targetData: 'https://gw.example.com/', ...old(null, null) } },
  ])
  expect(await logOf(program.idx)).toMatchObject([
    { type: ShortcutManage.CREATE_PROGRAM, detail: { targetName: 'Editor', targetData: path } },
    { type: ShortcutManage.UPDATE_PROGRAM, detail: { targetData: newPath, ...old('Editor', path) } },
    { type: ShortcutManage.DELETE_PROGRAM, detail: { targetName: 'Word editor', targetData: newPath } },
  ])
})

test('an update that changes nothing leaves no trace', async () => {
  const input = { name: 'Same', url: 'https://same.example.com', iconName: 'same.png', iconData: png }
  const { idx } = await api.createWeb(input)
  await api.updateWeb({ idx, ...input })
  await api.updateWeb({ idx, name: 'Same', url: 'https://same.example.com' })
  expect(await logOf(idx)).toHaveLength(1)
  expect(await rowsOf(idx)).toMatchObject([{ iconName: 'same.png', iconData: expect.any(Buffer) }])
})

const revisionOf = async (idx: number) => {
  const { items } = await api.searchWebs({ rowsCount: 1000 })
  return items.find((item) => item.idx === idx)?.revision
}

test('an edit of a shortcut that another administrator has changed since is refused: name, URL and icon', async () => {
  const input = { name: 'Shared', url: 'https://shared.example.com' }
  const { idx } = await api.createWeb(input)
  const first = await revisionOf(idx)
  const seen = [first]
  const icon = { iconName: 'a.png', iconData: png }
  const steps = [
    { name: 'B' },
    { url: 'https://b.example.com' },
    icon,
    { ...icon, iconName: 'b.png' },
    { name: 'C', iconName: null, iconData: null },
  ]
  let now = input
  for (const step of steps) {
    now = { ...now, ...step }
    await api.updateWeb({ idx, ...now, revision: await revisionOf(idx) })
    const [rows, log] = [await rowsOf(idx), await logOf(idx)]
    for (const revision of seen) {
      await expect(api.updateWeb({ idx, ...input, name: 'Late', revision })).rejects.toMatchObject({ code: 984 })
      await expect(api.updateWeb({ idx, ...now, revision })).rejects.toMatchObject({ code: 984 })
    }
    expect([await rowsOf(idx), await logOf(idx)]).toEqual([rows, log])
    seen.push(await revisionOf(idx))
  }
  await api.updateWeb({ idx, ...input })
  // What a form shows is there again, so nothing of another one is lost.
  expect(await revisionOf(idx)).toBe(first)
  await api.updateWeb({ idx, ...input, name: 'Last', revision: first })
  expect(await rowsOf(idx)).toMatchObject([{ name: 'Last' }])
})

test('of edits of one revision at once, exactly one succeeds, web pages and programs alike', async () => {
  const web = await api.createWeb({ name: 'Race', url: 'https://race.example.com' })
  const program = await api.createProgram({ name: 'Race', path: 'C:\\race.exe' })
  const [found] = (await api.searchPrograms({ keyword: 'race.exe' })).items
  const [revisions, names] = [{ web: await revisionOf(web.idx), program: found?.revision }, ['1', '2', '3', '4', '5']]
  const outcomes = await Promise.allSettled(
    names.flatMap((name) => [
      api.updateWeb({ ...web, name, url: 'https://race.example.com', revision: revisions.web }),
      api.updateProgram({ ...program, name, path: 'C:\\race.exe', revision: revisions.program }),
    ]),
  )
  for (const [at, { idx }] of [web, program].entries()) {
    const of = outcomes.filter((_, index) => index % 2 === at)
    const won = of.findIndex(({ status }) => status === 'fulfilled')
    const lost = of.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
    expect(lost).toEqual([984, 984, 984, 984])
    expect(await rowsOf(idx)).toMatchObject([{ name: names[won] }])
    expect(await logOf(idx)).toHaveLength(2)
  }
})

test('a URL or path is unique among shortcuts in every spelling, also for two at once', async () => {
  const duplicate = { error: 'DUPLICATE_NAME' }
  await api.createWeb({ name: 'One', url: 'https://one.example.com' })
  const spelled = ['https://one.example.com', 'HTTPS://One.Example.com/', 'https://one.example.com:443/']
  for (const url of spelled) await expect(api.createWeb({ name: 'Two', url })).rejects.toMatchObject(duplicate)
  // The same name is allowed, and paths of a web page differ by case.
  const other = await api.createWeb({ name: 'One', url: 'https://one.example.com/A' })
  await api.createWeb({ name: 'One', url: 'https://one.example.com/a' })
  const taken = api.updateWeb({ ...other, name: 'One', url: 'https://one.example.com/' })
  await expect(taken).rejects.toMatchObject(duplicate)
  expect(await rowsOf(other.idx)).toMatchObject([{ target: 'https://one.example.com/A' }])
  expect(await logOf(other.idx)).toHaveLength(1)
  const attempts = await Promise.allSettled(
    ['C:\\Tool\\a.exe', 'c:\\tool\\A.EXE', 'C:\\TOOL\\a.exe'].map((path) => api.createProgram({ name: 'Tool', path })),
  )
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const attempt of attempts) if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject(duplicate)
})

const longest = `https://example.com/${'a'.repeat(180)}`
test.each([
  'javascript:alert(1)',
  'JavaScript://example.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///C:/Windows/System32/cmd.exe',
  'ftp://example.com/',
  'ms-settings:',
  '\\\\evil\\share',
  '//evil.example.com',
  '/acc',
  'example.com',
  'https://',
  'https:example.com',
  'https://user:secret@example.com/',
  'https://example.com/"onclick="x',
  "https://example.com/'x",
  'https://example.com/`x`',
  'https://example.com/a b',
  'https://example.com\\@evil.example.com',
  'https://exa\u200bmple.com/',
  'https://example.com/\u202egnp.exe',
  'https://[::1',
  'https://example.com:99999/',
  '',
  `${longest}b`,
])('the URL %j is refused', async (url) => {
  const before = await countRows()
  await expect(api.createWeb({ name: 'Bad', url })).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  expect(await countRows()).toBe(before)
})

test.each([
  '\\\\evil\\share\\x.exe',
  '\\\\?\\C:\\x.exe',
  '//evil/share/x.exe',
  'C:\\Program Files\\"x.exe',
  "C:\\it's.exe",
  'C:\\a\\..\\b.exe',
  'C:\\.\\b.exe',
  'C:\\a\\\\b.exe',
  'C:x.exe',
  'C:\\',
  'C:\\a.exe:stream',
  'C:\\a.exe | calc',
  'C:\\a\n.exe',
  'C:\\a\u202eexe.txt',
  '%ProgramFiles%',
  '%a&b%\\x.exe',
  'C:\\%TEMP%\\x.exe',
  'x.exe',
  'javascript:alert(1)',
  'https://example.com/x.exe',
  '',
  `C:\\${'a'.repeat(198)}`,
])('the path %j is refused', async (path) => {
  const before = await countRows()
  await expect(api.createProgram({ name: 'Bad', path })).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  expect(await countRows()).toBe(before)
})

test('the longest URLs, paths and names are accepted, and names have a format', async () => {
  const name = '가'.repeat(30)
  await api.createWeb({ name, url: longest })
  await api.createWeb({ name: 'IDN', url: 'http://회사.example:8080/문서?a=1#b' })
  await api.createProgram({ name, path: `C:\\${'a'.repeat(197)}` })
  await api.createProgram({ name: 'R&D', path: '%ProgramFiles(x86)%\\R&D (2)\\도구.exe' })
  for (const bad of ['', ' ', `${name}가`, 'a/b', 'a"b', 'a<b', 'a;b', 'a\u200b'])
    await expect(api.createWeb({ name: bad, url: 'https://name.example.com' })).rejects.toMatchObject({ code: 983 })
})

test('data of a PNG other than its pixels is not stored', async () => {
  const hidden = Buffer.concat([PNG, Buffer.from('<script>alert(1)</script>')])
  const icon = { iconName: 'a.png', iconData: hidden.toString('base64') }
  const { idx } = await api.createWeb({ name: 'Icon', url: 'https://polyglot.example.com', ...icon })
  const [row] = await rowsOf(idx)
  expect(await readPng(PNG, MAX_SIDES)).toMatchObject({ bytes: row?.iconData })
  expect(row?.iconData?.includes('script')).toBe(false)
})

test('an icon is a PNG or ICO file by its content, and nothing else', async () => {
  const url = (at: number) => `https://icons.example.com/${at}`
  const icons: [string, Buffer][] = [
    ['a.png', makePng(120, 120, (at) => noise[at] ?? 0)],
    ['a.ico', icoOf(PNG)],
    ['A.PNG', makePng(1024, 1)],
  ]
  const dib = Buffer.alloc(100)
  dib.writeUInt32LE(40, 0)
  dib.writeUInt32LE(16, 4)
  dib.writeUInt32LE(32, 8)
  icons.push(['아이콘.ico', icoOf(dib)], ['many.ico', icoOf(dib, 32)])
  for (const [at, [iconName, bytes]] of icons.entries()) {
    const iconData = bytes.toString('base64')
    const { idx } = await api.createWeb({ name: 'Icon', url: url(at), iconName, iconData })
    const [row] = await rowsOf(idx)
    expect((await api.searchWebs({ keyword: url(at) })).items[0]).toMatchObject({
      iconName,
      iconData: row?.iconData?.toString('base64'),
    })
    if (iconName.endsWith('ico')) expect(row?.iconData).toEqual(bytes)
    else expect(await readPng(row?.iconData ?? bytes, MAX_SIDES)).toMatchObject({ bytes: row?.iconData })
  }
  const bad: [string, Buffer][] = [
    ['a.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['a.png', Buffer.from('GIF89a')],
    ['a.png', icoOf(PNG)],
    ['a.ico', PNG],
    ['a.png', PNG.subarray(0, -1)],
    ['a.png', Buffer.from(PNG).fill(1, 45, 50)],
    ['a.png', makePng(1025, 1)],
    ['a.png', PNG.subarray(0, 33)],
    ['a.ico', Buffer.concat([icoOf(PNG), Buffer.from('MZ')])],
    ['a.ico', icoOf(Buffer.from('MZ'))],
    ['a.ico', icoOf(Buffer.alloc(100, 'MZ'))],
    ['a.ico', icoOf(makePng(1, 1025))],
    ['a.ico', icoOf(PNG).fill(255, 14, 18)],
    ['a.ico', icoOf(PNG).fill(255, 4, 6)],
    ['a.ico', icoOf(PNG, 33)],
    ['a.ico', icoOf(PNG).subarray(0, 10)],
  ]
  const before = await countRows()
  for (const [iconName, bytes] of bad) {
    const call = api.createWeb({ name: 'Icon', url: url(99), iconName, iconData: bytes.toString('base64') })
    await expect(call).rejects.toMatchObject({ error: 'INVALID_IMAGE' })
  }
  expect(TOO_LARGE.length).toBeGreaterThan(MAX_ICON)
  const tooLarge = TOO_LARGE.toString('base64')
  for (const icon of [
    { iconName: 'a.png' },
    { iconData: png },
    { iconName: null, iconData: png },
    { iconName: 'a.png', iconData: tooLarge },
    { iconName: 'a.png', iconData: `data:image/png;base64,${png}` },
    { iconName: 'a.svg', iconData: png },
    { iconName: '../a.png', iconData: png },
    { iconName: 'a.png', iconData: '' },
  ])
    await expect(api.createWeb({ name: 'Icon', url: url(99), ...icon })).rejects.toMatchObject({ code: 983 })
  expect(await countRows()).toBe(before)
})

test('an icon stays where an update says nothing about it, and is removed by null', async () => {
  const shortcut = { name: 'Kept', url: 'https://kept.example.com' }
  const { idx } = await api.createWeb({ ...shortcut, iconName: 'a.png', iconData: png })
  await api.updateWeb({ ...shortcut, idx, name: 'Renamed' })
  expect(await rowsOf(idx)).toMatchObject([{ name: 'Renamed', iconName: 'a.png' }])
  await api.updateWeb({ ...shortcut, idx, iconName: null, iconData: null })
  expect(await rowsOf(idx)).toMatchObject([{ name: 'Kept', iconName: null, iconData: null }])
  expect(await logOf(idx)).toHaveLength(3)
})

test('icons of one response are bounded: the first rows have theirs, the others a name only', async () => {
  const iconData = randomFillSync(Buffer.alloc(60_000))
  await db.write
    .insertInto('shortcuts')
    .values(
      Array.from({ length: 80 }, (_, at) => ({
        kind: 1 as const,
        name: 'Heavy',
        target: `C:\\heavy\\${at}.exe`,
        targetKey: `c:\\heavy\\${at}.exe`,
        iconName: 'a.png',
        iconData,
      })),
    )
    .execute()
  const { items, totalCount } = await api.searchPrograms({ keyword: 'heavy', rowsCount: 99_999, sort: 'path' })
  const withIcons = items.findIndex(({ iconData: data }) => data === null)
  expect([totalCount, items.length, withIcons]).toEqual([80, 80, Math.floor((4 * 1024 * 1024) / iconData.length)])
  expect(items.slice(withIcons).every((item) => item.iconData === null && item.iconName === 'a.png')).toBe(true)
  await expect(api.searchPrograms({ rowsCount: 100_000 })).rejects.toMatchObject({ code: 983 })
})

test('searching is literal, in name and target, and pages and sorts', async () => {
  for (const [name, page] of [
    ['Percent', '100%25'],
    ['Under_score', 'b'],
    ['가나', 'c'],
  ] as const)
    await api.createWeb({ name, url: `https://find.example.com/${page}` })
  const found = async (keyword: string) =>
    (await api.searchWebs({ keyword, sort: 'url', sortOrder: 0 })).items.map(({ name }) => name)
  expect(await found('find.EXAMPLE')).toEqual(['Percent', 'Under_score', '가나'])
  expect([await found('0%2'), await found('r_s'), await found('나'), await found('%')]).toEqual([
    ['Percent'],
    ['Under_score'],
    ['가나'],
    ['Percent'],
  ])
  const second = await api.searchWebs({ keyword: 'find.example', sort: 'name', rowsAfter: 1, rowsCount: 1 })
  expect([second.totalCount, second.items.length]).toEqual([3, 1])
  await expect(api.searchWebs({ keyword: 'x'.repeat(31) })).rejects.toMatchObject({ code: 983 })
  const csv = await (
    await fetchAs(admin)('/ShortcutWebs/Search?keyword=find.example', { headers: { accept: 'text/csv' } })
  ).text()
  expect(csv.split('\r\n')).toHaveLength(5)
  expect(csv).toContain('Under_score,https://find.example.com/b')
})

test('how many policies use a shortcut is for administrators', async () => {
  const { unit } = await buildGroups(db, 'unit')
  const { idx } = await api.createWeb({ name: 'Guarded', url: 'https://guarded.example.com' })
  const { idx: policyIdx } = await buildPolicy(db, { group: unit })
  await db.write.insertInto('policyShortcuts').values({ policyIdx, shortcutIdx: idx }).execute()
  const manager = as(await buildManager(db, { groups: [unit], policy: 2 }))
  const { items } = await manager.shortcuts.searchWebs({ keyword: 'guarded' })
  expect(items).toMatchObject([{ idx, policyCount: null }])
  expect((await api.searchWebs({ keyword: 'guarded' })).items).toMatchObject([{ idx, policyCount: 1 }])
})

test('deleting is all or nothing, and by the call of its own kind', async () => {
  const web = await api.createWeb({ name: 'Web', url: 'https://kinds.example.com' })
  const program = await api.createProgram({ name: 'Program', path: 'C:\\kinds.exe' })
  const refused = { error: 'NOT_ALLOWED' }
  await expect(api.removeWebs({ idxes: [web.idx, program.idx] })).rejects.toMatchObject(refused)
  await expect(api.removeWebs({ idxes: [web.idx, 999_999] })).rejects.toMatchObject(refused)
  await expect(api.updateWeb({ ...program, name: 'X', url: 'https://x.example.com' })).rejects.toMatchObject(refused)
  await expect(api.updateProgram({ ...web, name: 'X', path: 'C:\\x.exe' })).rejects.toMatchObject(refused)
  expect([await rowsOf(web.idx), await rowsOf(program.idx)].flat()).toHaveLength(2)
  expect([await logOf(web.idx), await logOf(program.idx)].flat()).toHaveLength(2)
})

test('a deleted shortcut leaves the policies that used it, and those keep the others', async () => {
  const { desk } = await buildGroups(db, 'desk')
  const { idx: policyIdx } = await buildPolicy(db, { group: desk })
  const gone = await api.createWeb({ name: 'Gone', url: 'https://gone.example.com' })
  const kept = await api.createProgram({ name: 'Kept', path: 'C:\\kept.exe' })
  await db.write
    .insertInto('policyShortcuts')
    .values([gone, kept].map(({ idx }) => ({ policyIdx, shortcutIdx: idx })))
    .execute()
  await api.removeWebs({ idxes: [gone.idx] })
  const uses = db.read.selectFrom('policyShortcuts').selectAll().where('policyIdx', '=', policyIdx)
  expect(await uses.execute()).toEqual([{ policyIdx, shortcutIdx: kept.idx }])
})
