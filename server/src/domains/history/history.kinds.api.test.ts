// Every kind of history from writer to reader: the row that a feature writes is in the list, the detail and the CSV
// file of those who may read it.
import type { LogName } from '@acc/contract/history/kinds'
import { DETAILED_LOGS, LOGS } from '@acc/contract/history/kinds'
import { BimManage, ClientManage, ShortcutManage, SignInType, UserImportEvent } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy, openExports } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildSignIns } from '../../../test/build/signIns.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { change, type HistoryEntry } from '../../core/change.ts'
import { enqueued, passwordChanged, runMailJobs } from '../mails/mails.fixture.ts'

const testApp = await startTestApp()
const { app, as, admin, anonymous, clock, fetchAs } = testApp
const { db } = app
await openExports(db)
const { sales, rnd } = await buildGroups(db, 'sales', 'rnd')
const employee = await buildUser(db, { group: sales, id: 'haneul', name: '김하늘', password: 'Qa9!zebra-Lm' })
const own = { user: 2, policy: 2, fileExportApprove: 2, fileImportApprove: 2, log: 1 } as const
const reader = await buildManager(db, { groups: [sales], ...own })
const foreigner = await buildManager(db, { groups: [rnd], ...own })
const author = { idx: admin.idx, id: admin.id, name: 'admin', groupName: '', ip: '10.0.0.1' }
const write = (entry: HistoryEntry) =>
  change(db, { author, now: () => clock.now() }, async () => ({ result: undefined, log: [entry] }))
const request = await buildRequest(app, employee, { purpose: '고객 전달' })

const target = { subject: '', subjectIdx: null, groupIdx: null }
type Case = {
  run: () => Promise<unknown>
  /** The expected fields of the list and the detail. */
  entry: object
  /** A filter that matches the row, and one that does not. */
  filter: object
  miss: object
  /** Fields that only administrators read. */
  keys?: readonly string[]
  input?: object
}

