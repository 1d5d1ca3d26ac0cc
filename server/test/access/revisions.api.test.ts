// Every change that names a revision refuses an old one, so that nobody overwrites what they did not see.

import { api } from '@acc/contract'
import { DEFAULT_PROTECTION } from '@acc/contract/accountProtection'
import type { ErrorName } from '@acc/contract/core/errors'
import type { Route } from '@acc/contract/core/route'
import { expect, test } from 'vitest'
import { startTestApp } from '../app.ts'
import { buildAuthority } from '../build/authorities.ts'
import { buildBimServer } from '../build/bim.ts'
import { buildGroups } from '../build/groups.ts'
import { buildPolicy } from '../build/policies.ts'
import { buildUser } from '../build/users.ts'

const { app, as, admin } = await startTestApp()
const calls = as(admin)
const { group } = await buildGroups(app.db, 'group')
const person = await buildUser(app.db, { group })
const policy = await buildPolicy(app.db, { group })
const { idx: authority } = await buildAuthority(app.db, { groups: [group], user: 1 })
const { idx: web } = await calls.shortcuts.createWeb({ name: 'Web', url: 'https://example.com' })
const { idx: program } = await calls.shortcuts.createProgram({ name: 'Program', path: 'C:\\program.exe' })
const server = await buildBimServer(calls)
const exception = await calls.bim.createException({ ip: '10.9.0.1' })
await calls.configTexts.setSiteConfig({ siteConfig: '<site/>' })
await calls.configTexts.setClientPolicy({ clientPolicy: '{"a": 1}' })

const number = { revision: -1 }
const text = { revision: 'old' }
const LEVELS = { policy: 0, user: 1, fileImportApprove: 0, fileExportApprove: 0, log: 0 }
/** A change with an old revision, for each call that names one. */
const CHANGES: Record<string, object> = {
  'users.update': { ...number, idx: person.idx, name: 'New' },
  'groups.update': { ...number, idx: group.idx, name: 'New' },
  'policies.update': { ...number, idx: policy.idx, print: 1 },
  'authorities.update': { ...number, idx: authority, name: 'New', description: '', ...LEVELS, groupIdxes: [group.idx] },
  'authorities.setMembers': { ...number, idx: authority, userIdxes: [person.idx] },
  'shortcuts.updateWeb': { ...text, idx: web, name: 'New', url: 'https://new.example.com' },
  'shortcuts.updateProgram': { ...text, idx: program, name: 'New', path: 'C:\\new.exe' },
  'bim.updateServer': { ...number, idx: server.idx, pcName: 'NEW', ip: server.ip },
  'bim.updateException': { ...number, idx: exception.idx, ip: '10.9.0.2' },
  'loginPolicy.setPasswordRules': { ...number, positiveRules: [], negativeRules: [] },
  'loginPolicy.setProtection': { ...number, ...DEFAULT_PROTECTION, dormantDays: 90 },
  'configTexts.setSiteConfig': { revision: 0, siteConfig: '<new/>' },
  'configTexts.setClientPolicy': { revision: 0, clientPolicy: '{"b": 2}' },
}

/** Changes of settings without a revision: the last one wins. */
const WITHOUT: Record<string, string> = {
  'loginPolicy.setDefaultOtp': 'one value',
  'loginPolicy.addOtpExceptions': 'adds, whatever others add',
  'loginPolicy.removeOtpExceptions': 'removes, whatever others remove',
  'notices.setOverdue': 'one value',
  'licenses.register': 'a signed file',
  'licenses.chooseEvaluation': 'one choice of the register step',
  'licenses.setDevicesPerUser': 'one value',
  'mails.resend': 'changes no setting',
  'mails.chooseOutbox': 'one choice of the register step',
  'mailServer.set': 'the form is saved as a unit, after its test mail',
  'sso.setPolicy': 'the form is saved as a unit',
  'userSync.set': 'the form is saved as a unit',
  'infos.setHostServerAddress': 'one value',
  'infos.setFileRetention': 'one value',
  'infos.setLoginPageLogo': 'one picture',
  'infos.setManagePageLogo': 'one picture',
  'infos.removeLoginPageLogo': 'one picture',
  'infos.removeManagePageLogo': 'one picture',
}

const routes = Object.entries(api).flatMap(([domain, calls]) =>
  Object.entries<Route>(calls).map(([name, route]) => ({ name: `${domain}.${name}`, route })),
)
const namesOf = (found: typeof routes) => found.map(({ name }) => name).sort()
const hasRevision = ({ route }: { route: Route }) => 'revision' in route.input.shape

test('every call with a revision is tried here, and no other change of a setting goes unnamed', () => {
  expect(Object.keys(CHANGES).sort()).toEqual(namesOf(routes.filter(hasRevision)))
  const settings = routes.filter(({ route }) => route.method !== 'GET' && route.audit === 'settingManage')
  expect(Object.keys(WITHOUT).sort()).toEqual(namesOf(settings.filter((one) => !hasRevision(one))))
})

const countHistory = async () => (await app.db.read.selectFrom('history').select('idx').execute()).length

test.each(Object.entries(CHANGES))('%s refuses an old revision and changes nothing', async (name, input) => {
  const [domain = '', call = ''] = name.split('.')
  const made = calls as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>
  const before = await countHistory()
  const refused: { error: ErrorName } = { error: 'CHANGED_MEANWHILE' }
  await expect(made[domain]?.[call]?.(input)).rejects.toMatchObject(refused)
  expect(await countHistory()).toBe(before)
})
