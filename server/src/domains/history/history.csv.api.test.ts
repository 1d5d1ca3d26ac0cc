// Nested entries of the history as CSV: files, people, groups and exceptions by name, added and removed ones apart.
import { LOGS, type LogName } from '@acc/contract/history/kinds'
import { AuthManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy, openExports } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { csvCells } from '../../../test/csvCells.ts'
import { insertHistory, SYSTEM } from '../../core/change.ts'

const { app, as, fetchAs, admin, clock } = await startTestApp()
const { db } = app
await openExports(db)
const { sales, rnd } = await buildGroups(db, 'sales', 'rnd')
const [kim, lee] = [
  await buildUser(db, { group: sales, id: 'kim', name: '김하늘' }),
  await buildUser(db, { group: rnd, id: 'lee', name: '이바다' }),
]
const auditor = await buildManager(db, { groups: [sales], log: 1 })
const approver = await buildManager(db, { groups: [sales], fileExportApprove: 2, log: 1 })
const stranger = await buildManager(db, { groups: [rnd], log: 1 })

/** The rows of a list as CSV, each by the headings of its columns. */
async function csvOf(user: { idx: number }, log: LogName, filter: object = {}, language = 'en') {
  const headers = { accept: 'text/csv', 'accept-language': language, 'x-time-zone': 'UTC' }
  const query = new URLSearchParams({ rowsCount: '2147483646', ...filter })
  const [heads = [], ...lines] = csvCells(await (await fetchAs(user)(`${LOGS[log].path}?${query}`, { headers })).text())
  return lines.map((line) => Object.fromEntries(heads.map((head, at) => [head, line[at]])))
}

const FILES = 'Files (File name, Size, SHA-256)'
const bytes = Buffer.from('hello')
const HASH = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'
const request = await buildRequest(app, kim, {
  files: [
    { name: 'plan, final.dwg', bytes },
    { name: '=1+1.txt', bytes },
  ],
})
await buildRequest(app, lee, { files: [{ name: 'foreign.txt', bytes }] })
const NAMED = `plan, final.dwg (5, ${HASH})\n'=1+1.txt (5, ${HASH})`

test('an export names its files with sizes and hashes, to those who read its history', async () => {
  const [row, ...others] = await csvOf(auditor, 'fileEximport', { type: 1 })
  expect(row).toMatchObject({ 'No.': String(request.idx), Files: '2', [FILES]: NAMED })
  expect(others).toEqual([])
  expect(JSON.stringify(await csvOf(stranger, 'fileEximport', { type: 1 }))).not.toContain('plan')
})

test('a download names the request and the files, also to those who may not open the request', async () => {
  await (await as(approver).requests.download({ fileEximport: request.idx })).arrayBuffer()
  for (const viewer of [admin, approver, auditor]) {
    const { items } = await as(viewer).history.fileDownload({})
    expect(items).toMatchObject([{ requestIdx: request.idx, targetIdx: viewer === auditor ? null : request.idx }])
    const { entry } = await as(viewer).history.find({ log: 'fileDownload', idx: items[0]?.idx ?? 0 })
    expect(entry).toMatchObject({ requestIdx: request.idx })
    expect(await csvOf(viewer, 'fileDownload')).toMatchObject([{ 'Request no.': String(request.idx), [FILES]: NAMED }])
  }
  expect(await csvOf(stranger, 'fileDownload')).toEqual([])
})

test('downloads are found by the number of the request and by the name of a file', async () => {
  const found = async (user: { idx: number }, filter: object) =>
    (await as(user).history.fileDownload(filter)).items.length
  for (const filter of [{ requestIdx: String(request.idx) }, { fileName: 'FINAL.d' }, { fileName: '=1' }]) {
    expect(await found(auditor, filter)).toBe(1)
    expect(await csvOf(auditor, 'fileDownload', filter)).toHaveLength(1)
    expect(await found(stranger, filter)).toBe(0)
  }
  for (const filter of [{ requestIdx: `9${request.idx}` }, { requestIdx: 'x' }, { fileName: '5' }, { fileName: '%' }])
    expect(await found(auditor, filter)).toBe(0)
})