const CASES: Record<LogName, Case> = {
  clientLogin: {
    run: () => buildSignIns(app, employee, [{ ip: '10.1.2.3', type: SignInType.LOGIN }]),
    entry: { userId: 'haneul', targetIdx: employee.idx, ip: '10.1.2.3' },
    filter: { ip: '10.1.2', userName: '하늘' },
    miss: { type: SignInType.REFUSED },
  },
  webLogin: {
    run: () => buildSignIns(app, employee, [{ kind: 'web', ip: '10.1.2.4' }]),
    entry: { userId: 'haneul', ip: '10.1.2.4', userGroupName: 'sales' },
    filter: { ip: '10.1.2.4', userId: 'HANEUL' },
    miss: { userId: 'nobody' },
  },
  fileEximport: {
    run: () => as(reader).requests.decide({ idx: request.idx, state: 1, purpose: '확인' }),
    entry: { idx: request.idx, requestPurpose: '고객 전달', approvePurpose: '확인', files: [{ fileName: 'note.txt' }] },
    filter: { requesterName: '하늘', state: 1 },
    miss: { fileName: 'other' },
    input: { type: 1 },
  },
  fileDownload: {
    run: async () => (await as(reader).requests.download({ fileEximport: request.idx })).arrayBuffer(),
    entry: {
      type: 1,
      requesterId: 'haneul',
      purpose: '고객 전달',
      actorId: reader.id,
      files: [{ fileName: 'note.txt' }],
    },
    filter: { requesterId: 'haneul', actorName: reader.name },
    miss: { requesterGroupName: 'rnd' },
  },
  networkAccess: {
    run: async () => {
      const pc = await openDesktopClient(testApp, employee)
      const blocks = [{ type: 1, targetIp: '203.0.113.7', blockDT: '2026-01-31T09:30:00Z' } as const]
      return pc.networkBlocks.report({ batchId: '00000000-0000-4000-8000-000000000009', blocks })
    },
    entry: {
      type: 1,
      targetIp: '203.0.113.7',
      userId: 'haneul',
      blockDT: '2026-01-31T09:30:00.000Z',
      processName: null,
    },
    filter: { targetIp: '203.0.113', userGroupName: 'sales', type: 1 },
    miss: { targetIp: '198.51' },
  },
  account: {
    run: () => anonymous.account.changePw({ id: 'haneul', pw: 'Qa9!zebra-Lm', newPw: 'Zx8?ostrich-Nq' }),
    entry: { actionType: 2, resultType: 0, userId: 'haneul', userName: '김하늘', userGroupName: 'sales' },
    filter: { actionType: 2, resultType: 0, userName: '김하늘' },
    miss: { resultType: 1 },
  },
  groupManage: {
    run: () => as(admin).groups.update({ idx: sales.idx, description: '영업', revision: 1 }),
    entry: { type: 1, targetIdx: sales.idx, targetName: 'sales', targetDescription: '영업', targetOldDescription: '' },
    filter: { targetName: 'sal', type: 1 },
    miss: { type: 2 },
    keys: ['targetKey', 'targetOldKey'],
  },
  policyManage: {
    run: async () => {
      const { idx } = await buildPolicy(db, { group: sales })
      return as(admin).policies.update({ idx, clipboard: 3 })
    },
    entry: {
      type: 2,
      targetType: 0,
      targetName: 'sales',
      policyClipboard: 3,
      policyOldClipboard: 0,
      policyOldLoopback: 1,
    },
    filter: { targetType: 0, targetName: 'sales' },
    miss: { targetType: 1 },
  },
  userManage: {
    run: () => as(reader).users.update({ idx: employee.idx, name: '김바다' }),
    entry: {
      type: 2,
      targetId: 'haneul',
      targetName: '김바다',
      targetOldName: '김하늘',
      targetOldEmail: employee.email,
    },
    filter: { targetName: '바다', actorId: reader.id },
    miss: { targetName: '하늘' },
    keys: ['targetKey', 'targetOldKey'],
  },
  userImport: {
    run: () =>
      write({
        ...target,
        groupIdx: sales.idx,
        kind: 'userImport',
        type: UserImportEvent.DONE,
        detail: {
          ...{ source: 0, fileName: '사원.csv', fileHash: 'a'.repeat(64), refusal: null, groupCount: 1 },
          ...{
            createCount: 3,
            updateCount: 2,
            moveCount: 1,
            enableCount: 0,
            disableCount: 4,
            skipCount: 0,
            failCount: 5,
          },
        },
      }),
    entry: { type: 0, source: 0, fileName: '사원.csv', createCount: 3, disableCount: 4, failCount: 5 },
    filter: { fileName: '사원', type: 0 },
    miss: { fileName: '협력사' },
  },
  shortcutManage: {
    run: () =>
      write({
        ...target,
        kind: 'shortcutManage',
        type: ShortcutManage.UPDATE_WEB,
        detail: {
          targetName: '포털',
          targetOldName: '포탈',
          targetData: 'https://a.example',
          targetOldData: 'https://b.example',
        },
      }),
    entry: { type: 1, targetName: '포털', targetOldName: '포탈', targetOldData: 'https://b.example' },
    filter: { targetName: '포털' },
    miss: { targetName: '포탈' },
  },
  licenseUse: {
    run: async () => {
      await openDesktopClient(testApp, employee)
      return as(reader).users.resetLicense({ idx: employee.idx })
    },
    entry: { type: 1, userId: 'haneul', userName: '김바다', deviceIp: '127.0.0.1', actorId: reader.id },
    filter: { deviceIp: '127.0', userGroupName: 'sales', type: 1 },
    miss: { type: 0 },
  },
  clientManage: {
    run: () =>
      write({
        ...target,
        kind: 'clientManage',
        type: ClientManage.UPDATE,
        detail: { targetVersion: '2.0.0', targetOldVersion: '1.9.0' },
      }),
    entry: { type: 1, targetVersion: '2.0.0', targetOldVersion: '1.9.0' },
    filter: { targetVersion: '2.0' },
    miss: { targetVersion: '1.9' },
  },
  authManage: {
    run: () =>
      as(admin).authorities.create({
        name: '조회',
        groupIdxes: [sales.idx],
        userIdxes: [employee.idx],
        policy: 0,
        user: 1,
        fileImportApprove: 0,
        fileExportApprove: 0,
        log: 0,
      }),
    entry: {
      type: 0,
      targetName: '조회',
      targetUser: 1,
      targetOldUser: null,
      groups: [{ groupName: 'sales', groupKey: sales.key, isOld: 0 }],
      users: [{ userId: 'haneul', isOld: 0 }],
    },
    filter: { targetName: '조회' },
    miss: { type: 1 },
  },
  settingManage: {
    run: async () => {
      const idx = await enqueued(app, 'passwordChanged', { to: 'a@example.com', ...passwordChanged })
      await runMailJobs(app)
      return as(admin).mails.resend({ idx })
    },
    entry: { type: 0, targetName: 'a@example.com', targetOldValue: null },
    filter: { targetName: 'a@example' },
    miss: { type: 1 },
  },
  bimManage: {
    run: () =>
      write({
        ...target,
        kind: 'bimManage',
        type: BimManage.UPDATE_EXCEPTION,
        detail: {
          targetName: null,
          targetOldName: null,
          targetIp: '10.9.0.1',
          targetOldIp: '10.9.0.2',
          targetDescription: '',
          targetOldDescription: '',
        },
      }),
    entry: { type: 4, targetIp: '10.9.0.1', targetOldIp: '10.9.0.2' },
    filter: { targetIp: '10.9' },
    miss: { targetIp: '10.8' },
  },
}

