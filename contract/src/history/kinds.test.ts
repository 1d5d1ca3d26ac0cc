// Every log has the fields of the specification, copied from spec S2 §3, and its menus and limits (spec S2 §2.6, §9).
import { expect, test } from 'vitest'
import { RequestState } from '../labels/requests.ts'
import type { Fields, Lists } from './fields.ts'
import { oldName, withNested } from './kind.ts'
import { HISTORY_MENUS, isDetailed, LOG_NAMES, LOGS, type LogName } from './kinds.ts'
import { history } from './routes.ts'

const PERSON = ['userId', 'userName', 'userGroupName']
const ACTOR = ['actorId', 'actorName', 'actorGroupName']
const SIGN_IN = ['loginDT', 'logoutDT', ...PERSON, 'ip', 'userRole', 'type', 'logoutType']
type Spec = {
  fields: readonly string[]
  /** Each with an old counterpart. */
  compared?: readonly string[]
  lists?: Readonly<Record<string, { rows: number; fields: readonly string[] }>>
}
/** Additions to the specification. */
const END = ['endDT', 'endReason']
const exceptions = { rows: 5, fields: ['idx', 'description', 'type', 'ip1', 'ip2', 'port', 'access', ...END, 'isOld'] }

const SPEC: Partial<Record<LogName, Spec>> = {
  clientLogin: { fields: [...SIGN_IN, 'clientVersion'] },
  webLogin: { fields: SIGN_IN },
  account: { fields: ['logDT', 'actionType', 'resultType', ...PERSON, 'ip'] },
  fileEximport: {
    fields: [
      ...[
        'idx',
        'requesterId',
        'requesterName',
        'requesterEmail',
        'requesterGroupName',
        'requesterGroupIdx',
        'approverId',
      ],
      ...['approverName', 'approverGroupName', 'state', 'requestDT', 'approveDT', 'requestPurpose', 'approvePurpose'],
      ...['isFileUploaded', 'files'],
    ],
  },
  authManage: {
    fields: ['logDT', ...ACTOR, 'type'],
    compared: ['Name', 'Policy', 'User', 'FileExportApprove', 'FileImportApprove', 'Log', 'Description'],
    lists: {
      groups: { rows: 3, fields: ['groupIdx', 'groupName', 'groupKey', 'isOld'] },
      users: { rows: 3, fields: ['userIdx', 'userId', 'userName', 'userGroupName', ...END, 'isOld'] },
    },
  },
  groupManage: { fields: ['logDT', ...ACTOR, 'type'], compared: ['Name', 'Key', 'Description'] },
  policyManage: {
    fields: [
      ...['logDT', ...ACTOR, 'type', 'targetType', 'targetName', 'targetId', 'targetGroupName', 'diffOwnerName'],
      ...['Clipboard', 'FileExport', 'Uninstall', 'LocalNetwork', 'Network', 'Loopback'].flatMap((name) => [
        `policy${name}`,
        `policyOld${name}`,
      ]),
      'targetIsSinglePC',
    ],
    lists: {
      policyNetworkExceptions: exceptions,
      policyLocalNetworkExceptions: exceptions,
      policyLoopbackExceptions: { rows: 5, fields: ['description', 'processName', 'isOld'] },
      policyShortcutWebs: { rows: 5, fields: ['name', 'url', 'isOld'] },
      policyShortcutPrograms: { rows: 5, fields: ['name', 'path', 'isOld'] },
    },
  },
  userManage: {
    fields: ['logDT', ...ACTOR, 'type'],
    compared: ['Id', 'Name', 'Email', 'GroupName', 'IsMortal', 'ExpireDT', 'Key', 'LoginType', 'State'],
  },
  shortcutManage: { fields: ['logDT', ...ACTOR, 'type'], compared: ['Name', 'Data'] },
  licenseUse: { fields: ['logDT', ...PERSON, 'deviceIp', ...ACTOR, 'type'] },
  networkAccess: { fields: ['logDT', ...PERSON, 'ip', 'type', 'targetIp'] },
  clientManage: { fields: ['logDT', ...ACTOR, 'type'], compared: ['Version'] },
}