test('an authority names the added and removed groups and admins, and not those that remain', async () => {
  const levels = { policy: 0, user: 1, fileImportApprove: 0, fileExportApprove: 0, log: 0 } as const
  const { idx } = await as(admin).authorities.create({
    ...{ name: '영업 관리', ...levels },
    ...{ groupIdxes: [sales.idx], userIdxes: [kim.idx, auditor.idx] },
  })
  const change = { groupIdxes: [sales.idx, rnd.idx], userIdxes: [auditor.idx, lee.idx] }
  await as(admin).authorities.update({ idx, name: '영업 관리', ...levels, ...change })
  const groups = 'Managed groups (Group, No.)'
  const users = 'Users (ID, Name, Group, Ends, Why there is no end, No.)'
  const auditorLine = `'+ ${auditor.id} (${auditor.name}, 전체 조직, -, -, ${auditor.idx})`
  expect(await csvOf(admin, 'authManage', { targetName: '영업', sortOrder: 0 })).toMatchObject([
    {
      [groups]: `'+ sales (${sales.idx})`,
      [users]: expect.stringContaining(`'+ kim (김하늘, sales, -, -, ${kim.idx})`),
    },
    { [groups]: `'+ rnd (${rnd.idx})`, [users]: '' },
    { [groups]: '', [users]: `'- kim (김하늘, sales, -, -, ${kim.idx})\n'+ lee (이바다, rnd, -, -, ${lee.idx})` },
  ])
  const [created] = await csvOf(admin, 'authManage', { type: AuthManage.CREATE }, 'ko')
  expect(created?.['사용자 (아이디, 이름, 그룹, 종료 일시, 종료일이 없는 사유, 번호)']).toContain(auditorLine)
  expect(JSON.stringify(await csvOf(admin, 'authManage'))).not.toContain(sales.key)
})

test('exceptions of a policy are written in the words of the reader', async () => {
  const { idx } = await buildPolicy(db, { group: sales })
  const portal = { type: 1, ip1: '10.0.0.1', ip2: '10.0.0.9', port: 443, access: 1 } as const
  await as(admin).policies.update({ idx, policyNetworkExceptions: [{ idx: -1, description: '포털', ...portal }] })
  const { policyNetworkExceptions } = await as(admin).policies.find({ ownerIdx: sales.idx, ownerType: 0 })
  const [stored] = policyNetworkExceptions
  await as(admin).policies.update({
    idx,
    policyNetworkExceptions: [{ ...portal, idx: stored?.idx ?? 0, description: '포털', access: 0 }],
  })
  const [last] = await csvOf(auditor, 'policyManage')
  const [cell] = Object.values(last ?? {}).filter((text) => text?.includes('포털'))
  const line = (sign: string, access: string) =>
    `'${sign} 포털 (Start IP + end IP, 10.0.0.1, 10.0.0.9, 443, ${access}, -, -, ${stored?.idx})`
  expect(cell).toBe([line('-', 'Allowed'), line('+', 'Blocked')].join('\n'))
})

test('a cell names a thousand entries and counts the others', async () => {
  const after = { targetName: 'wide', targetDescription: '', targetPolicy: 0, targetUser: 1 } as const
  const levels = { targetFileImportApprove: 0, targetFileExportApprove: 0, targetLog: 0 } as const
  const old = { targetOldName: null, targetOldDescription: null, targetOldPolicy: null, targetOldUser: null }
  const oldLevels = { targetOldFileImportApprove: null, targetOldFileExportApprove: null, targetOldLog: null }
  const groups = Array.from({ length: 1203 }, (_, at) => ({
    ...{ groupIdx: at + 1, groupName: `team ${at}`, groupKey: 'key' },
    isOld: 0 as const,
  }))
  await db.write.transaction().execute((tx) =>
    insertHistory(tx, SYSTEM, clock.now(), [
      {
        ...{ kind: 'authManage', type: AuthManage.CREATE, subject: 'wide', subjectIdx: null, groupIdx: null },
        detail: { ...after, ...levels, ...old, ...oldLevels, groups },
      },
    ]),
  )
  for (const [language, more] of [
    ['en', 'and 203 more'],
    ['ko', '외 203개'],
  ] as const) {
    const [row] = await csvOf(admin, 'authManage', { targetName: 'wide' }, language)
    const lines = Object.values(row ?? {})
      .find((text) => text?.includes('team 999'))
      ?.split('\n')
    expect([lines?.length, lines?.[0], lines?.at(-2), lines?.at(-1)]).toEqual([
      ...[1001, "'+ team 0 (1)", "'+ team 999 (1000)", more],
    ])
  }
})