const pathOf = (log: LogName, filter: object) =>
  `${LOGS[log].path}?${new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))}`

async function rowsOf(user: { idx: number }, log: LogName, filter: object): Promise<Record<string, unknown>[]> {
  const answer: { errorCode: number; data?: { items: Record<string, unknown>[] } } = await (
    await fetchAs(user)(pathOf(log, { ...CASES[log].input, ...filter }))
  ).json()
  return answer.data?.items ?? [{ errorCode: answer.errorCode }]
}

async function csvOf(user: { idx: number }, log: LogName): Promise<string[]> {
  const headers = { Accept: 'text/csv', 'Accept-Language': 'en' }
  const answer = await fetchAs(user)(pathOf(log, { ...CASES[log].input }), { headers })
  return (await answer.text()).trimEnd().split('\r\n')
}

test.each(Object.entries(CASES) as [LogName, Case][])('%s', async (log, { run, entry, filter, miss, keys = [] }) => {
  await run()
  const [row] = await rowsOf(admin, log, filter)
  expect(row).toMatchObject(entry)
  expect(await rowsOf(admin, log, miss)).toEqual([])
  expect((await csvOf(admin, log)).length).toBeGreaterThan(1)
  const isForManagers = LOGS[log].access !== 'admin'
  const [seen] = await rowsOf(reader, log, filter)
  expect(await rowsOf(foreigner, log, filter)).toEqual(isForManagers ? [] : [{ errorCode: 980 }])
  if (!isForManagers) return expect(seen).toEqual({ errorCode: 980 })
  const withoutKeys = Object.fromEntries(Object.entries(row ?? {}).filter(([name]) => !keys.includes(name)))
  // Administrators and managers are not among the users that a manager may open.
  const links = 'actorIdx' in withoutKeys && withoutKeys.actorIdx !== employee.idx ? { actorIdx: null } : {}
  expect(seen).toEqual({ ...withoutKeys, ...links })
  const [head = ''] = await csvOf(reader, log)
  const [wholeHead = ''] = await csvOf(admin, log)
  expect(wholeHead.split(',')).toHaveLength(head.split(',').length + keys.length)
  expect(head).not.toMatch(/key/i)
  for (const key of keys) expect(JSON.stringify(await csvOf(reader, log))).not.toContain(String(row?.[key]))
})

test.each(DETAILED_LOGS)('one entry of %s, by those who may read its list', async (log) => {
  const [row] = await rowsOf(admin, log, CASES[log].filter)
  const { keys = [], entry } = CASES[log]
  const input = { log, idx: Number(row?.idx) }
  const found = await as(admin).history.find(input)
  expect(found).toMatchObject({ log, entry })
  expect(found.entry).toMatchObject(row ?? {})
  await expect(as(foreigner).history.find(input)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await expect(as(employee).history.find(input)).rejects.toMatchObject({ code: 980 })
  await expect(as(admin).history.find({ log, idx: 999_999 })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  if (LOGS[log].access === 'admin')
    return expect(as(reader).history.find(input)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  const seen = await as(reader).history.find(input)
  expect(seen).toMatchObject({ log })
  for (const key of keys) expect(seen.entry).not.toHaveProperty(key)
})

test('sorted by every column that a list offers, and by no other', async () => {
  for (const [log, { sorts }] of Object.entries(LOGS) as [LogName, { sorts: readonly string[] }][]) {
    for (const sort of sorts)
      expect((await rowsOf(admin, log, { sort, sortOrder: 0 }))[0]).not.toHaveProperty('errorCode')
    expect(await rowsOf(admin, log, { sort: 'detail' })).toEqual([{ errorCode: 983 }])
  }
})

test('nested entries beyond the bound of one response are left out of a list, not of the detail', async () => {
  const groups = Array.from({ length: 3000 }, (_, at) => ({ groupIdx: at + 1, groupName: 'g', groupKey: 'k' }))
  const levels = { Policy: 0, User: 0, FileImportApprove: 0, FileExportApprove: 0, Log: 0 } as const
  const named = Object.entries(levels).flatMap(([name, value]) => [
    [`target${name}`, value],
    [`targetOld${name}`, null],
  ])
  const detail = {
    targetName: 'many',
    targetOldName: null,
    targetDescription: '',
    targetOldDescription: null,
    groups,
    ...Object.fromEntries(named),
  }
  await write({ ...target, kind: 'authManage', type: 0, detail })
  await write({ ...target, kind: 'authManage', type: 0, detail })
  const rows = await rowsOf(admin, 'authManage', { targetName: 'many' })
  expect(rows.map(({ groups: listed }) => (Array.isArray(listed) ? listed.length : 0))).toEqual([3000, 0])
  const found = await as(admin).history.find({ log: 'authManage', idx: Number(rows[1]?.idx) })
  expect(found.log === 'authManage' && found.entry.groups).toHaveLength(3000)
})