test.each(Object.entries(SPEC) as [LogName, Spec][])(
  '%s has its fields',
  (log, { fields, compared = [], lists = {} }) => {
    const { item }: { item: { shape: object } } = LOGS[log]
    const targets = compared.map((name) => `target${name}`)
    expect(Object.keys(item.shape)).toEqual(
      expect.arrayContaining([...fields, ...targets, ...targets.map(oldName), ...Object.keys(lists)]),
    )
    const { lists: found = {} }: { lists?: Lists } = { lists: {}, ...LOGS[log] }
    for (const [name, { rows, fields: nested }] of Object.entries(lists)) {
      expect(found[name]?.rows).toBe(rows)
      expect([...Object.keys(found[name]?.fields ?? {}), 'isOld']).toEqual(nested)
    }
  },
)

test('keys are for administrators, in fields and in nested entries', () => {
  const adminOnly = Object.entries(LOGS).flatMap(([log, description]) => {
    const { fields, lists }: { fields: Fields; lists?: Lists } = { lists: {}, ...description }
    const all = [fields, ...Object.values(lists ?? {}).map((list) => list.fields)]
    return all.flatMap((one) =>
      Object.entries(one).flatMap(([name, field]) => (field.for === 'admin' ? [`${log} ${name}`] : [])),
    )
  })
  expect(adminOnly.toSorted()).toEqual([
    'authManage groupKey',
    'bimManage groupKey',
    'groupManage targetKey',
    'groupManage targetOldKey',
    'userManage targetKey',
    'userManage targetOldKey',
  ])
})

test('text filters take 30 characters, those of addresses and versions 15', () => {
  for (const [log, description] of Object.entries(LOGS)) {
    const {
      filters,
      fields,
      lists = {},
      filter,
      store,
    }: {
      filters: readonly string[]
      fields: Fields
      lists?: Lists
      filter: { safeParse(input: object): { success: boolean } }
      store: string
    } = description
    const fixed = store === 'requests' ? { type: 1 } : {}
    const known = withNested(fields, lists)
    for (const name of filters.filter((one) => known[one]?.values === undefined)) {
      const max = /ip$|version$/i.test(name) ? 15 : 30
      const accepts = (length: number) => filter.safeParse({ ...fixed, [name]: '1'.repeat(length) }).success
      expect([accepts(max), accepts(max + 1)], `${log} ${name}`).toEqual([true, false])
    }
  }
})

test('a filter is one press from any column of a list, but for ends and numbers', () => {
  const without = Object.entries(LOGS).flatMap(([log, description]) => {
    const { columns, filters, time }: { columns: readonly string[]; filters: readonly string[]; time: string } =
      description
    return columns.filter((name) => name !== time && !filters.includes(name)).map((name) => `${log} ${name}`)
  })
  expect(without).toEqual([
    ...['clientLogin logoutDT', 'webLogin logoutDT'],
    ...['userImport createCount', 'userImport updateCount'],
    ...['userImport moveCount', 'userImport disableCount', 'userImport failCount'],
  ])
})

test('no two columns of a log have the same heading, so that a CSV file can be read', () => {
  for (const log of Object.keys(LOGS) as LogName[]) {
    for (const language of ['ko', 'en'] as const) {
      const headings = Object.values(history[log].columns ?? {}).map((column) => column[language])
      expect(new Set(headings).size, `${log} ${headings}`).toBe(headings.length)
    }
  }
})

test('a log with old values has a detail that shows them', () => {
  for (const log of LOG_NAMES) {
    const { item }: { item: { shape: object } } = LOGS[log]
    const hasOld = Object.keys(item.shape).some((name) => /^(target|policy)Old/.test(name))
    expect(hasOld && !isDetailed(log), log).toBe(false)
  }
})

test('the menus and their groups, in the order of the specification, with our four', () => {
  const menusOf = (group: string) =>
    Object.entries(HISTORY_MENUS).flatMap(([menu, { log }]) => (LOGS[log].group === group ? [menu] : []))
  expect(menusOf('client')).toEqual(['clientLogin', 'fileExport', 'fileImport', 'fileDownload', 'networkAccess'])
  expect(menusOf('web')).toEqual(['webLogin', 'account', 'groupManage', 'policyManage', 'userManage', 'userImport'])
  expect(menusOf('system')).toEqual([
    ...['shortcutManage', 'licenseUse', 'clientManage', 'authManage'],
    ...['settingManage', 'bimManage'],
  ])
  for (const { access, group } of Object.values(LOGS)) expect(access === 'admin').toBe(group === 'system')
  expect(HISTORY_MENUS.clientLogin.notOffered).toEqual({ type: [6] })
  expect(HISTORY_MENUS.fileExport.notOffered).toEqual({ state: [RequestState.CANCELED] })
  expect(HISTORY_MENUS.fileImport).not.toHaveProperty('notOffered')
})
